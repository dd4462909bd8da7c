import HTTPCore
import PortableFoundation

/// A body source that passes each piece of another body through a closure, which may change the
/// piece or break the body off.
final class TappedBodySource: HTTPBodySource {
    private let body: HTTPBody
    private let iterator: Locked<HTTPBody.AsyncIterator?>
    private let tap: @Sendable (Data?) throws -> Data?

    /// - Parameter tap: called with each piece, and with `nil` at the end. An error that it throws
    ///   breaks the body off. If it returns an empty piece, nothing is passed on for that piece.
    init(_ body: HTTPBody, _ tap: @escaping @Sendable (Data?) throws -> Data?) {
        self.body = body
        iterator = Locked(body.makeAsyncIterator())
        self.tap = tap
    }

    func next() async throws -> Data? {
        // Removed during the wait: only one `next()` runs at a time.
        guard var iterator = iterator.withLock({ $0.take() }) else { return nil }
        while true {
            let piece = try await iterator.next()
            let passed: Data?
            do {
                passed = try tap(piece)
            } catch {
                body.abandon()
                throw error
            }
            guard piece != nil, let passed else { return nil }
            guard !passed.isEmpty else { continue }
            self.iterator.withLock { $0 = iterator }
            return passed
        }
    }

    func abandon() {
        iterator.withLock { $0 = nil }
        body.abandon()
    }

    func discard() async {
        iterator.withLock { $0 = nil }
        await body.discard()
    }

    var trailers: HTTPHeaders? { body.trailers }
}
