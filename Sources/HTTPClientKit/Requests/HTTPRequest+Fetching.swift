public import HTTPCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension HTTPRequest {
    /// The response, its body in memory: `try await HTTPRequest("https://example.com/").fetch()`.
    ///
    /// - Throws: as ``HTTPClient/response(for:)``; `bodyTooLarge` beyond the request's limit.
    @discardableResult
    @concurrent public func fetch(
        _ session: any HTTPSession = HTTPClient.shared
    ) async throws -> HTTPResponse {
        try await session.response(HTTPResponse.self, for: self)
    }

    /// The body decoded from JSON. A response that is not accepted is thrown as what it is, never as a
    /// failure to decode.
    @concurrent public func fetch<Value: Decodable & Sendable>(
        _ session: any HTTPSession = HTTPClient.shared, _ type: Value.Type,
        decoder: JSONDecoder = JSONDecoder()
    ) async throws -> Value {
        try await session.response(type, decoder: decoder, for: self)
    }

    /// The response as a type that makes itself of one, such as `String` and `Data`.
    @concurrent public func fetch<Value: HTTPResponseConvertible>(
        _ session: any HTTPSession = HTTPClient.shared, _ type: Value.Type
    ) async throws -> Value {
        try await session.response(type, for: self)
    }
}
