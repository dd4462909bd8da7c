public import HTTPCore
public import PortableFoundation

extension HTTPRequest {
    /// Returns the response with its body in memory.
    ///
    /// For example: `try await HTTPRequest("https://example.com/").fetch()`.
    ///
    /// - Throws: The same as ``/HTTPClientKit/HTTPClient/response(for:)``; `bodyTooLarge` beyond
    ///   the request's limit.
    @discardableResult
    @concurrent public func fetch(
        _ session: any HTTPSession = HTTPClient.shared
    ) async throws -> HTTPResponse {
        try await session.response(HTTPResponse.self, for: self)
    }

    /// Returns the body decoded from JSON. If the response is not accepted, that error is thrown,
    /// never a decoding error.
    @concurrent public func fetch<Value: Decodable & Sendable>(
        _ session: any HTTPSession = HTTPClient.shared, _ type: Value.Type,
        decoder: JSONDecoder? = nil
    ) async throws -> Value {
        try await session.response(type, decoder: decoder, for: self)
    }

    /// Returns a value of a type that can be made from a response, such as `String` and `Data`.
    @concurrent public func fetch<Value: HTTPResponseConvertible>(
        _ session: any HTTPSession = HTTPClient.shared, _ type: Value.Type
    ) async throws -> Value {
        try await session.response(type, for: self)
    }
}
