import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A body that fails with `bodyTooLarge` once more than a number of bytes has come, or at once if
/// it has announced more.
final class LimitedBodySource: HTTPBodySource {
    private struct State {
        var iterator: HTTPBody.AsyncIterator?
        var left: Int
    }

    private let body: HTTPBody
    private let limit: Int
    private let state: Locked<State>

    init(_ body: HTTPBody, upTo limit: Int) {
        self.body = body
        self.limit = limit
        state = Locked(State(iterator: body.makeAsyncIterator(), left: max(0, limit)))
    }

    deinit { end() }

    func next() async throws -> Data? {
        // Taken out while it waits: calls of `next()` never overlap.
        guard var iterator = state.withLock({ $0.iterator.take() }) else {
            throw HTTPError.bodyAlreadyRead
        }
        if let length = body.length, length > limit { throw tooLarge() }
        guard let piece = try await iterator.next() else { return nil }
        let isFitting = state.withLock { state in
            guard piece.count <= state.left else { return false }
            state.left -= piece.count
            state.iterator = iterator
            return true
        }
        guard isFitting else { throw tooLarge() }
        return piece
    }

    private func tooLarge() -> HTTPError {
        body.abandon()
        return .bodyTooLarge(limit: limit)
    }

    func abandon() {
        body.abandon()
        end()
    }

    func discard() async {
        await body.discard()
        end()
    }

    var trailers: HTTPHeaders? { body.trailers }

    /// Releases the iterator, which abandons the body that it reads.
    private func end() {
        let iterator = state.withLock { $0.iterator.take() }
        _ = consume iterator
    }
}

extension HTTPRequest {
    /// Returns the limit of a delivery in memory, in place of which the body is streamed.
    mutating func takeStreamLimit() -> Int? {
        guard case .buffered(let limit) = delivery else { return nil }
        delivery = .streamed
        return limit
    }
}

extension HTTPResponse {
    /// Returns this response with a limit on its body as it is read.
    func limited(to limit: Int?) -> HTTPResponse {
        guard let limit, body.bytes == nil else { return self }
        var response = self
        response.originalRequest.delivery = .buffered(upTo: limit)
        response.body = HTTPBody(
            source: LimitedBodySource(body, upTo: limit), length: body.length)
        return response
    }
}
