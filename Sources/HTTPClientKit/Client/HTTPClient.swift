public import HTTPCaching
public import HTTPCookies
public import HTTPCore
public import HTTPMiddleware
public import HTTPRetry
public import HTTPValidation
public import PortableFoundation

#if os(Linux)
    import HTTPTransportCurl
#else
    import HTTPTransportURLSession
#endif

/// A session with the layers that most programs need, in the one order that works
/// (Docs/Architecture.md).
///
/// ```swift
/// let client = try HTTPClient(baseURL: "https://api.example.com/v2", retry: .standard)
/// let user = try await client.get("users/1").json(User.self)
/// ```
///
/// Copies are the same client: they share their configuration and all later changes to it. The
/// initialisers and ``deriving(_:)`` create independent clients. A client needs no shutdown: after
/// its last copy is released, it ends with its last call.
///
/// By default, ``/HTTPValidation/HTTPDefaultValidator`` checks responses, so that a 4xx or 5xx is
/// thrown as an `HTTPError` with the response's head and the first bytes of its body inside. The
/// client follows redirects and retries nothing.
public struct HTTPClient: HTTPClosableSession, HTTPCallBeginning, ClosingSession {
    /// The session below all layers.
    public let transport: any HTTPSession
    private let state: ClientState

    /// - Parameters:
    ///   - configuration: The settings. The client keeps a copy.
    ///   - transport: ``standardTransport`` by default.
    public init(_ configuration: Configuration, transport: any HTTPSession = standardTransport) {
        self.transport = transport
        state = ClientState(configuration.detached, transport)
    }

    /// - Parameters:
    ///   - baseURL: The URL that relative requests are appended to, with exactly one slash between.
    ///     Without it, they fail with `invalidRequest`.
    ///   - transport: The session below all layers.
    ///   - headers: See ``Configuration/headers``.
    ///   - validators: The validators, in order; none accepts every response.
    ///   - retry: The retry policy.
    ///   - redirects: The rules for redirects.
    ///   - authentication: The layers of authentication, the first outermost.
    ///   - cookies: The jar of cookies; `nil` for none.
    ///   - cache: The cache; `nil` for none.
    ///   - configure: Sets all other members of the configuration.
    public init(
        baseURL: URL? = nil, transport: any HTTPSession = standardTransport,
        headers: HTTPHeaders = [:],
        validators: [any HTTPValidator] = [HTTPDefaultValidator()], retry: RetryPolicy = .none,
        redirects: Redirects = Redirects(),
        authentication: [any HTTPClientMiddleware] = [], cookies: HTTPCookieJar? = nil,
        cache: HTTPCache? = nil, configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration()
        configuration.baseURL = baseURL
        configuration.headers = headers
        configuration.validators = validators
        configuration.retry = retry
        configuration.redirects = redirects
        configuration.authentication = authentication
        configuration.cookies = cookies
        configuration.cache = cache
        configure(&configuration)
        self.init(configuration, transport: transport)
    }

    /// The same as the initializer with a `URL`, but from a string.
    ///
    /// - Throws: `invalidRequest` if `baseURL` is not a valid URL (RFC 3986) or has no origin.
    public init(
        baseURL: String, transport: any HTTPSession = standardTransport,
        headers: HTTPHeaders = [:],
        validators: [any HTTPValidator] = [HTTPDefaultValidator()], retry: RetryPolicy = .none,
        redirects: Redirects = Redirects(),
        authentication: [any HTTPClientMiddleware] = [], cookies: HTTPCookieJar? = nil,
        cache: HTTPCache? = nil, configure: (inout Configuration) -> Void = { _ in }
    ) throws(HTTPError) {
        self.init(
            baseURL: try BaseURL(HTTPRequest(baseURL).url).url, transport: transport,
            headers: headers, validators: validators, retry: retry, redirects: redirects,
            authentication: authentication, cookies: cookies, cache: cache,
            configure: configure)
    }

    /// A client without a base URL, for requests that need no configuration.
    public static let shared = HTTPClient()

    #if os(Linux)
        /// The transport that clients of this process share, with its connections: libcurl.
        public static let standardTransport: any HTTPSession = CurlTransport()
    #else
        /// The transport that clients of this process share, with its connections: URLSession.
        public static let standardTransport: any HTTPSession = URLSessionTransport()
    #endif

    /// Returns the response according to the current configuration. Later changes apply to calls
    /// that begin after them, except for ``Configuration/headers``, which every attempt reads
    /// again.
    ///
    /// - Throws: `HTTPError` if there is no response or the validators do not accept it;
    ///   `unsupportedOption`, before anything is sent, if the configuration asks for something that
    ///   is not supported yet; `CancellationError`.
    @inline(__always)
    @concurrent public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        try await state.assembly.response(for: request, entering: state.entrance)
    }

    /// Returns `request` as its call begins: absolute, with the client's query, limits, clock and
    /// observer. Middleware around the client sees it like this.
    ///
    /// - Throws: `HTTPError`: `invalidRequest` if the URL is not valid, `sessionClosed`.
    public func beginningCall(for request: HTTPRequest) throws -> HTTPRequest {
        guard request.call == nil else { return request }
        return try state.assembly.beginningCall(for: request, entering: state.entrance)
    }
}

extension HTTPClient {
    /// A copy of the current configuration. To change the client, use ``update(_:)``.
    public var configuration: Configuration { state.assembly.configuration.detached }

    var clientFormats: ClientFormats { state.assembly.formats }

    package var closing: Closing { state.entrance.closing }

    /// Changes the configuration in one step: no call sees a part of the change. Calls under way
    /// continue with the configuration that they began with, except for the headers. A call with
    /// middleware around the client enters it anew with each request that the middleware sends.
    ///
    /// - Parameter change: Runs alone, under a lock: it must not call `update` of the same client.
    ///   If it throws, nothing is changed.
    public func update<Result, Failure: Error>(
        _ change: (inout Configuration) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.update(change)
    }

    /// Returns another client over the same transport, with an independent configuration that
    /// begins as a copy of this one's. References in it stay shared, such as permits and retry
    /// budgets.
    public func deriving(_ change: (inout Configuration) -> Void) -> HTTPClient {
        var configuration = configuration
        change(&configuration)
        return HTTPClient(configuration, transport: transport)
    }
}

extension HTTPClient {
    /// Refuses new calls with `sessionClosed`, and closes the transport if it can be closed: it
    /// waits for exchanges under way and for bodies that have not ended. A call that waits before
    /// it is sent, or sent again, fails with `sessionClosed` at once.
    ///
    /// The transport is closed for all clients over it. ``standardTransport`` stays open, since the
    /// whole process shares it: over it, exchanges under way go on, and this method returns at
    /// once.
    ///
    /// Then saves the cookies of a jar with a file, which takes up to ten seconds while another
    /// process saves. The jar stays open, since others may share it: close it yourself to learn of
    /// an error, and for the cookies of calls that go on.
    ///
    /// Copies of the client are closed, too. Cancelling the calling task ends the grace at once.
    ///
    /// - Parameter grace: how long exchanges under way may last; then they fail with
    ///   `sessionClosed`.
    public func close(grace: Duration = .seconds(10)) async {
        state.close()
        closing.close()
        let isShared = (transport as AnyObject) === (Self.standardTransport as AnyObject)
        if !isShared, let transport = transport as? any HTTPClosableSession {
            await transport.close(grace: grace)
        }
        // After the last response, which may have set a cookie.
        if let cookies = configuration.cookies { try? await cookies.save() }
    }
}

extension HTTPClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "client with \(configuration)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["transport": "\(type(of: transport))", "configuration": configuration])
    }
}

/// The state that the copies of a client share.
private final class ClientState: Sendable {
    private let transport: any HTTPSession
    private let defaults: LiveDefaults
    private let coalescing = Coalescing(.alwaysCreateNew)
    private let current: Locked<ClientAssembly>
    /// Held by the one that changes the client at the time; `true` once it is closed.
    private let turn = Locked(false)
    let entrance: ClientEntrance

    init(_ configuration: HTTPClient.Configuration, _ transport: any HTTPSession) {
        self.transport = transport
        entrance = ClientEntrance(over: transport)
        defaults = LiveDefaults(configuration)
        current = Locked(
            ClientAssembly(configuration, transport, defaults, coalescing, isClosed: false))
        entrance.lead(to: self)
    }

    var assembly: ClientAssembly { current.withLock { $0 } }

    func update<Result, Failure: Error>(
        _ change: (inout HTTPClient.Configuration) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try turn.withLock { isClosed throws(Failure) in
            var configuration = assembly.configuration.detached
            let result = try change(&configuration)
            replace(by: configuration.detached, isClosed: isClosed)
            return result
        }
    }

    func close() {
        turn.withLock { isClosed in
            isClosed = true
            replace(by: assembly.configuration, isClosed: true)
        }
    }

    private func replace(by configuration: HTTPClient.Configuration, isClosed: Bool) {
        let new = ClientAssembly(
            configuration, transport, defaults, coalescing, isClosed: isClosed)
        // A call that begins between the two changes counts as begun before.
        defaults.replace(by: configuration)
        // The old assembly is released outside the lock.
        _ = current.withLock { current in
            let old = current
            current = new
            return old
        }
    }
}

/// The session to which a client's layers send requests of their own during a call. They enter the
/// client at the top.
///
/// The reference to the client is weak: the requests of a call carry the entrance, and an object
/// that retains a request, such as an observer, would otherwise retain itself.
final class ClientEntrance: HTTPSession {
    private struct Goal {
        weak var state: ClientState?
    }

    private let goal = Locked(Goal())
    let closing: Closing

    init(over transport: any HTTPSession) { closing = Closing(over: transport.knownClosing) }

    fileprivate func lead(to state: ClientState) { goal.withLock { $0.state = state } }

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        guard let state = goal.withLock({ $0.state }) else {
            throw HTTPError(.sessionClosed, "the client of this call no longer exists")
        }
        return try await state.assembly.response(for: request, entering: self)
    }
}
