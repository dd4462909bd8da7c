public import HTTPCore
import HTTPFormats
import HTTPRetry
public import HTTPValidation

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A request, and the session that is to answer it: what `client.get("users/1")` gives.
///
/// A description: nothing is sent until it is asked for an answer, and each time it is asked it is sent. What
/// is wrong with the request is thrown then. Answers have their body in memory, read inside the attempt;
/// to read it as it arrives there is ``withResponse(_:)``.
public struct HTTPBoundRequest: Sendable {
    public let session: any HTTPSession
    private let request: Result<HTTPRequest, any Error>

    init(_ session: any HTTPSession, _ make: () throws -> HTTPRequest) {
        self.session = session
        request = Result { try make() }
    }

    /// The same with a changed request: `client.get("u").with { try $0.json(user) }`.
    ///
    /// - Parameter change: what it throws is thrown when an answer is asked for.
    public func with(_ change: (HTTPRequest) throws -> HTTPRequest) -> HTTPBoundRequest {
        HTTPBoundRequest(session) { try change(try request.get()) }
    }
}

extension HTTPBoundRequest: HTTPRequestConvertible {
    public var httpRequest: HTTPRequest { get throws { try request.get() } }
}

// MARK: - What requests are given most

extension HTTPBoundRequest {
    /// As `HTTPRequest.header(_:_:)`.
    public func header(_ name: HTTPHeaderName, _ value: String?) -> HTTPBoundRequest {
        with { $0.header(name, value) }
    }

    /// As `HTTPRequest.query(_:)`.
    public func query(_ parameters: [String: Any?]) -> HTTPBoundRequest {
        with { $0.query(parameters) }
    }

    /// As `HTTPRequest.query(_:_:)`.
    public func query(_ name: String, _ value: Any?) -> HTTPBoundRequest {
        with { $0.query(name, value) }
    }

    /// Limits each exchange, as `HTTPRequest.timeout(_:)`; a deadline limits the call.
    public func timeout(_ duration: Duration) -> HTTPBoundRequest { with { $0.timeout(duration) } }

    /// As `HTTPRequest.maxRetries(_:)`.
    public func maxRetries(_ count: Int) -> HTTPBoundRequest { with { $0.maxRetries(count) } }
}

// MARK: - Answers

extension HTTPBoundRequest {
    /// The response, its body in memory.
    @discardableResult
    @concurrent public func response() async throws -> HTTPResponse {
        try await session.response(HTTPResponse.self, for: self)
    }

    @concurrent public func data() async throws -> Data {
        try await session.response(Data.self, for: self)
    }

    @concurrent public func text() async throws -> String {
        try await session.response(String.self, for: self)
    }

    /// The body decoded from JSON; `HTTPJSON.self` for any JSON.
    @concurrent public func json<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) async throws -> Value {
        try await session.response(type, decoder: decoder, for: self)
    }

    /// The response as a type that makes itself of one.
    @concurrent public func value<Value: HTTPResponseConvertible>(
        _ type: Value.Type = Value.self
    ) async throws -> Value {
        try await session.response(type, for: self)
    }

    /// The body as one of two types, for services that explain their refusals.
    @concurrent public func answer<Success, ErrorResponse>(
        _ success: Success.Type, orError errorResponse: ErrorResponse.Type,
        decoder: JSONDecoder = JSONDecoder()
    ) async -> HTTPAnswer<Success, ErrorResponse>
    where Success: Decodable & Sendable, ErrorResponse: Decodable & Sendable {
        await session.answer(success, orError: errorResponse, for: self, decoder: decoder)
    }

    /// Lends the response to `read`, to be read as it arrives.
    public func withResponse<Result>(
        _ read: (HTTPResponse) async throws -> Result
    ) async throws -> Result {
        try await session.withResponse(for: self, read)
    }
}
