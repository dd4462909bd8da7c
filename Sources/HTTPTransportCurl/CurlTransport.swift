import CHTTPTransportCurl
import HTTPCodings
public import HTTPCore
import Synchronization
import PortableFoundation

/// A session over libcurl, with an event loop on its own thread. All requests share kept
/// connections. The transport speaks HTTP/2 if the server does, and HTTP/3 if the request asks for
/// it or ``CurlConfiguration/http3-swift.property`` says so. Backpressure reaches down to the
/// socket.
///
/// Like every transport, it makes one exchange per request: it follows no redirects, retries
/// nothing and stores no cookies. It adds only the fields `Host`, `Content-Length` or
/// `Transfer-Encoding`, `Accept-Encoding` if it decodes, `Expect`, `Trailer` and `Connection` if
/// the request has these options, and `Alt-Used` for an announced service.
///
/// A transport needs no shutdown. A call in flight or a body that has not ended keeps the loop
/// running; the loop ends when neither is left and the transport is gone. In a child of `fork`,
/// every request fails with `sessionClosed`; create a new transport there.
///
/// The transport installs no signal handler, takes no signals on its thread, raises no `SIGPIPE`
/// and does nothing at import. Its descriptors are close-on-exec, except for the two of a wake-up
/// pair that libcurl before 8.8 creates for itself.
///
/// libcurl accepts a chunk size that is followed by other characters, which the transport cannot
/// detect.
///
/// libcurl itself sends a request again if a kept connection turns out to be dead before the first
/// byte of a response, and the transport does so over HTTP/3. This is counted
/// (``/HTTPCore/HTTPTimeline/Exchange/silentResends``). For methods that are not idempotent it is
/// refused, and the request fails with `connectionLost`.
public final class CurlTransport: HTTPClosableSession, ClosingSession {
    private struct State {
        /// The loops by number. Each is created when it is first needed.
        var loops: [EventLoop?] = []
        var isClosed = false
        /// The statistics of the loops that have ended.
        var past = CurlStatistics()
    }

    /// A limit on a request's head, in bytes. libcurl's own limit is 1 MiB and includes what it
    /// adds itself.
    private static let headLimit = (1 << 20) - (4 << 10)

    /// The options of requests that the transport honours.
    private static let knownOptions: [any HTTPTransportOption.Type] = [
        TLSSettings.self, AddressPolicy.self, ProxySettings.self, UnixSocket.self,
        ConnectTarget.self, LocalAddress.self, ConnectionClose.self, AcceptTrailers.self,
        ExpectContinue.self,
        RequestTrailers.self,
    ]

    private let settings: LoopSettings
    private var configuration: CurlConfiguration { settings.configuration }
    package var closing: Closing { settings.closing }
    private let contexts: TLSContexts
    /// The destinations of the texts of URLs, which are checked once.
    private let destinations = RecentTable<Destination>()
    private let state = Locked(State())

    /// Creates a transport with the default configuration.
    public init() {
        settings = LoopSettings(CurlConfiguration())
        contexts = TLSContexts(own: settings.configuration.tls)
    }

    /// Creates a transport.
    ///
    /// - Throws: `invalidRequest` if a setting is out of range or cannot be read,
    ///   `unsupportedOption` if the linked libcurl cannot honour a setting, or `internalFailure` if
    ///   libcurl does not start. The message names the setting.
    public init(_ configuration: CurlConfiguration) throws(HTTPError) {
        try configuration.check()
        settings = LoopSettings(configuration)
        contexts = TLSContexts(own: configuration.tls)
        let library = try CurlLibrary.loaded.get()
        if configuration.http3 == .whenAnnounced, let reason = library.reasonAgainstHTTP3 {
            throw Self.refusal(
                "the transport's configuration: http3 is .whenAnnounced, but \(reason)")
        }
        if library.hasTLS { _ = try contexts.context(for: nil, library) }
    }

    deinit {
        let loops = state.withLock { state in
            defer { state.loops = [] }
            return state.loops
        }
        for case let loop? in loops { _ = loop.post(.release) }
    }

    /// The libcurl of this process: its version, and what it can do.
    ///
    /// - Throws: `internalFailure` if the library does not start.
    public static var library: CurlLibrary {
        get throws(HTTPError) { try CurlLibrary.loaded.get() }
    }

    /// The number of libcurl's easy handles in the process, in use and pooled, for tests.
    package static var liveHandles: Int { CurlEasyHandle.liveCount.load(ordering: .relaxed) }

    /// Closes the session and returns when all connections are closed. New requests fail with
    /// `sessionClosed`. Running ones have time until `grace` has passed and then fail with it, too.
    /// Closing is not required: see ``CurlTransport``. Cancelling the calling task ends the grace
    /// at once.
    public func close(grace: Duration = .seconds(10)) async {
        // The loops stay until they have ended, so that a concurrent call of `close` waits for
        // them, too.
        let loops = state.withLock { state in
            state.isClosed = true
            return state.loops
        }
        destinations.close()
        closing.close()
        for case let loop? in loops { _ = loop.post(.close(grace)) }
        await withTaskCancellationHandler {
            for case let loop? in loops { await loop.ended() }
        } onCancel: {
            for case let loop? in loops { _ = loop.post(.close(.zero)) }
        }
        state.withLock { state in
            for case let loop? in state.loops { state.past += loop.lastStatistics }
            state.loops = []
        }
    }

    /// Returns what the transport has done so far and is doing. The event loops report it without
    /// waiting. After ``close(grace:)``, what it has done remains.
    public func statistics() async -> CurlStatistics {
        var (sum, loops) = state.withLock { ($0.past, $0.loops) }
        for case let loop? in loops {
            let waiter = Waiter<CurlStatistics>()
            guard loop.post(.statistics(waiter)) == nil else {
                await loop.ended()
                sum += loop.lastStatistics
                continue
            }
            if case .success(let statistics) = await waiter.outcome() { sum += statistics }
        }
        return sum
    }

    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        let request = try request.prepared()
        let library = try CurlLibrary.loaded.get()
        let destination = try destination(of: request, library)
        let limits = TimeLimits(request, session: settings.configuration.timeouts)
        if limits.deadline == .zero {
            throw limits.timedOut(.deadline, phase: .preparing, mayHaveReachedServer: false)
                .ending(request)
        }
        if limits.tls != nil, destination.route.tls != nil, !library.tls.showsHandshakes {
            throw library.tls.refusal(of: "timeouts.tls").ending(request)
        }
        try Task.checkCancellation()
        if !request.body.isBytes, request.body.length == 0 {
            try await Self.checkEmptiness(request)
        }

        let exchange = Exchange(
            request, to: destination, limits: limits, settings: settings)
        do {
            let arrival = try await exchange.arrival()
            let head = HTTPResponse.Head(
                status: arrival.status, headers: arrival.headers, url: request.url,
                version: arrival.version)
            let body =
                if let bytes = arrival.body {
                    request.delivery == .streamed
                        ? HTTPBody(arrived: bytes, trailers: arrival.trailers)
                        : HTTPBody(bytes, trailers: arrival.trailers)
                } else if arrival.codings.isEmpty {
                    HTTPBody(
                        source: ExchangeBody(exchange, head), length: Self.length(head, request))
                } else {
                    try await decodedBody(exchange, head, arrival.codings)
                }
            var response = HTTPResponse(head, body: body, to: request, timeline: exchange.record)
            if let proxy = destination.forwardingProxy { response.forwardingProxy = proxy }
            return response
        } catch let error as HTTPError {
            throw exchange.ended(error)
        }
    }

    /// Returns a body that is decoded by its reader, or here if it is delivered with its head.
    private func decodedBody(
        _ exchange: Exchange, _ head: HTTPResponse.Head, _ codings: [HTTPContentCoding]
    ) async throws -> HTTPBody {
        let coded = ExchangeBody(exchange, head)
        let source = DecodedBodySource(
            coded, codings: codings,
            limits: ContentDecoder.Limits(
                expansion: configuration.maximumExpansion, length: configuration.maximumBodyLength),
            exchange: coded)
        let request = exchange.request
        guard case .buffered(let limit) = request.delivery else { return HTTPBody(source: source) }
        let report = request.hasOptions ? request[ReceivingProgress.self] : nil
        let bytes = try await source.collect(upTo: limit, prefixLimit: request.brokenBodyLimit) {
            report?(HTTPBodyProgress(bytes: $0, length: nil))
        }
        return HTTPBody(bytes, trailers: source.trailers)
    }

    /// Returns the destination of a request that can be sent. Nothing was sent if this throws.
    private func destination(
        of request: HTTPRequest, _ library: CurlLibrary
    ) throws(HTTPError) -> Destination {
        // Options and versions may change the route, and so may a body for older libraries.
        let isPlain =
            !request.hasOptions && request.version == nil
            && (request.body.isEmpty || library.uploadsOverHTTP2)
        guard isPlain else { return try examinedDestination(of: request, library) }
        let url = request.url.absoluteString
        guard let known = destinations.value(for: url) else {
            let destination = try examinedDestination(of: request, library)
            destinations.keep(destination, for: url)
            return destination
        }
        try request.checkParts(hasForwardingProxy: known.forwardingProxy != nil)
        try Self.check(request, known.target, library)
        return known
    }

    private func examinedDestination(
        of request: HTTPRequest, _ library: CurlLibrary
    ) throws(HTTPError) -> Destination {
        let target = try request.checkedTarget(hasForwardingProxy: true)  // checked in `route`
        try request.options.checkTransportOptions(
            known: Self.knownOptions, transport: "CurlTransport")
        try Self.check(request, target, library)
        let route = try route(for: request, target, library)
        return Destination(target, route, on: try startedLoop(for: target.origin, library))
    }

    private func route(
        for request: HTTPRequest, _ target: HTTPTarget, _ library: CurlLibrary
    ) throws(HTTPError) -> ConnectionRoute {
        let origin = target.origin
        var route = ConnectionRoute(origin: origin)
        let options = request.options
        if let proxies = options.isEmpty ? nil : options[ProxySettings.self] {
            route.proxy = proxies.server(for: origin)
        } else {
            route.proxy = configuration.proxies.server(for: origin)
        }
        if !options.isEmpty {
            route.target = options[ConnectTarget.self]
            route.localAddress = options[LocalAddress.self]?.address
            if let socket = options[UnixSocket.self] {
                try Self.check(socket, origin, library)
                route.unixSocket = socket.path
                route.proxy = nil
            }
        }
        if origin.scheme == .https { route.protocols = Self.protocols(for: request, library) }
        if origin.scheme == .https {
            route.tls = try contexts.context(for: options[TLSSettings.self], library)
        }
        if let proxy = route.proxy, proxy.scheme == .https {
            route.proxyTLS = try contexts.context(
                for: proxy.tls ?? configuration.tls.forProxies, library)
        }
        route.tls?.findAuthorities()
        route.proxyTLS?.findAuthorities()
        try check(route, options[AddressPolicy.self] ?? configuration.addressPolicy, library)
        if route.forwardingProxy == nil, !request.headers.isEmpty {
            try request.refuseProxyAuthorization()
        }
        return route
    }

    /// Returns the protocols to offer: HTTP/1.1 alone if the request asks for it, if it has
    /// trailers, which HTTP/2 requests cannot have, or if it has a body and the library is not
    /// reliable with those over HTTP/2.
    private static func protocols(
        for request: HTTPRequest, _ library: CurlLibrary
    ) -> ConnectionRoute.Protocols {
        switch request.version {
        case .http1_1: .http1Alone
        case .http3:
            library.has(.fatalCancellation) && UploadForm(request).hasContent
                ? .http3Single : .http3Alone
        case nil where !request.options.isEmpty && request[RequestTrailers.self] != nil: .http1Alone
        case nil where !request.body.isEmpty: library.uploadsOverHTTP2 ? .best : .http1Alone
        default: .best
        }
    }

    private static func check(
        _ socket: UnixSocket, _ origin: HTTPOrigin, _ library: CurlLibrary
    ) throws(HTTPError) {
        guard library.reachesUnixSockets else { throw library.refusal(lacking: "Unix sockets") }
        guard socket.origin == origin else {
            throw refusal(
                "the request is for \(origin), but its Unix socket is for \(socket.origin)")
        }
    }

    private func check(
        _ route: ConnectionRoute, _ policy: AddressPolicy, _ library: CurlLibrary
    ) throws(HTTPError) {
        if route.hidesAddress, !policy.isOpen {
            throw Self.refusal(
                "an address policy cannot be honoured through a proxy or a Unix socket, which hide "
                    + "the server's address")
        }
        try route.proxy?.check()
        if route.proxy?.scheme == .https, !library.reachesHTTPSProxies {
            throw library.refusal(lacking: "support for HTTPS proxies")
        }
        if route.protocols.isHTTP3 {
            if route.hidesAddress {
                throw Self.refusal("HTTP/3 cannot go through a proxy or a Unix socket")
            }
            if route.tls?.settings.maximumVersion == .tls1_2 {
                throw Self.refusal(
                    "HTTP/3 needs TLS 1.3, but the TLS settings end with 1.2 (RFC 9001 §4.2)")
            }
        }
        if route.target != nil, route.hidesAddress {
            throw Self.refusal(
                "a connect target cannot be combined with a proxy or a Unix socket")
        }
    }

    private static func refusal(_ reason: String) -> HTTPError {
        HTTPError(.unsupportedOption, reason, phase: .preparing)
    }

    /// Refuses, before anything is sent, what this transport or this library cannot do.
    private static func check(
        _ request: HTTPRequest, _ target: HTTPTarget, _ library: CurlLibrary
    ) throws(HTTPError) {
        switch (request.version, target.origin.scheme) {
        case (nil, _), (.http1_1, _): break
        case (.http2, .https):
            if !library.hasHTTP2 { throw library.refusal(lacking: "HTTP/2") }
        case (.http3, .https):
            if let reason = library.reasonAgainstHTTP3 { throw refusal(reason) }
        case (.http2, .http):
            throw refusal("HTTP/2 without TLS is not supported: ask for it over https")
        case (.http3, .http): throw refusal("HTTP/3 exists only over https (RFC 9114 §3.1)")
        case (.http1_0, _): throw refusal("libcurl cannot be restricted to HTTP/1.0")
        }
        if target.origin.scheme == .https, !library.hasTLS {
            throw library.refusal(lacking: "TLS")
        }
        let head = target.url.utf8.count + request.headers.byteCount + request.headers.count * 4
        guard head <= Self.headLimit else {
            throw HTTPError(
                .invalidRequest,
                "the URL and the fields are \(head) bytes, but libcurl sends no more than "
                    + "\(Self.headLimit)")
        }
        if !request.options.isEmpty { try request[RequestTrailers.self]?.check(request) }
        if !request.body.isEmpty, request.method == .head {
            throw refusal("libcurl cannot send HEAD with a body")
        }
    }

    /// Checks that a stream that is declared empty is empty, because it is framed as no body at
    /// all.
    private static func checkEmptiness(_ request: HTTPRequest) async throws {
        for try await piece in request.body where !piece.isEmpty {
            throw HTTPError(
                .requestBodyFailed,
                "the request's body goes on beyond its declared length of 0 bytes",
                phase: .preparing
            ).ending(request)
        }
    }

    /// Returns the length of the body, or `nil` if the body was decoded or the head does not say.
    private static func length(_ head: HTTPResponse.Head, _ request: HTTPRequest) -> Int64? {
        guard request.method != .head, head.status != .noContent, head.status != .notModified
        else { return 0 }
        return head.headers[.contentLength].flatMap { Int64($0) }
    }

    /// Returns the loop of all requests to `origin`, so that they share connections.
    private func startedLoop(
        for origin: HTTPOrigin, _ library: CurlLibrary
    ) throws(HTTPError) -> EventLoop {
        let count = settings.configuration.eventLoops
        let number = count == 1 ? 0 : Int(UInt(bitPattern: origin.hashValue) % UInt(count))
        return try state.withLock { state throws(HTTPError) in
            guard !state.isClosed else { throw HTTPError.transportClosed }
            if state.loops.isEmpty { state.loops = Array(repeating: nil, count: count) }
            if let loop = state.loops[number] { return loop }
            let loop = try EventLoop(settings, library, contexts)
            state.loops[number] = loop
            return loop
        }
    }
}

extension CurlTransport {
    /// Returns the event loop that serves `origin`, for tasks that mostly send requests there:
    ///
    /// ```swift
    /// Task(executorPreference: try transport.taskExecutor(for: origin)) { … }
    /// ```
    ///
    /// Such a task runs on the loop's own thread, between two checks of the sockets. It saves the
    /// changes of threads that responses otherwise cost: two for each response if one request is in
    /// flight, and fewer if there are many (`Docs/Guides/Shipping.md` has figures). Everything that
    /// the task calls runs there, too, unless it is bound to another executor. No transfer of the
    /// loop proceeds while any of it computes or blocks, so do not use this for tasks that decode,
    /// hash or write files.
    ///
    /// Tasks may outlive the transport. They then run on the global executor.
    ///
    /// - Throws: `sessionClosed` after ``close(grace:)``, or `internalFailure` if no loop starts.
    public func taskExecutor(for origin: HTTPOrigin) throws(HTTPError) -> any TaskExecutor {
        try startedLoop(for: origin, CurlLibrary.loaded.get())
    }
}
