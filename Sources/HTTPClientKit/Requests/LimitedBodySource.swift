import HTTPCore
import PortableFoundation

/// A body that fails with `bodyTooLarge` once more than a number of bytes has come, or at once if
/// it has announced more.
final class LimitedBodySource: HTTPBodySource {
    private let cursor: HTTPBodyCursor
    private let limit: Int
    private let left: Locked<Int>

    init(_ body: HTTPBody, upTo limit: Int) {
        cursor = HTTPBodyCursor(body)
        self.limit = limit
        left = Locked(max(0, limit))
    }

    func next() async throws -> Data? {
        if let length = cursor.body.length, length > limit {
            abandon()
            throw HTTPError.bodyTooLarge(limit: limit)
        }
        return try await cursor.next { piece in
            let isFitting = left.withLock { left in
                guard let piece else { return true }
                left -= piece.count
                return left >= 0
            }
            guard isFitting else { throw HTTPError.bodyTooLarge(limit: limit) }
        }
    }

    func abandon() { cursor.abandon() }
    func discard() async { await cursor.discard() }
    var trailers: HTTPHeaders? { cursor.body.trailers }
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
        guard let limit else { return self }
        var response = self
        response.originalRequest.delivery = .buffered(upTo: limit)
        // A short body may have come with its head.
        if let bytes = body.bytes, bytes.count <= limit { return response }
        response.body = HTTPBody(
            source: LimitedBodySource(body, upTo: limit), length: body.length)
        return response
    }
}
