import HTTPCore
import PortableFoundation

extension HTTPResponse {
    /// Returns whether the body is empty, and a response whose body begins with the first byte.
    /// Waits for the first bytes if the length is unknown.
    func peeking() async throws -> (isEmpty: Bool, HTTPResponse) {
        if let length = body.length { return (length == 0, self) }
        let peeked = PeekedBody(body)
        guard try await peeked.peek() else { return (true, self) }
        var response = self
        response.body = HTTPBody(source: peeked)
        return (false, response)
    }
}

/// A body whose first bytes have been read ahead.
private final class PeekedBody: HTTPBodySource {
    private let body: HTTPBody
    private let iterator: Locked<HTTPBody.AsyncIterator?>
    private let first = Locked<Data?>(nil)

    init(_ body: HTTPBody) {
        self.body = body
        self.iterator = Locked(nil)
    }

    /// Returns whether there are any bytes.
    func peek() async throws -> Bool {
        let piece = try await read()
        first.withLock { $0 = piece }
        return piece != nil
    }

    func next() async throws -> Data? {
        let first = first.withLock { $0.take() }
        if let first { return first }
        return try await read()
    }

    private func read() async throws -> Data? {
        // A copy continues where the original is.
        var iterator = iterator.withLock { current in
            let iterator = current ?? body.makeAsyncIterator()
            current = iterator
            return iterator
        }
        let piece = try await iterator.next()
        self.iterator.withLock { [iterator] in $0 = iterator }
        return piece
    }

    func abandon() { body.abandon() }
    func discard() async { await body.discard() }
    var trailers: HTTPHeaders? { body.trailers }
}
