public import PortableFoundation

/// A response: its head, and a body that may still be arriving.
public struct HTTPResponse: Sendable {
    /// An array of exactly one element, as in a request: copying the response then counts one
    /// reference instead of a dozen.
    private var contents: [Contents]

    private struct Contents {
        var head: Head
        var originalRequest: HTTPRequest
        var body: HTTPBody
        var history: [Head]
        var options: HTTPOptions
        let method: HTTPMethod
        let call: HTTPCall?
        let record: (any HTTPTimelineRecord)?
    }

    /// Creates a response to `request`.
    ///
    /// - Parameters:
    ///   - head: The status, headers, URL and version.
    ///   - body: The body.
    ///   - request: The request that this is the response to.
    ///   - record: The record that the transport continues to write this exchange's times to.
    public init(
        _ head: Head,
        body: HTTPBody = .empty,
        to request: HTTPRequest,
        timeline record: (any HTTPTimelineRecord)? = nil
    ) {
        var original = request
        original.call = nil
        if (request.body.bytes?.count ?? .max) > 64 << 10 { original.body = .empty }
        self.contents = [
            Contents(
                head: head, originalRequest: original, body: body, history: [],
                options: HTTPOptions(), method: request.method, call: request.call, record: record)
        ]
    }

    /// Creates a response to `request` at the request's own URL, for mocks.
    public init(
        _ status: HTTPStatus, headers: HTTPHeaders = [:], body: HTTPBody = .empty,
        to request: HTTPRequest
    ) {
        self.init(Head(status: status, headers: headers, url: request.url), body: body, to: request)
    }
}

// MARK: - Contents

extension HTTPResponse {
    /// The head: status, headers, URL and version.
    public var head: Head {
        get { contents[0].head }
        _modify { yield &contents[0].head }
    }

    /// The request as it was sent, after middleware and without its call. Its body is kept only if
    /// it is in memory and at most 64 KiB.
    public var originalRequest: HTTPRequest {
        get { contents[0].originalRequest }
        set { contents[0].originalRequest = newValue }
    }

    /// The method of the request that this is the response to: after redirects, that of the last.
    package var requestMethod: HTTPMethod { contents[0].method }

    /// The body. It can be read once if it streams.
    public var body: HTTPBody {
        get { contents[0].body }
        set { contents[0].body = newValue }
    }

    /// The heads of the previous responses of this call, which led to a redirect or a retry, in
    /// order.
    public var history: [Head] {
        get { contents[0].history }
        _modify { yield &contents[0].history }
    }

    /// The values that layers report to the caller.
    public var options: HTTPOptions {
        get { contents[0].options }
        _modify { yield &contents[0].options }
    }
}

extension HTTPResponse {
    /// The status of the response.
    public var status: HTTPStatus {
        get { head.status }
        set { head.status = newValue }
    }
    /// The header section.
    public var headers: HTTPHeaders {
        get { head.headers }
        _modify { yield &head.headers }
    }
    /// The URL of the response, after redirects.
    public var url: URL { head.url }
    /// The HTTP version of the response, or `nil` if the transport does not know it.
    public var version: HTTPVersion? { head.version }

    /// The trailer section (RFC 9110 §6.5): empty if there was none, and `nil` if the body has not
    /// ended, or if the transport cannot know. See the guide "HTTP versions".
    public var trailers: HTTPHeaders? { body.trailers }

    /// An option that a layer has set on the response. See ``HTTPRequestOption``.
    public subscript<Key: HTTPRequestOption>(key: Key.Type) -> Key.Value {
        get { options[key] }
        set { options[key] = newValue }
    }

    /// Runs `handler` once, when the body has ended, with the exchange that this response came in.
    ///
    /// It runs at once if the body has ended; on any thread; also when the body is dropped unread.
    /// The handler is not given the response, so that a span or a metric that waits for the end
    /// does not itself keep the body, and with it the connection. Of a response without a transport
    /// the exchange is `nil`.
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

    /// Discards the rest of the body, and returns once its connection is free again.
    ///
    /// Call this before sending another request because of this response.
    public func discard() async { await body.discard() }
}

extension HTTPResponse {
    private enum ForwardingProxy: HTTPRequestOption {
        static var defaultValue: HTTPOrigin? { nil }
    }

    /// The proxy that was asked to forward the request (RFC 9112 §3.2.2), and that may have sent
    /// the response itself, such as a 407.
    ///
    /// Transports set this. It is `nil` without a proxy, and through a tunnel, where the proxy does
    /// not see the request.
    public var forwardingProxy: HTTPOrigin? {
        get { self[ForwardingProxy.self] }
        set { self[ForwardingProxy.self] = newValue }
    }
}

extension HTTPResponse {
    private enum DecodedUnasked: HTTPRequestOption {
        static var defaultValue: Bool { false }
    }

    /// `true` if the transport has decoded the content although the request has an
    /// `Accept-Encoding` or a `Range` of its own, so that the body is not the content that the
    /// server sent.
    ///
    /// `URLSessionTransport` sets this. Other transports decode only what they have asked for.
    package var isDecodedUnasked: Bool {
        get { self[DecodedUnasked.self] }
        set { self[DecodedUnasked.self] = newValue }
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { head.description }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
