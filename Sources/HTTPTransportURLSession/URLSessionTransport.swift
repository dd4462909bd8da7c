public import HTTPCore

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// URLSession as a transport: one exchange per request, nothing followed, stored or retried.
///
/// Follows no redirect, keeps no cookie, cache or credential, and sends no field that the request
/// does not have beyond `Host`, framing, and `Accept-Encoding` (left out with a `Range`).
/// It needs no shutting down: dropped while calls or bodies are in flight, it lets them finish and
/// then lets the URLSession go.
///
/// A program that has a `URLSessionConfiguration` makes one of it, see
/// ``URLSessionTransportConfiguration/init(_:)``, and one that has a `URLSession` with
/// `httpSession()`; what no setting covers, ``URLSessionTransportConfiguration/prepare`` does.
///
/// ## On Linux, a server can end the process
///
/// URLSession there (swift-corelibs-foundation, measured with 6.3.1) calls `fatalError` when a
/// chunked response has trailers, and when a connection ends inside a header section. Nothing above
/// it can prevent that. Use it with servers you trust; CurlTransport has neither flaw.
///
/// Cancelling is safe here, however often: tasks are made, started and cancelled on one queue, never
/// inside a cancellation handler, and end on URLSession's own (of 100 processes with 300 requests
/// cancelled at random each all ended well; over `URLSession.data(for:)` 10 of 20 hung, corelibs issue
/// 5412). `Scripts/verify` counts them.
///
/// ## What corelibs loses or accepts before this transport sees it
///
/// *Requests.* Fields are sent in no particular order, but those of one name, which stay together and
/// in theirs; several of `Cookie` are joined with `"; "`. Dot segments in a path are resolved. A method
/// in small letters that has a common one in capitals, and content with GET or HEAD, cannot be sent:
/// both are refused, as is a pinned version. A body that is not in memory is taken in as a whole before
/// the request begins, beyond 128 KiB in a temporary file without a name; it is always sent with its length.
///
/// *Responses.* The order of fields, the spelling of their names against each other (of known names
/// that differ in case, one stays), the reason phrase and the version. Fields of one name come joined with
/// `", "`; `Set-Cookie` is taken apart again where that can be told. The head of a redirect comes
/// when its body is complete, and lies in memory until then; the body of a redirect without a usable
/// `Location` is lost. Bytes beyond the announced length are dropped. Content is always decoded, also when the request has an `Accept-Encoding` of its own;
/// `Content-Encoding` and `Content-Length` are then removed. Status lines without a space behind the
/// code, bare line feeds, blanks before a colon and none behind it, and values that are not UTF-8 are
/// refused as `protocolViolation`. Conflicting lengths, a length beside chunks, chunks of chunks, other
/// transfer codings, a switch of protocols, control characters in fields, more than 256 KiB of fields or
/// 1,000 names, and more than 20 interim responses, all of which URLSession accepts, are refused here.
/// `HTTP/2.0` in the status line of a connection of HTTP/1 is accepted. A host that is an IPv6 address
/// cannot be reached.
///
/// *Kept connections.* With libcurl 7.88.1, bytes that a server sends on an idle connection are the answer
/// to the next request, POST included: 300 of 300 requests got a second response, or the `408` of an idle
/// connection. With libcurl 8.14.1 and 8.21.0 such a connection is not used again: 0 of 300 each. URLSession
/// shows neither its sockets nor when one is used again, so nothing above it can prevent this.
///
/// *Time.* There is no sign of a connection: without a body to send, ``HTTPTimeouts/connect`` runs
/// until the head if somebody set it, and does not run if nobody did. Waiting for a free connection
/// is idle time. The timeline has no name, connect and TLS times and no address; bytes are counted
/// after decoding.
///
/// *Sending twice.* libcurl sends a request anew when a kept connection turns out to be dead. With a
/// body, only an idempotent method is, and `silentResends` counts it; without a body it is neither
/// counted nor prevented.
///
/// *Kept connections.* Bytes that a server sends on an idle HTTP/1 connection, as the 408 of a load
/// balancer, become the answer to the next request there (libcurl 7.88.1 always). CurlTransport
/// closes such connections.
///
/// *Memory.* There is no way to hold a server back. What a slow reader leaves beyond
/// ``URLSessionTransportConfiguration/spillThreshold`` waits in a temporary file.
///
/// On Apple platforms: built, never tested.
public final class URLSessionTransport: HTTPClosableSession {
    private let owner: URLSessionOwner

    public init() { owner = URLSessionOwner(URLSessionTransportConfiguration()) }

    /// - Throws: `invalidRequest` naming the setting that cannot be.
    public init(_ configuration: URLSessionTransportConfiguration) throws(HTTPError) {
        try configuration.check()
        owner = URLSessionOwner(configuration)
    }

    // Exchanges in flight hold the owner, which goes with the last one.
    deinit { owner.close() }

    /// Answers once the head is in. See the type for what cannot be honoured.
    ///
    /// - Throws: ``HTTPError``, `CancellationError` as soon as the task is cancelled.
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

        let bridge = TaskBridge(request, owner: owner)
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
        let response = HTTPResponse(head.head, body: body, to: request, timeline: bridge.record)
        guard case .buffered(let limit) = request.delivery else { return response }
        do {
            // Told of as it came: not told of again.
            let bytes = try await body.collect(upTo: limit)
            var whole = response
            whole.body = HTTPBody(bytes, trailers: body.trailers)
            return whole
        } catch let error as HTTPError {
            throw error.ending(
                request.url, attempt: request.call?.sends, elapsed: bridge.record.elapsed,
                timeline: response.timeline, response: head.head)
        }
    }

    /// Refuses new requests with `sessionClosed`, waits for exchanges under way and for bodies that
    /// have not ended, and lets the URLSession go.
    ///
    /// Cancelling the calling task ends the grace at once.
    ///
    /// - Parameter grace: how long exchanges under way may last; then they fail with `sessionClosed`.
    public func close(grace: Duration = .seconds(10)) async {
        owner.close()
        let timer = Task { [owner] in
            let clock = HTTPSystemClock()
            try await clock.sleep(until: clock.now + grace)
            owner.closeExchanges()
        }
        defer { timer.cancel() }
        await owner.waitUntilOver()
    }
}
