import HTTPCore

extension HTTPResponse {
    /// Returns whether the body is empty, and a response whose body begins with the first byte.
    /// Waits for the first bytes if the length is unknown.
    func peeking() async throws -> (isEmpty: Bool, HTTPResponse) {
        if let length = body.length { return (length == 0, self) }
        var iterator = body.makeAsyncIterator()
        guard let first = try await iterator.next() else { return (true, self) }
        var response = self
        response.body = HTTPBody(
            source: WrappingBodySource(
                body, HTTPBodyHooks(), continuing: iterator, after: first))
        return (false, response)
    }
}
