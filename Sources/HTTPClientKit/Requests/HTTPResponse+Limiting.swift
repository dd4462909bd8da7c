import HTTPCore
import PortableFoundation

extension HTTPBody {
    /// Returns this body, which fails with `bodyTooLarge` once more than a number of bytes has
    /// come, or at once if it has announced more.
    fileprivate func limited(to limit: Int) -> HTTPBody {
        let left = Locked(Swift.max(0, limit))
        return wrapped(
            HTTPBodyHooks(
                reading: { [length] in
                    if let length, length > limit { throw HTTPError.bodyTooLarge(limit: limit) }
                },
                piece: { piece in
                    let isFitting = left.withLock { left in
                        left -= piece.count
                        return left >= 0
                    }
                    guard isFitting else { throw HTTPError.bodyTooLarge(limit: limit) }
                    return .bytes(piece)
                }))
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
        guard let limit else { return self }
        var response = self
        response.originalRequest.delivery = .buffered(upTo: limit)
        // A short body may have come with its head.
        if let bytes = body.bytes, bytes.count <= limit { return response }
        response.body = body.limited(to: limit)
        return response
    }
}
