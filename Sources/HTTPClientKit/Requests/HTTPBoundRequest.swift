public import HTTPCore
import HTTPFormats
import HTTPRetry
public import HTTPValidation

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A request and the session that sends it: the result of `client.get("users/1")`.
///
/// It is a description: nothing is sent until a response is requested, and each such call sends the
/// request. An invalid request throws then. The body of a response is in memory, read inside the
/// attempt. To read it as it arrives, use ``withResponse(_:)``.
public struct HTTPBoundRequest: Sendable {
    private let call: CallDescription

    init(_ session: any HTTPSession, _ make: () throws -> HTTPRequest) {
        call = CallDescription(session, request: Result { try make() }.get)
    }

    package var session: any HTTPSession { call.session }

    /// Returns the same with a changed request: `client.get("u").with { try $0.json(user) }`.
    ///
    /// - Parameter change: If it throws, the error is thrown when a response is requested.
    public func with(_ change: (HTTPRequest) throws -> HTTPRequest) -> HTTPBoundRequest {
        HTTPBoundRequest(session) { try change(try call.request()) }
    }
}

extension HTTPBoundRequest: HTTPRequestConvertible {
    public var httpRequest: HTTPRequest { get throws { try call.request() } }
}

// MARK: - Common request settings

extension HTTPBoundRequest {
    /// Sets a header field. See `HTTPRequest.header(_:_:)`.
    public func header(_ name: HTTPHeaderName, _ value: String?) -> HTTPBoundRequest {
        with { $0.header(name, value) }
    }

    /// Sets the query parameters. See `HTTPRequest.query(_:)`.
    public func query(_ parameters: [String: Any?]) -> HTTPBoundRequest {
        with { $0.query(parameters) }
    }

    /// Sets a query parameter. See `HTTPRequest.query(_:_:)`.
    public func query(_ name: String, _ value: Any?) -> HTTPBoundRequest {
        with { $0.query(name, value) }
    }

    /// Limits each exchange, as `HTTPRequest.timeout(_:)` does; a deadline limits the call.
    public func timeout(_ duration: Duration) -> HTTPBoundRequest { with { $0.timeout(duration) } }

    /// Limits the retries. See `HTTPRequest.maxRetries(_:)`.
    public func maxRetries(_ count: Int) -> HTTPBoundRequest { with { $0.maxRetries(count) } }
}

// MARK: - Responses

extension HTTPBoundRequest {
    /// Returns the response with its body in memory.
    @discardableResult
    @concurrent public func response() async throws -> HTTPResponse {
        try await call.entry.response(HTTPResponse.self, for: call)
    }

    @concurrent public func data() async throws -> Data {
        try await call.entry.response(Data.self, for: call)
    }

    @concurrent public func text() async throws -> String {
        try await call.entry.response(String.self, for: call)
    }

    /// Returns the body decoded from JSON; `HTTPJSON.self` accepts any JSON.
    @concurrent public func json<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) async throws -> Value {
        try await call.entry.response(type, decoder: decoder, for: call)
    }

    /// Returns a value of a type that can be made from a response.
    @concurrent public func value<Value: HTTPResponseConvertible>(
        _ type: Value.Type = Value.self
    ) async throws -> Value {
        try await call.entry.response(type, for: call)
    }

    /// Returns the body as one of two types, for services that describe their errors.
    @concurrent public func answer<Success, ErrorResponse>(
        _ success: Success.Type, orError errorResponse: ErrorResponse.Type,
        decoder: JSONDecoder = JSONDecoder()
    ) async -> HTTPAnswer<Success, ErrorResponse>
    where Success: Decodable & Sendable, ErrorResponse: Decodable & Sendable {
        await call.entry.answer(success, orError: errorResponse, for: call, decoder: decoder)
    }

    /// Passes the response to `read`, which can read the body as it arrives.
    public func withResponse<Result>(
        _ read: (HTTPResponse) async throws -> Result
    ) async throws -> Result {
        try await call.session.withResponse(for: self, read)
    }
}
