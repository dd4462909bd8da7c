public import HTTPCore

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that uses URLSession: one exchange per request, with nothing followed, stored or
/// retried.
///
/// It follows no redirect, and keeps no cookie, cache or credential. It adds no fields to a request
/// except `Host`, framing, and `Accept-Encoding` (left out with a `Range`). It needs no shutdown:
/// if it is dropped while calls or bodies are in flight, it lets them finish and then releases the
/// URLSession.
///
/// To use an existing `URLSessionConfiguration`, see ``URLSessionTransportConfiguration/init(_:)``.
/// To use the configuration of an existing `URLSession`, call its `httpSession()`. For what no
/// setting covers, see ``URLSessionTransportConfiguration/prepare``.
///
/// ## On Linux, a server can end the process
///
/// URLSession there (swift-corelibs-foundation, measured with 6.3.1) calls `fatalError` when a
/// chunked response has trailers, and when a connection ends inside a header section. No layer
/// above it can prevent that. A server need not mean harm: etcd's 400 for a request in JSON has
/// trailers. Use it with servers you trust; CurlTransport has neither flaw.
///
/// A server can also stop all exchanges of the transport for a while. libcurl decodes what it has
/// read before anything else happens, and several content codings around each other multiply: 294
/// bytes of gzip in gzip in gzip took 11 s. This transport refuses such a response at its head, but
/// the bytes that came with the head are decoded all the same. A request for `identity` would
/// change nothing, because libcurl decodes what no request has asked for.
///
/// libcurl also takes content for complete whose coding is cut short, if the framing does not say
/// otherwise: half a document is returned, and a cache keeps it. It refuses gzip of several
/// members, and content in a coding that it does not know. CurlTransport decodes by itself, and
/// does none of this.
///
/// Cancelling is safe here, however often. Tasks are created, started and cancelled on one queue,
/// never inside a cancellation handler, and end on URLSession's own queue. Of 100 processes with
/// 300 requests cancelled at random each, all ended well; over `URLSession.data(for:)`, 10 of 20
/// hung (corelibs issue 5412). `Scripts/verify` counts them.
///
/// ## What corelibs loses or accepts before this transport sees it
///
/// *Requests.* Fields are sent in no particular order, but fields of one name stay together and in
/// their order. Several `Cookie` fields are joined with `"; "`. Dot segments in a path are
/// resolved. A lowercase method whose uppercase form is a common method, and content with GET or
/// HEAD, cannot be sent: both are refused, as is a pinned version. A body that is not in memory is
/// read as a whole before the request begins, beyond 128 KiB into a temporary file without a name.
/// A body is always sent with its length.
///
/// *Responses.* These are lost: the order of fields, different spellings of a field name (of known
/// names that differ in case, one stays), the reason phrase and the version. Fields of one name are
/// joined with `", "`; `Set-Cookie` is split again where possible. The head of a redirect arrives
/// when its body is complete, and the body is in memory until then. The body of a redirect without
/// a usable `Location` is lost. Bytes beyond the announced length are dropped. Content is always
/// decoded, even if the request has an `Accept-Encoding` of its own; `Content-Encoding` and
/// `Content-Length` are then removed.
///
/// These are refused as `protocolViolation`: status lines without a space after the code, bare line
/// feeds, a blank before a colon, no blank after a colon (`icy-name:x`), values of blanks alone,
/// and values that are not UTF-8. Some of them are valid HTTP, which the message says. URLSession
/// accepts the following, but this transport refuses it: conflicting lengths, a length beside
/// chunks, chunks of chunks, other transfer codings, a switch of protocols, control characters in
/// fields, more than 256 KiB of fields or 1,000 names, and more than 20 interim responses.
/// `HTTP/2.0` in the status line of an HTTP/1 connection is accepted. A host that is an IPv6
/// address is refused with `unsupportedOption`.
///
/// Folded lines are joined with a blank. libcurl before 8.18 does not see a `Transfer-Encoding` or
/// `Content-Encoding` whose value is on a folded line, and URLSession shows it like any other: the
/// body then has the chunks' framing in it, or is still coded.
///
/// *Kept connections.* With libcurl 7.88.1, bytes that a server sends on an idle HTTP/1 connection,
/// such as the `408` of a load balancer, become the response to the next request, POST included:
/// 300 of 300 requests got a second response, or the `408` of an idle connection. With libcurl
/// 8.14.1 and 8.21.0, such a connection is not used again: 0 of 300 each. URLSession shows neither
/// its sockets nor when one is used again, so no layer above it can prevent this. CurlTransport
/// closes such connections.
///
/// *Time.* URLSession gives no sign of a connection. Without a body to send,
/// ``/HTTPCore/HTTPTimeouts/connect`` runs until the head if it was set, and does not run if it was
/// not. ``/HTTPCore/HTTPTimeouts/responseHead`` runs from the task's beginning without a body, and
/// from the moment when URLSession has taken a body's last byte. It includes the body of a redirect
/// on Linux, as said above. ``/HTTPCore/HTTPTimeouts/tls`` is refused, with `unsupportedOption`.
/// Waiting for a free connection is idle time. The timeline has no name, connect and TLS times and
/// no address; bytes are counted after decoding.
///
/// *Sending twice.* libcurl sends a request again when a kept connection turns out to be dead. With
/// a body, only an idempotent method is sent again, and `silentResends` counts it. Without a body,
/// the second send is neither counted nor prevented.
///
/// *Memory.* A server cannot be held back. Bytes that a slow reader leaves beyond
/// ``URLSessionTransportConfiguration/spillThreshold`` wait in a temporary file.
///
/// On Apple platforms, this transport is built but was never tested.
public final class URLSessionTransport: HTTPClosableSession, ClosingSession {
    private let owner: URLSessionOwner
    package let closing = Closing()

    /// Creates a transport with the default configuration.
    public init() { owner = URLSessionOwner(URLSessionTransportConfiguration()) }

    /// - Throws: `invalidRequest` with the name of a setting whose value is not possible;
    ///   `unsupportedOption` for a limit of TLS.
    public init(_ configuration: URLSessionTransportConfiguration) throws(HTTPError) {
        try configuration.check()
        owner = URLSessionOwner(configuration)
    }

    // Exchanges in flight retain the owner, which is released with the last one.
    deinit { owner.close() }

    /// Returns the response once its head has arrived. See the type for what cannot be honoured.
    ///
    /// - Throws: ``HTTPError``, or `CancellationError` as soon as the task is cancelled.
    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        let request = owner.configuration.completing(try request.prepared())
        let target = try request.checkedTarget()
        try request.options.checkTransportOptions(transport: "URLSessionTransport")
        try request.checkForURLSession()
        var urlRequest = try URLRequest(request, to: target)
        var headers = request.headers
        if let prepare = owner.configuration.prepare {
            headers = try urlRequest.change(headers, by: prepare)
        }
        urlRequest.setFields(headers)
        try Task.checkCancellation()

        let bridge = TaskBridge(request, to: target.origin, owner: owner)
        try owner.admit(bridge)
        bridge.submit()
        let head: ReceivedHead
        do {
            head = try await bridge.head(sending: urlRequest)
        } catch {
            bridge.report(.failed(error))
            throw error
        }
        let body = bridge.makeBody(head)
        if let call = request.call, call.isObserved {
            let number = bridge.number
            body.whenEnded { [record = bridge.record] end in
                call.report(.ended(end, record.exchange), exchange: number)
            }
        }
        var response = HTTPResponse(head.head, body: body, to: request, timeline: bridge.record)
        if head.isDecoded {
            response.isDecodedUnasked =
                request.headers.contains(.acceptEncoding) || request.headers.contains(.range)
        }
        guard case .buffered(let limit) = request.delivery else { return response }
        do {
            // The bytes were reported as they arrived, and are not reported again.
            let bytes = try await body.collect(upTo: limit)
            var whole = response
            whole.body = HTTPBody(bytes, trailers: body.trailers)
            return whole
        } catch let error as HTTPError {
            throw error.reading(response).ending(
                request, attempt: request.call?.sends, elapsed: bridge.record.elapsed,
                timeline: response.timeline, response: head.head)
        }
    }

    /// Refuses new requests with `sessionClosed`, waits for exchanges under way and for bodies that
    /// have not ended, and releases the URLSession.
    ///
    /// Cancelling the calling task ends the grace period at once.
    ///
    /// - Parameter grace: how long exchanges under way may last; then they fail with
    ///   `sessionClosed`.
    public func close(grace: Duration = .seconds(10)) async {
        owner.close()
        closing.close()
        let timer = Task { [owner] in
            let clock = HTTPSystemClock()
            try await clock.sleep(until: clock.now + grace)
            owner.closeExchanges()
        }
        defer { timer.cancel() }
        await owner.waitUntilOver()
    }
}
