#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Anything that answers a request: a transport, a mock, a chain of middleware around either.
public protocol HTTPSession: Sendable {
    /// Answers `request` as soon as the response's head has arrived; the body follows as it is read.
    /// Under ``HTTPDelivery/buffered(upTo:)`` it answers when the body is complete, too.
    ///
    /// Cancelling the calling task aborts the exchange and frees its connection.
    ///
    /// - Throws: ``HTTPError`` if no response arrived, or `CancellationError`.
    func response(for request: HTTPRequest) async throws -> HTTPResponse
}

extension HTTPSession {
    /// Answers whatever can be turned into a request.
    ///
    /// `any`, not `some`: a generic method would itself witness the protocol's requirement, and an
    /// empty conformance would compile and call itself for ever.
    public func response(for request: any HTTPRequestConvertible) async throws -> HTTPResponse {
        try await response(for: try request.httpRequest)
    }

    /// Answers with the whole body turned into a `Value`, read inside the attempt.
    ///
    /// - Throws: as ``response(for:)-(HTTPRequest)``, and `decodingFailed`, `bodyTooLarge` (16 MiB,
    ///   unless the request's delivery says otherwise) or what broke the body.
    @concurrent public func response<Value: HTTPResponseConvertible>(
        _ type: Value.Type, for request: any HTTPRequestConvertible
    ) async throws -> Value {
        try await Value.convert(from: try await bufferedResponse(for: request))
    }

    /// Answers with the whole body decoded from JSON, read inside the attempt.
    @_disfavoredOverload
    @concurrent public func response<Value: Decodable & Sendable>(
        _ type: Value.Type, for request: any HTTPRequestConvertible
    ) async throws -> Value {
        try await bufferedResponse(for: request).json(Value.self)
    }

    @available(*, unavailable, message: "import HTTPFormats, which reads text in its charset")
    public func response(
        _ type: String.Type, for request: any HTTPRequestConvertible
    ) async throws -> String {
        try await bufferedResponse(for: request).json(type)
    }

    /// As above, by a decoder of yours: its date and key strategies, its user info.
    @concurrent public func response<Value: Decodable & Sendable>(
        _ type: Value.Type, decoder: JSONDecoder, for request: any HTTPRequestConvertible
    ) async throws -> Value {
        try await bufferedResponse(for: request).json(type, decoder: decoder)
    }

    private func bufferedResponse(
        for convertible: any HTTPRequestConvertible
    ) async throws -> HTTPResponse {
        var request = try convertible.httpRequest
        if case .streamed = request.delivery {
            request.delivery = .buffered(upTo: HTTPBody.defaultLimit)
        }
        return try await response(for: request)
    }

    /// Answers, lends the response to `read`, and gives back what it held: what `read` leaves of
    /// the body is discarded when it returns, and abandoned when it throws.
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
