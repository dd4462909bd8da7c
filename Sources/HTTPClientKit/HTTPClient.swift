public import HTTPCore
public import HTTPMiddleware
public import HTTPRetry
public import HTTPValidation

#if os(Linux)
    import HTTPTransportCurl
#else
    import HTTPTransportURLSession
#endif
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A session with everything around it that most programs want, in the one order that works
/// (Docs/Architecture.md).
///
/// ```swift
/// let client = try HTTPClient(baseURL: "https://api.example.com/v2", retry: .standard)
/// let user = try await client.get("users/1").json(User.self)
/// ```
///
/// Copies are the same client: they share their configuration, as it is and as it will be. Clients of
/// their own come from the initialisers and ``deriving(_:)``. Nothing is to be shut down: a client that is
/// dropped ends with its last call.
///
/// Unless told, it judges as ``HTTPValidation/HTTPDefaultValidator`` does, so that a 4xx or 5xx is thrown
/// as an `HTTPError` with the response's head and the first bytes of its body inside; it follows
/// redirects, and sends nothing twice.
public struct HTTPClient: HTTPSession {
    /// What answers below all policies.
    public let transport: any HTTPSession
    private let state: ClientState

    /// - Parameter transport: ``standardTransport`` unless told.
    public init(_ configuration: Configuration, transport: any HTTPSession = standardTransport) {
        self.transport = transport
        state = ClientState(configuration, transport)
    }

    /// - Parameters:
    ///   - baseURL: what relative requests are appended to, with one slash at the joint. Without it
    ///     they fail with `invalidRequest`.
    ///   - headers: as ``Configuration/headers``.
    ///   - configure: for all the rest.
    public init(
        baseURL: URL? = nil, transport: any HTTPSession = standardTransport,
        headers: HTTPHeaders = [:],
        validators: [any HTTPValidator] = [HTTPDefaultValidator()], retry: RetryPolicy = .none,
        redirects: Redirects = Redirects(),
        authentication: [any HTTPClientMiddleware] = [],
        configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration()
        configuration.baseURL = baseURL
        configuration.headers = headers
        configuration.validators = validators
        configuration.retry = retry
        configuration.redirects = redirects
        configuration.authentication = authentication
        configure(&configuration)
        self.init(configuration, transport: transport)
    }

    /// As ``init(baseURL:transport:headers:validators:retry:redirects:authentication:configure:)``.
    ///
    /// - Throws: `invalidRequest` when `baseURL` is no URL to the letter of RFC 3986, or has no origin.
    public init(
        baseURL: String, transport: any HTTPSession = standardTransport,
        headers: HTTPHeaders = [:],
        validators: [any HTTPValidator] = [HTTPDefaultValidator()], retry: RetryPolicy = .none,
        redirects: Redirects = Redirects(),
        authentication: [any HTTPClientMiddleware] = [],
        configure: (inout Configuration) -> Void = { _ in }
    ) throws(HTTPError) {
        self.init(
            baseURL: try BaseURL(HTTPRequest(baseURL).url).url, transport: transport,
            headers: headers, validators: validators, retry: retry, redirects: redirects,
            authentication: authentication, configure: configure)
    }

    /// Without base URL, for requests that need nothing of their own.
    public static let shared = HTTPClient()

    #if os(Linux)
        /// One for the process, so that clients share its connections: libcurl.
        public static let standardTransport: any HTTPSession = CurlTransport()
    #else
        /// One for the process, so that clients share its connections: URLSession.
        public static let standardTransport: any HTTPSession = URLSessionTransport()
    #endif

    /// Answers by the configuration as it is now; what changes meanwhile is for calls that begin
    /// later, but for ``Configuration/headers``, which every attempt reads anew.
    ///
    /// - Throws: `HTTPError` where there is no response, or none that the validators accept;
    ///   `unsupportedOption`, before anything is sent, where the configuration asks for what does not
    ///   exist yet; `CancellationError`.
    @concurrent public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        try await state.assembly.response(for: request, entering: state.entrance)
    }

    /// As ``response(for:)``, inside layers of the caller's: unlike a chain around the client, they see
    /// the call as the client begins it, absolute and with its clock and observer.
    func response(
        for request: HTTPRequest, through layers: [any HTTPClientMiddleware]
    ) async throws -> HTTPResponse {
        try await state.assembly.response(
            for: request, entering: state.entrance, through: layers)
    }
}

extension HTTPClient {
    /// As it is now. To change it: ``update(_:)``.
    public var configuration: Configuration { state.assembly.configuration }

    /// As ``Configuration/headers``, as they are now.
    public var headers: HTTPHeaders { configuration.headers }

    /// Changes the configuration at one stroke: no call sees a part of it. Calls under way go on by
    /// the one that they began with, but for the headers.
    ///
    /// - Parameter change: runs alone, under a lock: it must not call `update` of the same client. A
    ///   throw changes nothing.
    public func update<Result, Failure: Error>(
        _ change: (inout Configuration) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.update(change)
    }

    /// Another client over the same transport, with a configuration that begins as this one's and then
    /// goes its own way. What is a reference in it stays shared, such as permits and retry budgets.
    public func deriving(_ change: (inout Configuration) -> Void) -> HTTPClient {
        var configuration = configuration
        change(&configuration)
        return HTTPClient(configuration, transport: transport)
    }
}

/// What the copies of a client share.
private final class ClientState: Sendable {
    private let transport: any HTTPSession
    private let defaults: LiveDefaults
    private let coalescing = Coalescing(.alwaysCreateNew)
    private let current: Locked<ClientAssembly>
    private let turn = Locked(())
    let entrance = ClientEntrance()

    init(_ configuration: HTTPClient.Configuration, _ transport: any HTTPSession) {
        self.transport = transport
        defaults = LiveDefaults(configuration)
        current = Locked(ClientAssembly(configuration, transport, defaults, coalescing))
        entrance.lead(to: self)
    }

    var assembly: ClientAssembly { current.withLock { $0 } }

    func update<Result, Failure: Error>(
        _ change: (inout HTTPClient.Configuration) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try turn.withLock { _ throws(Failure) in
            var configuration = assembly.configuration
            let result = try change(&configuration)
            let new = ClientAssembly(configuration, transport, defaults, coalescing)
            // Calls that begin between the two are calls that began before.
            defaults.replace(by: configuration)
            // The old one ends outside the lock.
            _ = current.withLock { current in
                let old = current
                current = new
                return old
            }
            return result
        }
    }
}

/// Where the requests enter that a client's layers send for a call's sake: at the top.
///
/// Does not keep the client: the requests of a call carry it, and whoever keeps those, such as an observer,
/// would keep itself.
final class ClientEntrance: HTTPSession {
    private struct Goal {
        weak var state: ClientState?
    }

    private let goal = Locked(Goal())

    fileprivate func lead(to state: ClientState) { goal.withLock { $0.state = state } }

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        guard let state = goal.withLock({ $0.state }) else {
            throw HTTPError(.sessionClosed, "the client is gone that the call was made by")
        }
        return try await state.assembly.response(for: request, entering: self)
    }
}
