/// Anything that answers a request: a transport, a mock, a chain of middleware around either.
public protocol HTTPSession: Sendable {
    /// Sends `request` and returns the response as soon as its head has arrived; the body follows
    /// as it is read.
    ///
    /// With ``HTTPDelivery/buffered(upTo:)``, returns once the body is complete as well.
    ///
    /// Cancelling the calling task aborts the exchange and frees its connection.
    ///
    /// - Throws: ``HTTPError`` if no response arrived, or `CancellationError`.
    func response(for request: HTTPRequest) async throws -> HTTPResponse
}

extension HTTPSession {
    /// Sends a value that can be converted to a request, and returns the response.
    ///
    /// The parameter is `any`, not `some`: a generic method would itself witness the protocol's
    /// requirement, and an empty conformance would compile and call itself forever.
    public func response(for request: any HTTPRequestConvertible) async throws -> HTTPResponse {
        try await response(for: try request.httpRequest)
    }

    /// Returns the whole response converted to a `Value`; the body is read inside the attempt.
    ///
    /// - Throws: The errors of ``response(for:)-(HTTPRequest)``, `decodingFailed`, `bodyTooLarge`
    ///   (more than 16 MiB, unless the request's delivery sets another limit), or the error that
    ///   ended the body.
    @concurrent public func response<Value: HTTPResponseConvertible>(
        _ type: Value.Type, for request: any HTTPRequestConvertible
    ) async throws -> Value {
        try await Value.convert(from: try await bufferedResponse(for: request))
    }

    /// Sends a value that can be converted to a request, and returns the response with its body in
    /// memory.
    package func bufferedResponse(
        for convertible: any HTTPRequestConvertible
    ) async throws -> HTTPResponse {
        try await response(for: try convertible.httpRequest.readWhole)
    }

    /// Sends a request, calls `read` with the response, and then releases the connection.
    ///
    /// Discards the rest of the body when `read` returns, and abandons it when `read` throws.
    public func withResponse<Result>(
        for request: any HTTPRequestConvertible,
        _ read: (HTTPResponse) async throws -> Result
    ) async throws -> Result {
        let response = try await response(for: try request.httpRequest)
        do {
            let result = try await read(response)
            await response.discard()
            return result
        } catch {
            response.body.abandon()
            throw error
        }
    }
}
