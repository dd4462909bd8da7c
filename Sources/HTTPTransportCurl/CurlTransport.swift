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
/// octet of a response. That is counted (``HTTPTimeline/Exchange/silentResends``) and refused, with
/// `connectionLost`, for methods that are not idempotent.
public final class CurlTransport: HTTPSession {
    private struct State {
        var loop: EventLoop?
        var isClosed = false
    }

    /// libcurl's limit is 1 MiB for a request's whole head, with what it adds by itself.
    private static let headLimit = (1 << 20) - (4 << 10)

    private let configuration: CurlConfiguration
    private let state = Locked(State())

    public init() { configuration = CurlConfiguration() }

    /// - Throws: `invalidRequest` naming the setting that is out of range or cannot be read.
    public init(_ configuration: CurlConfiguration) throws(HTTPError) {
        try configuration.check()
        self.configuration = configuration
    }

    deinit { _ = state.withLock { $0.loop.take() }?.post(.release) }

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
        let loop = state.withLock { state in
            state.isClosed = true
            return state.loop.take()
        }
        guard let loop else { return }
        await withCheckedContinuation { continuation in
            if loop.post(.close(grace, continuation)) != nil { continuation.resume() }
        }
    }

    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        let target = try request.checkedTarget()
        try request.options.checkTransportOptions(transport: "CurlTransport")
        let library = try CurlLibrary.loaded.get()
        try Self.check(request, target, library)
        let limits = TimeLimits(request, configuration.timeouts)
        if limits.deadline == .zero {
            throw limits.timedOut(.deadline, phase: .preparing, mayHaveReachedServer: false)
                .ending(request.url)
        }
        try Task.checkCancellation()
        try await Self.checkEmptiness(request)

        let exchange = Exchange(
            request, target: target, limits: limits, loop: try startedLoop(library),
            configuration: configuration)
        do {
            let arrival = try await exchange.arrival()
            let head = HTTPResponse.Head(
                status: arrival.status, headers: arrival.headers, url: request.url,
                version: arrival.version)
            let body =
                arrival.body.map { HTTPBody($0, trailers: arrival.trailers) }
                ?? HTTPBody(
                    source: ExchangeBody(exchange, head), length: Self.length(head, request))
            return HTTPResponse(head, body: body, to: request, timeline: exchange.record)
        } catch let error as HTTPError {
            throw exchange.ended(error)
        }
    }

    /// What this transport, or this library, cannot do is refused before anything is sent.
    private static func check(
        _ request: HTTPRequest, _ target: HTTPTarget, _ library: CurlLibrary
    ) throws(HTTPError) {
        func refuse(_ reason: String) -> HTTPError {
            HTTPError(.unsupportedOption, reason, phase: .preparing)
        }
        switch (request.version, target.origin.scheme) {
        case (nil, _), (.http1_1, _): break
        case (.http2, .https) where library.hasHTTP2: break
        case (.http2, .http):
            throw refuse("HTTP/2 without TLS is not supported: ask for it over https")
        case (let version?, _):
            throw refuse("libcurl \(library.version) cannot be asked for \(version) alone")
        }
        if target.origin.scheme == .https, !library.hasTLS {
            throw refuse("libcurl \(library.version) was built without TLS")
        }
        let head = target.url.utf8.count + request.headers.octetCount + request.headers.count * 4
        guard head <= Self.headLimit else {
            throw HTTPError(
                .invalidRequest,
                "URL and fields are \(head) octets, libcurl sends no more than \(Self.headLimit)")
        }
        if request.method == .head, !request.body.isEmpty {
            throw refuse("libcurl cannot send HEAD with a body")
        }
    }

    /// A stream that is declared empty is framed as no body at all, so it has to be empty.
    private static func checkEmptiness(_ request: HTTPRequest) async throws {
        guard request.body.octets == nil, request.body.length == 0 else { return }
        for try await piece in request.body where !piece.isEmpty {
            throw HTTPError(
                .requestBodyFailed,
                "the request's body goes on beyond its declared length of 0 octets",
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

    private func startedLoop(_ library: CurlLibrary) throws(HTTPError) -> EventLoop {
        try state.withLock { state throws(HTTPError) in
            guard !state.isClosed else { throw EventLoop.closed }
            if let loop = state.loop { return loop }
            let loop = try EventLoop(configuration, library)
            state.loop = loop
            return loop
        }
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

    func abandon() { exchange.abandon() }
    func discard() async { await exchange.discard() }
    var trailers: HTTPHeaders? { exchange.trailers }
}
