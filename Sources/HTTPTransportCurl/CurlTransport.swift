import CHTTPTransportCurl
public import HTTPCore
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A session over libcurl: one event loop on a thread of its own, connections kept and shared by
/// all requests, HTTP/2 where the server speaks it, backpressure down to the socket.
///
/// One exchange per request, as every transport: follows no redirect, retries nothing, stores no
/// cookie. It adds no field that the request did not ask for but `Host`, `Content-Length` or
/// `Transfer-Encoding`, and `Accept-Encoding` when it decodes.
///
/// No shutdown ritual: a call in flight and a body not yet ended keep the loop going; it ends when
/// neither is left and the transport is gone. In a child of `fork` every request fails with
/// `sessionClosed`; make a new transport there.
///
/// A guest in its process: no signal handler, no signal taken by its thread, no `SIGPIPE`, nothing
/// at import. Its descriptors are close-on-exec, but for the two of a wake-up pair that libcurl
/// before 8.8 makes for itself.
///
/// libcurl takes a gzip or deflate body that ends too soon for a complete one, unless its framing
/// says otherwise; and a chunk size with something behind it for that size. Neither is visible here.
///
/// libcurl by itself sends a request anew when a kept connection turns out dead before the first
/// byte of a response. That is counted (``HTTPTimeline/Exchange/silentResends``) and refused, with
/// `connectionLost`, for methods that are not idempotent.
public final class CurlTransport: HTTPClosableSession {
    private struct State {
        /// By number, each once it is needed.
        var loops: [Int: EventLoop] = [:]
        var isClosed = false
    }

    /// libcurl's limit is 1 MiB for a request's whole head, with what it adds by itself.
    private static let headLimit = (1 << 20) - (4 << 10)

    /// The options of requests that it honours.
    private static let knownOptions: [any HTTPTransportOption.Type] = [
        TLSSettings.self, AddressPolicy.self, ProxySettings.self, UnixSocket.self,
        ConnectTarget.self, LocalAddress.self, ExpectContinue.self, RequestTrailers.self,
    ]

    private let configuration: CurlConfiguration
    private let contexts: TLSContexts
    private let state = Locked(State())

    public init() {
        configuration = CurlConfiguration()
        contexts = TLSContexts(own: configuration.tls)
    }

    /// - Throws: `invalidRequest` naming the setting that is out of range or cannot be read,
    ///   `unsupportedOption` naming one that the linked libcurl cannot honour, `internalFailure` when
    ///   that library does not start.
    public init(_ configuration: CurlConfiguration) throws(HTTPError) {
        try configuration.check()
        self.configuration = configuration
        contexts = TLSContexts(own: configuration.tls)
        let library = try CurlLibrary.loaded.get()
        if library.hasTLS { _ = try contexts.context(for: nil, library) }
    }

    deinit {
        let loops = state.withLock { state in
            defer { state.loops = [:] }
            return state.loops
        }
        for loop in loops.values { _ = loop.post(.release) }
    }

    /// What `curl --version` calls the library: `"7.88.1"`.
    ///
    /// - Throws: `internalFailure` when the library does not start.
    public static var libraryVersion: String {
        get throws(HTTPError) { try CurlLibrary.loaded.get().version }
    }

    /// How many of libcurl's easy handles the process has, in use and pooled: tests count them.
    package static var liveHandles: Int { CurlEasyHandle.liveCount.load(ordering: .relaxed) }

    /// Ends the session: new requests fail with `sessionClosed`, running ones are waited for, and
    /// those still there after `grace` fail with it, too. Returns when all connections are closed.
    /// Not required: see the type.
    public func close(grace: Duration = .seconds(10)) async {
        // They stay until they have ended, for whoever closes meanwhile and waits, too.
        let loops = state.withLock { state in
            state.isClosed = true
            return state.loops
        }
        await withDiscardingTaskGroup { group in
            for loop in loops.values {
                group.addTask {
                    _ = loop.post(.close(grace))
                    await loop.ended()
                }
            }
        }
        state.withLock { $0.loops = [:] }
    }

    /// What it has done so far, and is doing; asked of its event loops, none of which waits for it.
    public func statistics() async -> CurlStatistics {
        var sum = CurlStatistics()
        for loop in state.withLock({ $0.loops }).values {
            sum += await withCheckedContinuation { continuation in
                if loop.post(.statistics(continuation)) != nil {
                    continuation.resume(returning: CurlStatistics())
                }
            }
        }
        return sum
    }

    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        let request = try request.prepared()
        let target = try request.checkedTarget(hasForwardingProxy: true)  // ``route`` knows
        try request.options.checkTransportOptions(
            known: Self.knownOptions, transport: "CurlTransport")
        let library = try CurlLibrary.loaded.get()
        try Self.check(request, target, library)
        let route = try route(for: request, target, library)
        let limits = TimeLimits(request, configuration.timeouts)
        if limits.deadline == .zero {
            throw limits.timedOut(.deadline, phase: .preparing, mayHaveReachedServer: false)
                .ending(request.url)
        }
        try Task.checkCancellation()
        if request.body.bytes == nil, request.body.length == 0 {
            try await Self.checkEmptiness(request)
        }

        let exchange = Exchange(
            request, target: target, route: route, limits: limits,
            loop: try startedLoop(for: target.origin, library), configuration: configuration)
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
                } else {
                    HTTPBody(
                        source: ExchangeBody(exchange, head), length: Self.length(head, request))
                }
            var response = HTTPResponse(head, body: body, to: request, timeline: exchange.record)
            if let proxy = route.forwardingProxy { response.forwardingProxy = proxy.origin }
            return response
        } catch let error as HTTPError {
            throw exchange.ended(error)
        }
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
        if origin.scheme == .https || route.proxy?.scheme == .https {
            let context = try contexts.context(for: options[TLSSettings.self], library)
            context.findAuthorities()
            route.tls = context
        }
        try check(route, options[AddressPolicy.self] ?? configuration.addressPolicy, library)
        if route.forwardingProxy == nil, !request.headers.isEmpty {
            try request.refuseProxyAuthorization()
        }
        return route
    }

    /// HTTP/1.1 alone where that is asked for, and since HTTP/2 has no request trailers, or a library no
    /// sound uploads there.
    private static func protocols(
        for request: HTTPRequest, _ library: CurlLibrary
    ) -> ConnectionRoute.Protocols {
        switch request.version {
        case .http1_1: .http1Alone
        case .http3: .http3Alone
        case nil where !request.options.isEmpty && request[RequestTrailers.self] != nil: .http1Alone
        case nil where !request.body.isEmpty:
            !library.uploadsOverHTTP2 && UploadForm(request).isUpload ? .http1Alone : .best
        default: .best
        }
    }

    private static func check(
        _ socket: UnixSocket, _ origin: HTTPOrigin, _ library: CurlLibrary
    ) throws(HTTPError) {
        guard library.hasUnixSockets else {
            throw refusal("libcurl \(library.version) was built without Unix sockets")
        }
        guard socket.origin == origin else {
            throw refusal(
                "the request is for \(origin), its Unix socket for \(socket.origin) alone")
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
        if route.proxy?.scheme == .https, !library.hasHTTPSProxies {
            throw Self.refusal(
                "libcurl \(library.version) was built without support for HTTPS proxies")
        }
        // Not tested: no libcurl at hand has HTTP/3.
        if route.protocols == .http3Alone, route.hidesAddress {
            throw Self.refusal("HTTP/3 does not pass a proxy or a Unix socket")
        }
        if route.target != nil, route.hidesAddress {
            throw Self.refusal(
                "a connect target cannot be combined with a proxy or a Unix socket")
        }
    }

    private static func refusal(_ reason: String) -> HTTPError {
        HTTPError(.unsupportedOption, reason, phase: .preparing)
    }

    /// What this transport, or this library, cannot do is refused before anything is sent.
    private static func check(
        _ request: HTTPRequest, _ target: HTTPTarget, _ library: CurlLibrary
    ) throws(HTTPError) {
        switch (request.version, target.origin.scheme) {
        case (nil, _), (.http1_1, _): break
        case (.http2, .https) where library.hasHTTP2: break
        case (.http3, .https) where library.hasHTTP3: break
        case (.http2, .http):
            throw refusal("HTTP/2 without TLS is not supported: ask for it over https")
        case (let version?, _):
            throw refusal("libcurl \(library.version) cannot be asked for \(version) alone")
        }
        if target.origin.scheme == .https, !library.hasTLS {
            throw refusal("libcurl \(library.version) was built without TLS")
        }
        let head = target.url.utf8.count + request.headers.byteCount + request.headers.count * 4
        guard head <= Self.headLimit else {
            throw HTTPError(
                .invalidRequest,
                "URL and fields are \(head) bytes, libcurl sends no more than \(Self.headLimit)")
        }
        if !request.options.isEmpty { try request[RequestTrailers.self]?.check(request) }
        if request.method == .head, !request.body.isEmpty {
            throw refusal("libcurl cannot send HEAD with a body")
        }
    }

    /// A stream that is declared empty is framed as no body at all, so it has to be empty.
    private static func checkEmptiness(_ request: HTTPRequest) async throws {
        for try await piece in request.body where !piece.isEmpty {
            throw HTTPError(
                .requestBodyFailed,
                "the request's body goes on beyond its declared length of 0 bytes",
                phase: .preparing
            ).ending(request.url)
        }
    }

    /// `nil` when the body was decoded, or the head does not tell.
    private static func length(_ head: HTTPResponse.Head, _ request: HTTPRequest) -> Int64? {
        guard request.method != .head, head.status != .noContent, head.status != .notModified
        else { return 0 }
        return head.headers[.contentLength].flatMap { Int64($0) }
    }

    /// The loop of all requests to `origin`, so that they share connections.
    private func startedLoop(
        for origin: HTTPOrigin, _ library: CurlLibrary
    ) throws(HTTPError) -> EventLoop {
        let count = configuration.eventLoops
        let number = count == 1 ? 0 : Int(UInt(bitPattern: origin.hashValue) % UInt(count))
        return try state.withLock { state throws(HTTPError) in
            guard !state.isClosed else { throw EventLoop.closed }
            if let loop = state.loops[number] { return loop }
            let loop = try EventLoop(configuration, library, contexts)
            state.loops[number] = loop
            return loop
        }
    }
}

extension CurlTransport {
    /// The event loop that serves `origin`, for tasks that mostly send requests there:
    ///
    /// ```swift
    /// Task(executorPreference: try transport.taskExecutor(for: origin)) { … }
    /// ```
    ///
    /// Such a task runs on the loop's own thread, between two looks at the sockets, and saves the two
    /// hops between threads that a response costs elsewhere. So does all that it calls, unless that
    /// is bound to another executor: while any of it computes or blocks, no transfer of the loop
    /// moves. Not for tasks that decode, hash or write files.
    ///
    /// Tasks may outlive the transport: they then run on the global executor.
    ///
    /// - Throws: `sessionClosed` after ``close(grace:)``, `internalFailure` when no loop starts.
    public func taskExecutor(for origin: HTTPOrigin) throws(HTTPError) -> any TaskExecutor {
        try startedLoop(for: origin, CurlLibrary.loaded.get())
    }
}

extension Exchange {
    /// The error as the caller sees it, saying which exchange it ended.
    func ended(_ error: HTTPError, _ head: HTTPResponse.Head? = nil) -> HTTPError {
        let record = self.record.exchange
        return error.ending(
            request.url, attempt: request.call == nil ? nil : attempt, elapsed: record.lastByte,
            timeline: request.call?.timeline ?? HTTPTimeline(exchanges: [record]), response: head)
    }
}

/// A response's body: the exchange, whose errors carry the head that came before.
final class ExchangeBody: HTTPBodySource {
    private let exchange: Exchange
    private let head: HTTPResponse.Head

    init(_ exchange: Exchange, _ head: HTTPResponse.Head) {
        self.exchange = exchange
        self.head = head
    }

    func next() async throws -> Data? {
        do {
            return try await exchange.next()
        } catch let error as HTTPError {
            throw exchange.ended(error, head)
        }
    }

    func write(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64 {
        // What is known to come has its room set aside, so that a full disk is no late surprise.
        if let length = head.headers[.contentLength].flatMap({ Int64($0) }), length >= 1 << 20 {
            let failure = chttp_reserve(descriptor, offset, length)
            if failure != 0 {
                exchange.abandon()
                throw HTTPError(
                    .fileNotWritten,
                    "there is no room for a body of \(length) bytes: \(SystemError(failure))",
                    underlyingError: SystemError(failure))
            }
        }
        do {
            return try await exchange.write(toDescriptor: descriptor, at: offset)
        } catch let error as HTTPError {
            throw exchange.ended(error, head)
        }
    }

    func abandon() { exchange.abandon() }
    func discard() async { await exchange.discard() }
    var trailers: HTTPHeaders? { exchange.trailers }
}
