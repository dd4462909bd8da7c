import HTTPCodings
import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A body that encodes another one as it is read.
final class EncodedBodySource: WrittenSource {
    private struct State: ~Copyable {
        var encoder: ContentEncoder
        /// `true` if the end of the body was encoded.
        var isOver = false

        /// Returns a result, since closures with a typed error fail in Swift 6.3's optimizer.
        mutating func encode(_ piece: Data?, flushes: Bool) -> Result<Data, HTTPError> {
            isOver = piece == nil
            return Result { () throws(HTTPError) in
                guard let piece else { return try encoder.finish() }
                return try encoder.encode(piece, flushes: flushes)
            }
        }
    }

    private let reader: HTTPBodyReader
    private let body: HTTPBody
    /// `true` if the other side can decode each piece as soon as it has come.
    private let flushes: Bool
    private let state: Locked<State>

    /// - Parameter reader: The reader of `body`.
    init(
        _ reader: HTTPBodyReader, of body: HTTPBody, _ coding: HTTPContentCoding, flushes: Bool
    ) throws(HTTPError) {
        self.reader = reader
        self.body = body
        self.flushes = flushes
        state = Locked(State(encoder: try ContentEncoder(coding)))
    }

    func next() async throws -> Data? {
        while !state.withLock({ $0.isOver }) {
            let piece = try await reader.next()
            let coded = try state.withLock { $0.encode(piece, flushes: flushes) }.get()
            if !coded.isEmpty { return coded }
        }
        return nil
    }

    func abandon() { reader.abandon() }
    func willBeRead() { body.willBeRead() }
    func leave(because reason: HTTPError) { body.writtenSource?.leave(because: reason) }
    func end(because reason: HTTPError) { body.writtenSource?.end(because: reason) }
}
