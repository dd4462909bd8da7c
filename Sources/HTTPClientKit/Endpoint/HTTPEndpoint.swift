public import HTTPCore
public import HTTPFormats
public import HTTPValidation

/// A call of a service as a small type: where it goes, what it sends, and the types of the
/// service's responses to success and failure.
///
/// ```swift
/// struct Feed: HTTPGetEndpoint {
///     typealias Success = [Post]
///     typealias ErrorResponse = ServiceError
///     var user: String
///     var page: Int
///     var route: HTTPRoute { "users/\(user)/feed" }
///     var query: [String: Any?] { ["page": page] }
/// }
///
/// let posts = try await Feed(user: "ada", page: 2).fetch(client)
/// ```
///
/// Everything else comes from ``defaults``, which a project defines once for its endpoints, and
/// from ``configure(_:)``, which changes them for one endpoint. Conform to one of
/// ``HTTPGetEndpoint``, ``HTTPPostEndpoint``, ``HTTPPutEndpoint``, ``HTTPPatchEndpoint`` and
/// ``HTTPDeleteEndpoint``, or declare the ``method`` yourself.
public protocol HTTPEndpoint: Sendable {
    /// The type that a successful response is decoded as, from JSON. `String`, `Data` and your own
    /// `HTTPResponseConvertible` types are made from the response directly.
    associatedtype Success: Decodable & Sendable
    /// The type that a service error is decoded as. Give it a required member; otherwise any JSON
    /// matches.
    associatedtype ErrorResponse: Decodable & Sendable = HTTPJSON
    /// The type of ``route``: `HTTPRoute`, in which the values of variables stay in their places,
    /// `String` or `URL`.
    associatedtype Route: HTTPRequestConvertible = HTTPRoute

    /// The method of the request. Protocols such as ``HTTPGetEndpoint`` give it.
    var method: HTTPMethod { get }
    /// A URL according to RFC 3986, absolute or relative to the client's base.
    var route: Route { get }
    /// Query parameters, encoded and added after those of ``route`` in the order of their names;
    /// none by default.
    var query: [String: Any?] { get }
    /// Header fields, which take precedence over those of the body and over the client's; none by
    /// default.
    var headers: HTTPHeaders { get }
    /// Returns the body; empty by default. ``HTTPBodyEndpoint`` makes it from a value.
    func content(
        for configuration: HTTPEndpointConfiguration
    ) throws -> HTTPRequestContent
    /// The settings that the endpoints of a project share; ``HTTPEndpointConfiguration/standard``
    /// by default.
    var defaults: HTTPEndpointConfiguration { get }
    /// Changes the ``defaults`` for this endpoint. Does nothing by default.
    func configure(_ configuration: inout HTTPEndpointConfiguration)
}

extension HTTPEndpoint {
    public var query: [String: Any?] { [:] }
    public var headers: HTTPHeaders { [:] }
    public var defaults: HTTPEndpointConfiguration { .standard }
    public func configure(_ configuration: inout HTTPEndpointConfiguration) {}
    public func content(
        for configuration: HTTPEndpointConfiguration
    ) throws -> HTTPRequestContent { .empty }

    /// The ``defaults`` with this endpoint's changes.
    public var configuration: HTTPEndpointConfiguration {
        var configuration = defaults
        configure(&configuration)
        return configuration
    }

    /// Returns the request before interceptors run. The content is made first: if it cannot be
    /// encoded, that error is thrown.
    ///
    /// - Parameter session: The session whose formats the content has; `nil` for that of the
    ///   configuration.
    public func makeRequest(for session: (any HTTPSession)? = nil) throws -> HTTPRequest {
        let configuration = configuration
        return try makeRequest(configuration, for: session ?? configuration.session)
    }

    func makeRequest(
        _ configuration: HTTPEndpointConfiguration, for session: any HTTPSession
    ) throws -> HTTPRequest {
        let content = try content(for: configuration)
        var request = try content.put(HTTPRequest(method, "/"), session.formats)
        request = request.replacingURL(try route.httpRequest.url)
        let query = query
        if !query.isEmpty { request = request.addingQuery(query) }
        let headers = headers
        for name in Set(headers.map(\.name)) { request = request.header(name, nil) }
        request.headers.append(contentsOf: headers)
        if let timeout = configuration.timeout { request.timeouts.total = .after(timeout) }
        if let maxRetries = configuration.maxRetries { request.maxRetries = maxRetries }
        if configuration.isRepeatable { request.isRepeatable = true }
        request.cachePolicy = configuration.cachePolicy
        return request
    }
}

// MARK: - Sending

extension HTTPEndpoint {
    /// Returns exactly one of three: the service's value, the service's error, or a failure.
    ///
    /// - Parameter session: Replaces the configuration's session, for example with a mock.
    @concurrent public func answer(
        _ session: (any HTTPSession)? = nil
    ) async -> HTTPAnswer<Success, ErrorResponse> {
        let configuration = configuration
        let session = session ?? configuration.session
        let call = CallDescription(session, layers: configuration.layers) {
            try makeRequest(configuration, for: session)
        }
        return await call.entry.answer(
            Success.self, orError: ErrorResponse.self, for: call, decoder: configuration.decoder)
    }

    /// Returns the value of ``answer(_:)`` or throws its failure. An error of the service is thrown
    /// as an `HTTPError` with the error inside.
    @concurrent public func fetch(_ session: (any HTTPSession)? = nil) async throws -> Success {
        try await answer(session).get()
    }
}
