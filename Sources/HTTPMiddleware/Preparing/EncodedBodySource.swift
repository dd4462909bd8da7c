import HTTPCodings
import HTTPCore
import PortableFoundation

/// A body that encodes another one as it is read. The other one stays unread until then.
final class EncodedBodySource: WrittenSource {
    private struct State: ~Copyable {
        var reader: HTTPBodyReader?
        var encoder: ContentEncoder?
        /// The number of bytes of the other body so far.
        var count: Int64 = 0
        /// `true` if the end of the body was encoded.
        var isOver = false
        var isGivenUp = false
    }

    private let body: HTTPBody
    private let coding: HTTPContentCoding
    /// `true` if the other side can decode each piece as soon as it has come.
    private let flushes: Bool
    private let state = Locked(State())

    init(_ body: HTTPBody, _ coding: HTTPContentCoding, flushes: Bool) {
        (self.body, self.coding, self.flushes) = (body, coding, flushes)
    }

    func next() async throws -> Data? {
        let reader = try await begun()
        while !state.withLock({ $0.isOver }) {
            let piece = try await reader.next()
            let coded = try encoded(piece).get()
            if !coded.isEmpty { return coded }
        }
        return nil
    }

    /// Returns the reader of the other body, which begins with the first call.
    private func begun() async throws -> HTTPBodyReader {
        if let reader = state.withLock({ $0.reader }) { return reader }
        let reader =
            if let stream = try body.claimReader() { stream } else { try await body.makeReader() }
        let isGivenUp = state.withLock { state in
            state.reader = reader
            return state.isGivenUp
        }
        if isGivenUp { reader.abandon() }
        return reader
    }

    /// Returns the coded form of a piece, or of the end. A result, since closures that throw a
    /// typed error fail in the optimizer of Swift 6.3.
    private func encoded(_ piece: Data?) -> Result<Data, HTTPError> {
        state.withLock { state in
            state.count += Int64(piece?.count ?? 0)
            if let declared = body.length {
                // The transport does not know the length that was declared.
                if state.count > declared { return .failure(.requestBody(beyond: declared)) }
                if piece == nil, state.count < declared {
                    return .failure(.requestBody(ending: state.count, before: declared))
                }
            }
            return Result { () throws(HTTPError) in
                if state.encoder == nil { state.encoder = try ContentEncoder(coding) }
                guard let piece else {
                    state.isOver = true
                    return try state.encoder?.finish() ?? Data()
                }
                return try state.encoder?.encode(piece, flushes: flushes) ?? Data()
            }
        }
    }

    func abandon() {
        let reader = state.withLock { state in
            state.isGivenUp = true
            return state.reader
        }
        reader?.abandon()
    }

    func willBeRead() { body.willBeRead() }
    func leave(because reason: HTTPError) { body.writtenSource?.leave(because: reason) }
    func end(because reason: HTTPError) { body.writtenSource?.end(because: reason) }
}
