#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Octets of a regular file: looked at early, opened late, once per reading.
struct HTTPBodyFile: Sendable {
    let path: String
    let range: Range<Int64>

    var length: Int64 { Int64(range.count) }

    init(path: String, range: Range<Int64>?) throws(HTTPError) {
        func refuse(_ reason: String, _ cause: SystemError? = nil) -> HTTPError {
            HTTPError(
                .invalidRequest, "the file \(path.logSafe) cannot be a body: \(reason)",
                phase: .preparing, underlyingError: cause)
        }
        var status = stat()
        guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else {
            let error = SystemError(errno)
            throw refuse(error.description, error)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw refuse("it is no regular file") }
        let size = Int64(status.st_size)
        self.path = path
        self.range = range ?? 0..<size
        guard self.range.lowerBound >= 0, self.range.upperBound <= size else {
            throw refuse("it has \(size) octets, the range ends at \(self.range.upperBound)")
        }
    }
}

/// Reads a file in order. Blocks its thread for each read, as local files do.
final class FileBodySource: HTTPBodySource {
    private static let pieceLength = 256 << 10

    private let file: HTTPBodyFile
    private struct State {
        var descriptor: Int32?
        var position: Int64
        var isOver = false
    }
    private let state: Locked<State>

    init(_ file: HTTPBodyFile) {
        self.file = file
        self.state = Locked(State(position: file.range.lowerBound))
    }

    deinit { abandon() }

    func next() async throws -> Data? {
        // Reading under the lock keeps `abandon()` from closing the descriptor below a read.
        try state.withLock { state throws(HTTPError) in
            guard !state.isOver else { throw HTTPError.bodyAlreadyRead }
            let count = Int(min(Int64(Self.pieceLength), file.range.upperBound - state.position))
            guard count > 0 else {
                Self.close(&state)
                return nil
            }
            if state.descriptor == nil {
                let descriptor = unsafe open(file.path, O_RDONLY | O_CLOEXEC)
                guard descriptor >= 0 else { throw failure("opened", SystemError(errno)) }
                state.descriptor = descriptor
            }
            guard let descriptor = state.descriptor else { return nil }
            var data = Data(count: count)
            let read = unsafe data.withUnsafeMutableBytes { buffer in
                var result: Int
                repeat {
                    result = unsafe pread(
                        descriptor, buffer.baseAddress, buffer.count, off_t(state.position))
                } while result < 0 && errno == EINTR
                return result
            }
            guard read >= 0 else { throw failure("read", SystemError(errno)) }
            guard read > 0 else {
                throw HTTPError(
                    .requestBodyFailed, "the file \(file.path.logSafe) became shorter than it was")
            }
            state.position += Int64(read)
            return read == count ? data : data.prefix(read)
        }
    }

    func abandon() {
        state.withLock { state in
            state.isOver = true
            Self.close(&state)
        }
    }

    private static func close(_ state: inout State) {
        if let descriptor = state.descriptor.take() { _ = systemClose(descriptor) }
    }

    private func failure(_ action: String, _ error: SystemError) -> HTTPError {
        HTTPError(
            .requestBodyFailed, "the file \(file.path.logSafe) could not be \(action): \(error)",
            underlyingError: error)
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// Octets in memory.
final class OctetsBodySource: HTTPBodySource {
    private let rest: Locked<Data?>

    init(_ octets: Data) { rest = Locked(octets) }

    func next() async throws -> Data? {
        rest.withLock { rest in
            defer { rest = nil }
            return rest.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    func abandon() { rest.withLock { $0 = nil } }
}

/// What an asynchronous sequence yields. An actor, so that the iterator has one owner.
actor AsyncSequenceBodySource<Octets: AsyncSequence & Sendable>: HTTPBodySource
where Octets.Element == Data {
    private let sequence: Octets
    private var iterator: Octets.AsyncIterator?
    private let isAbandoned = Locked(false)

    init(_ sequence: Octets) { self.sequence = sequence }

    func next() async throws -> Data? {
        while true {
            guard !isAbandoned.withLock({ $0 }) else { throw HTTPError.bodyAlreadyRead }
            // Taken out while it waits: only one `next()` runs at a time.
            var iterator = self.iterator.take() ?? sequence.makeAsyncIterator()
            let data = try await iterator.next(isolation: self)
            self.iterator = iterator
            guard let data else { return nil }
            if !data.isEmpty { return data }
        }
    }

    nonisolated func abandon() { isAbandoned.withLock { $0 = true } }
}
