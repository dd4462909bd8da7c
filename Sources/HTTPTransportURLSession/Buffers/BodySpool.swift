import Foundation
import HTTPCore

/// A complete request body, ready to be sent, and to be sent again by libcurl.
///
/// URLSession on Linux reads a body stream on the one queue that serves all its transfers, and
/// treats a stream without available bytes as ended. A stream that waits for its producer would
/// stall every transfer, including one that feeds the producer. So a body that is not in memory is
/// read first: up to 128 KiB into memory, beyond that into a temporary file without a name.
enum BodySpool {
    case empty
    case memory(Data)
    case file(SpillFile, count: Int64)

    static let memoryLimit = 128 << 10

    var count: Int64 {
        switch self {
        case .empty: 0
        case .memory(let data): Int64(data.count)
        case .file(_, let count): count
        }
    }

    /// Creates a spool with all of `body`, whose bytes are not in memory.
    ///
    /// - Throws: `requestBodyFailed` with the producer's error, or if the body is shorter or longer
    ///   than it claims; `fileNotWritten`; or `CancellationError` if the task is cancelled. A
    ///   `CancellationError` of the producer's own is like any other error of it.
    init(taking body: HTTPBody) async throws {
        var start = Data()
        var file: SpillFile?
        var count: Int64 = 0
        do {
            for try await piece in body {
                count += Int64(piece.count)
                if let length = body.length, count > length {
                    throw HTTPError(
                        .requestBodyFailed,
                        "the request's body is longer than the \(length) bytes it claims",
                        phase: .preparing)
                }
                if file == nil, count <= Self.memoryLimit {
                    start.append(piece)
                    continue
                }
                if file == nil {
                    let made = try SpillFile()
                    try made.write(start, at: 0)
                    start = Data()
                    file = made
                }
                try file?.write(piece, at: count - Int64(piece.count))
            }
        } catch let error as HTTPError
            where error.code == .requestBodyFailed || error.code == .fileNotWritten
        {
            // Whatever the producer had to do with, this request has not left.
            throw error.inPhase(.preparing, mayHaveReachedServer: false)
        } catch {
            try Task.checkCancellation()
            throw HTTPError(
                .requestBodyFailed, "the request's body could not be produced", phase: .preparing,
                underlyingError: error)
        }
        try Task.checkCancellation()
        if let length = body.length, count < length {
            throw HTTPError(
                .requestBodyFailed,
                "the request's body ended after \(count) of the \(length) bytes it claims",
                phase: .preparing)
        }
        self = file.map { .file($0, count: count) } ?? (count == 0 ? .empty : .memory(start))
    }

    init(_ bytes: Data) { self = bytes.isEmpty ? .empty : .memory(bytes) }
}
