public import HTTPCore
public import HTTPFormats
public import HTTPValidation

/// A call of a service as a small type: where it goes, what it sends, and the two types that the service
/// answers with.
///
/// ```swift
/// struct Feed: HTTPGetEndpoint {
///     typealias Success = [Post]
///     typealias ErrorResponse = ServiceError
///     var page: Int
///     var route: String { "feed" }
///     var query: [String: Any?] { ["page": page] }
/// }
///
/// let posts = try await Feed(page: 2).fetch(client)
/// ```
///
/// Everything else comes from ``defaults``, which a project gives its endpoints at one place, and from
/// ``configure(_:)``, by which one endpoint differs. Conform to one of ``HTTPGetEndpoint``,
/// ``HTTPPostEndpoint``, ``HTTPPutEndpoint``, ``HTTPPatchEndpoint`` and ``HTTPDeleteEndpoint``, or say the
/// ``method`` yourself.
public protocol HTTPEndpoint: Sendable {
    /// What a successful answer is decoded as, from JSON; `String`, `Data` and your own
    /// `HTTPResponseConvertible` types make themselves of it.
    associatedtype Success: Decodable & Sendable
    /// What the service explains itself with; give it a required member, or any JSON is one.
    associatedtype ErrorResponse: Decodable & Sendable = HTTPJSON

    var method: HTTPMethod { get }
    /// A URL, absolute or relative to the client's base, to the letter of RFC 3986.
    var route: String { get }
    /// Parameters after those that ``route`` has, encoded, in the order of their names; none unless told.
    var query: [String: Any?] { get }
    /// None unless told. ``HTTPBodyEndpoint`` makes it of a value.
    func content(
        for configuration: HTTPEndpointConfiguration
    ) throws -> HTTPRequestContent
    /// What the endpoints of a project have in common; ``HTTPEndpointConfiguration/standard`` unless told.
    var defaults: HTTPEndpointConfiguration { get }
    /// Changes the ``defaults`` for this endpoint; nothing unless told.
    func configure(_ configuration: inout HTTPEndpointConfiguration)
}

extension HTTPEndpoint {
    public var query: [String: Any?] { [:] }
    public var defaults: HTTPEndpointConfiguration { .standard }
    public func configure(_ configuration: inout HTTPEndpointConfiguration) {}
    public func content(
        for configuration: HTTPEndpointConfiguration
    ) throws -> HTTPRequestContent { .empty }

    /// The ``defaults`` as this endpoint has them.
    public var configuration: HTTPEndpointConfiguration {
        var configuration = defaults
        configure(&configuration)
        return configuration
    }

    /// The request as it is before interceptors. The content is made first, so that what cannot be encoded
    /// is what is thrown.
    public func makeRequest() throws -> HTTPRequest { try makeRequest(configuration) }

    func makeRequest(_ configuration: HTTPEndpointConfiguration) throws -> HTTPRequest {
        let content = try content(for: configuration)
        var request = try content.put(HTTPRequest(method, "/")).route(route)
        let query = query
        if !query.isEmpty { request = request.addingQuery(query) }
        if let timeout = configuration.timeout { request.timeouts.total = .after(timeout) }
        if let maxRetries = configuration.maxRetries { request.maxRetries = maxRetries }
        request.cachePolicy = configuration.cachePolicy
        return request
    }
}

// MARK: - Asking

extension HTTPEndpoint {
    /// The service's answer, an error or neither; exactly one of the three.
    ///
    /// - Parameter session: in place of the configuration's, such as a mock.
    @concurrent public func answer(
        _ session: (any HTTPSession)? = nil
    ) async -> HTTPAnswer<Success, ErrorResponse> {
        let configuration = configuration
        let request: HTTPRequest
        do {
            request = try makeRequest(configuration)
        } catch {
            return .failure(error)
        }
        let entry = EndpointSession(session ?? configuration.session, configuration)
        return await entry.answer(
            Success.self, orError: ErrorResponse.self, for: request, decoder: configuration.decoder)
    }

    /// As ``answer(_:)``, throwing what is no success: for an error of the service an `HTTPError` with that
    /// inside.
    @concurrent public func fetch(_ session: (any HTTPSession)? = nil) async throws -> Success {
        try await answer(session).get()
    }
}
