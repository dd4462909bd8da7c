#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An answer: its head, and a body that may still be on its way.
public struct HTTPResponse: Sendable {
    /// Status, header section and URL: what may be kept of a response without holding a connection.
    public struct Head: Sendable, Hashable {
        public var status: HTTPStatus
        public var headers: HTTPHeaders
        /// The URL that answered, after redirects.
        public var url: URL
        public var version: HTTPVersion?

        public init(
            status: HTTPStatus, headers: HTTPHeaders = [:], url: URL, version: HTTPVersion? = nil
        ) {
            self.status = status
            self.headers = headers
            self.url = url
            self.version = version
        }
    }

    /// Always one element, as of a request: what layers hand on is one count, not a dozen.
    private var contents: [Contents]

    private struct Contents {
        var head: Head
        var originalRequest: HTTPRequest
        var body: HTTPBody
        var history: [Head] = []
        var options = HTTPOptions()
        let call: HTTPCall?
        let record: (any HTTPTimelineRecord)?
    }

    /// - Parameter timeline: what the transport goes on writing this exchange's times to.
    public init(
        _ head: Head,
        body: HTTPBody = .empty,
        to request: HTTPRequest,
        timeline record: (any HTTPTimelineRecord)? = nil
    ) {
        var original = request.endingCall()
        if (request.body.bytes?.count ?? .max) > 64 << 10 { original.body = .empty }
        self.contents = [
            Contents(
                head: head, originalRequest: original, body: body, call: request.call,
                record: record)
        ]
    }

    /// For mocks: an answer to `request` at its own URL.
    public init(
        _ status: HTTPStatus, headers: HTTPHeaders = [:], body: HTTPBody = .empty,
        to request: HTTPRequest
    ) {
        self.init(Head(status: status, headers: headers, url: request.url), body: body, to: request)
    }
}

// MARK: - Contents

extension HTTPResponse {
    public var head: Head {
        get { contents[0].head }
        _modify { yield &contents[0].head }
    }

    /// As sent, after middleware, without its call and with its body only when that is small and in
    /// memory.
    public var originalRequest: HTTPRequest {
        get { contents[0].originalRequest }
        set { contents[0].originalRequest = newValue }
    }

    public var body: HTTPBody {
        get { contents[0].body }
        set { contents[0].body = newValue }
    }

    /// The heads of the responses that were answered by sending again: redirects and retries, in order.
    public var history: [Head] {
        get { contents[0].history }
        _modify { yield &contents[0].history }
    }

    /// What layers tell the caller.
    public var options: HTTPOptions {
        get { contents[0].options }
        _modify { yield &contents[0].options }
    }
}

extension HTTPResponse {
    public var status: HTTPStatus {
        get { head.status }
        set { head.status = newValue }
    }
    public var headers: HTTPHeaders {
        get { head.headers }
        _modify { yield &head.headers }
    }
    /// The URL that answered, after redirects.
    public var url: URL { head.url }
    /// The version that the response came in, or `nil` if the transport does not know it.
    public var version: HTTPVersion? { head.version }

    /// The trailer section (RFC 9110 §6.5); `nil` until the body has ended, or when there was none.
    public var trailers: HTTPHeaders? { body.trailers }

    public subscript<Key: HTTPRequestOption>(key: Key.Type) -> Key.Value {
        get { options[key] }
        set { options[key] = newValue }
    }

    /// Runs `handler` once, when the body has ended, with the exchange that this response came in.
    ///
    /// It runs at once if the body has ended; on any thread; also when the body is dropped unread. The
    /// handler is not given the response, so that a span or a metric that waits for the end does not
    /// itself keep the body, and with it the connection. Of a response without a transport the
    /// exchange is `nil`.
    public func whenEnded(
        _ handler: @escaping @Sendable (HTTPBodyEnd, HTTPTimeline.Exchange?) -> Void
    ) {
        let record = contents[0].record
        body.whenEnded { handler($0, record?.exchange) }
    }

    /// Every exchange of the call so far, this one last; final when the body has ended.
    public var timeline: HTTPTimeline {
        let contents = contents[0]
        return contents.call?.timeline
            ?? HTTPTimeline(exchanges: contents.record.map { [$0.exchange] } ?? [])
    }

    /// Gives the body up and returns once its connection is free again. Whoever sends a second
    /// request for a first one's answer does this before.
    public func discard() async { await body.discard() }
}

extension HTTPResponse {
    private enum ForwardingProxy: HTTPRequestOption {
        static var defaultValue: HTTPOrigin? { nil }
    }

    /// The proxy that was given the request to forward it (RFC 9112 §3.2.2), and that may thus have answered
    /// itself, as with a 407. Set by transports; `nil` without a proxy and through a tunnel, where it sees
    /// nothing.
    public var forwardingProxy: HTTPOrigin? {
        get { self[ForwardingProxy.self] }
        set { self[ForwardingProxy.self] = newValue }
    }
}

extension HTTPResponse.Head: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Status and URL, without user information, query and fragment.
    public var description: String { "\(status) from \(url.logSafe)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description, "headers": headers])
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { head.description }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
