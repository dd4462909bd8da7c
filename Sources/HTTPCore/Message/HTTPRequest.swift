import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A request: what to ask, of whom, how to deliver the answer, and until when.
///
/// A value: changing a copy leaves the original as it was.
public struct HTTPRequest: Identifiable, Sendable {
    /// Stable across copies, and so no identity of a call: attempts and hops share ``call`` instead.
    public let id: UInt64
    /// What all attempts and hops of one call share, or `nil` before the outermost session began it.
    public private(set) var call: HTTPCall?

    /// Always one element: layers hand requests on far more often than they change them, and an array
    /// makes of a copy one count, of a change at most one copy, and of neither a lock.
    private var parts: [Parts]

    private struct Parts {
        var method: HTTPMethod
        var url: URL
        var headers: HTTPHeaders
        var body: HTTPBody
        var delivery = HTTPDelivery.streamed
        var deadline: HTTPInstant?
        var timeouts = HTTPTimeouts()
        var version: HTTPVersion?
        var options = HTTPOptions()
        var implied: ImpliedFields?
        /// What the URL says, where it has been read already; of ``url``, or `nil`.
        var target: KnownTarget?
    }

    /// By reference: a copy of the parts counts it once.
    private final class KnownTarget: Sendable {
        let target: HTTPTarget

        init(_ target: HTTPTarget) { self.target = target }
    }

    private static let lastID = Atomic<UInt64>(0)

    public init(
        _ method: HTTPMethod, _ url: URL, headers: HTTPHeaders = [:],
        body: HTTPBody = .empty
    ) {
        self.id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.parts = [Parts(method: method, url: url, headers: headers, body: body)]
    }

    /// - Parameter url: for a client with a base URL also relative; an empty one is the base itself, and
    ///   ``url`` then an empty fragment, `#`.
    /// - Throws: `invalidRequest` when `url` is no URL to the letter of RFC 3986; nothing is repaired.
    public init(
        _ method: HTTPMethod, _ url: String, headers: HTTPHeaders = [:],
        body: HTTPBody = .empty
    ) throws(HTTPError) {
        let uri = try HTTPTarget.reference(url.isEmpty ? Route.base : url)
        self.init(method, try URL(uri), headers: headers, body: body)
        // A relative one is joined to another first.
        if uri.authority != nil, let target = try? HTTPTarget(uri) {
            parts[0].target = KnownTarget(target)
        }
    }

    public subscript<Key: HTTPRequestOption>(key: Key.Type) -> Key.Value {
        get { options[key] }
        set { options[key] = newValue }
    }
}

extension HTTPRequest {
    /// A GET.
    public init(url: URL) { self.init(.get, url) }

    /// A GET.
    ///
    /// - Throws: `invalidRequest` when `url` is no URL to the letter of RFC 3986; nothing is repaired.
    public init(_ url: String) throws(HTTPError) { try self.init(.get, url) }

    /// A request finished in a closure: `HTTPRequest(.post, url) { try $0.headers.append("X-Tag", tag) }`.
    ///
    /// What `build` leaves is the request, even where it assigns a whole new one.
    ///
    /// - Throws: as ``init(_:_:headers:body:)``, and what `build` throws.
    public init(
        _ method: HTTPMethod, _ url: String,
        _ build: (inout HTTPRequest) throws -> Void
    ) throws {
        var request = try HTTPRequest(method, url)
        try build(&request)
        self = request
    }
}

// MARK: - Parts

// Read and changed in place: for a look at one field a getter would count the references of all,
// and a setter would copy them.
extension HTTPRequest {
    public var method: HTTPMethod {
        get { parts[0].method }
        set { parts[0].method = newValue }
    }

    /// Absolute for a session; a client with a base URL joins a relative one first.
    public var url: URL {
        _read { yield parts[0].url }
        _modify {
            defer { parts[0].target = nil }
            yield &parts[0].url
        }
    }

    public var headers: HTTPHeaders {
        _read { yield parts[0].headers }
        _modify { yield &parts[0].headers }
    }

    /// Setting it leaves the headers alone: a new body's type is then the caller's to set. The body
    /// methods, such as ``text(_:contentType:)``, care for both.
    public var body: HTTPBody {
        _read { yield parts[0].body }
        set {
            parts[0].body = newValue
            parts[0].implied = parts[0].implied?.withoutFitting
        }
    }

    public var delivery: HTTPDelivery {
        get { parts[0].delivery }
        set { parts[0].delivery = newValue }
    }

    /// When the whole call ends, on its clock: queueing, redirects, retries, waits and the last
    /// byte of the body. Switches off limits that nobody set (``HTTPTimeouts/Limit/standard``).
    public var deadline: HTTPInstant? {
        get { parts[0].deadline }
        set { if newValue != deadline { parts[0].deadline = newValue } }
    }

    public var timeouts: HTTPTimeouts {
        get { parts[0].timeouts }
        set { parts[0].timeouts = newValue }
    }

    /// The version to speak, or `nil` for the best that both sides can.
    public var version: HTTPVersion? {
        get { parts[0].version }
        set { parts[0].version = newValue }
    }

    public var options: HTTPOptions {
        _read { yield parts[0].options }
        _modify { yield &parts[0].options }
    }

    package var hasOptions: Bool { !parts[0].options.isEmpty }

    /// Whether ``prepared()`` may have anything to do; a look that copies nothing.
    @usableFromInline package var mayNeedPreparing: Bool { hasOptions || parts[0].implied != nil }

    /// What the body methods have written into ``headers``.
    var implied: ImpliedFields? {
        get { parts[0].implied }
        set { parts[0].implied = newValue }
    }
}

extension HTTPRequest {
    /// This request with a call, begun now unless it has one: what an outermost session does first. It
    /// takes the deadline of the task it begins in, see ``HTTPDeadline``.
    ///
    /// - Throws: `invalidRequest` when the URL has no origin, since a call is bound to its first.
    public func beginningCall(
        observer: (any HTTPObserver)? = nil, clock: any HTTPClock = .system
    ) throws(HTTPError) -> HTTPRequest {
        guard call == nil else { return self }
        var request = self
        request.deadline = HTTPDeadline.beginning(with: deadline, on: clock)
        // Read once for all layers that ask.
        if parts[0].target == nil, let target = try? HTTPTarget(url) {
            request.parts[0].target = KnownTarget(target)
        }
        let origin = try request.origin()
        if hasOptions, let leader = request[LeadingOrigin.self] {
            request.options.remove(LeadingOrigin.self)
            request.call = HTTPCall(
                origin: leader, deadline: request.deadline, observer: observer, clock: clock)
            return request
        }
        request.call = HTTPCall(
            origin: origin, deadline: request.deadline, observer: observer, clock: clock)
        return request
    }

    /// Where secrets may go: to the call's origin, or to what will be it once the call begins.
    package var homeOrigin: HTTPOrigin? { call?.origin ?? self[LeadingOrigin.self] }

    /// This request in a call of its own that is yet to begin, and that an answer of `origin` has led to:
    /// no layer takes where it goes for a place that the caller has trusted.
    package func led(by origin: HTTPOrigin) -> HTTPRequest {
        var request = endingCall()
        request[LeadingOrigin.self] = origin
        return request
    }

    /// This request without a call, so that sending it begins a new one.
    public func endingCall() -> HTTPRequest {
        var request = self
        request.call = nil
        return request
    }

    /// This request in a call of its own, for work that serves several: of the same first origin,
    /// clock and observer, to be over in `limit`.
    package func servingSeveral(for limit: Duration) -> HTTPRequest {
        var request = self
        guard let call else { return request }
        request.deadline = call.clock.now + limit
        request.call = HTTPCall(
            origin: call.origin, deadline: request.deadline, observer: call.observer,
            clock: call.clock, refreshOwner: refreshOwner)
        return request
    }

    /// This request as one more of `call`, which its deadline cannot outlive.
    package func joining(_ call: HTTPCall) -> HTTPRequest {
        var request = self
        request.call = call
        if let limit = call.deadline { request.deadline = min(deadline ?? limit, limit) }
        return request
    }

    /// How long the deadline still is, on the call's clock; `nil` without a deadline, zero once over.
    public var timeLeft: Duration? {
        guard let deadline else { return nil }
        return max(.zero, deadline - (call?.clock.now ?? HTTPSystemClock().now))
    }

    /// The same request, to be over in `duration` from now on the real clock.
    public func deadline(in duration: Duration) -> HTTPRequest {
        var request = self
        request.deadline = HTTPSystemClock().now + duration
        return request
    }
}

/// See ``HTTPRequest/led(by:)``. Gone once the call has begun.
private enum LeadingOrigin: HTTPRequestOption {
    static var defaultValue: HTTPOrigin? { nil }
}

// MARK: - What may be sent

extension HTTPRequest {
    /// Proves the request sendable and says where it goes. Every transport calls this first.
    ///
    /// - Parameter hasForwardingProxy: whether a proxy reads the fields, or may:
    ///   `Proxy-Authorization` is for it. Through a tunnel, and without a proxy, the server would
    ///   get it.
    /// - Throws: `invalidRequest` naming the part that is wrong, never a field's value.
    public func checkedTarget(
        hasForwardingProxy: Bool = false
    ) throws(HTTPError) -> HTTPTarget {
        let target = if let known = parts[0].target { known.target } else { try HTTPTarget(url) }
        guard method.rawValue.isToken else {
            throw HTTPError(
                .invalidRequest,
                "\(method.rawValue.logSafe) is not a method (RFC 9110 §9.1): a method is a token",
                phase: .preparing)
        }
        switch method {
        case .connect:
            throw HTTPError(
                .invalidRequest, "CONNECT is for proxies, which are configured on the transport",
                phase: .preparing)
        case .trace where !body.isEmpty:
            throw HTTPError(
                .invalidRequest, "TRACE must not have a body (RFC 9110 §9.3.8)", phase: .preparing)
        default: break
        }
        let headers = headers
        if let name = headers.refusedName {
            throw HTTPError(
                .invalidRequest,
                "the field \(name.spelling.logSafe) was refused when it was set: "
                    + "its name is no token, or its value holds a control character or outer blanks",
                phase: .preparing)
        }
        if !headers.isEmpty, let name = Self.framingFields.first(where: headers.contains) {
            throw HTTPError(
                .invalidRequest,
                "the field \(name) belongs to the transport, which derives it from the request",
                phase: .preparing)
        }
        if !hasForwardingProxy, !headers.isEmpty { try refuseProxyAuthorization() }
        if !headers.isEmpty, headers[values: .host].count > 1 {
            throw HTTPError(.invalidRequest, "the field Host occurs twice", phase: .preparing)
        }
        for limit in [timeouts.connect, timeouts.idle, timeouts.total] {
            if case .after(let duration) = limit, duration <= .zero {
                throw HTTPError(
                    .invalidRequest, "a time limit of \(duration) is not positive: use .never",
                    phase: .preparing)
            }
        }
        if let length = body.length, length < 0 {
            throw HTTPError(
                .invalidRequest, "the body's length is negative: nil says that it is not known",
                phase: .preparing)
        }
        guard body.canBeSent else {
            throw HTTPError(
                .bodyAlreadyRead,
                "the request's body can be read once and was: make it restartable, or send it anew",
                phase: .preparing)
        }
        return target
    }

    /// Refuses credentials of a proxy that no proxy would read: a server would.
    package func refuseProxyAuthorization() throws(HTTPError) {
        guard headers.contains(.proxyAuthorization) else { return }
        throw HTTPError(
            .invalidRequest,
            "the field Proxy-Authorization would reach the server: give the proxy its credentials in the "
                + "transport's settings", phase: .preparing)
    }

    /// Fields that frame a message or manage its connection (RFC 9110 §7.6.1, RFC 9112 §6).
    private static let framingFields: [HTTPHeaderName] = [
        .contentLength, .transferEncoding, .connection, "Keep-Alive", .upgrade, .te, .trailer,
        .expect, "Proxy-Connection", "HTTP2-Settings",
    ]
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and URL, without user information, query and fragment.
    public var description: String {
        "\(method.rawValue.isToken ? method.rawValue : method.rawValue.logSafe) \(url.logSafe)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPRequest {
    /// Where the request goes. Costs nothing for the first request of a call, nor while its URL is the text
    /// that it was made of.
    ///
    /// - Throws: `invalidRequest` when the URL has no origin.
    package func origin() throws(HTTPError) -> HTTPOrigin {
        if let known = parts[0].target { return known.target.origin }
        return try HTTPOrigin(url)
    }
}
