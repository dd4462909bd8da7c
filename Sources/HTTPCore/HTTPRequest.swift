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
    public var method: HTTPMethod
    /// Absolute for a session; a client with a base URL joins a relative one first.
    public var url: URL
    public var headers: HTTPHeaders
    public var body: HTTPBody
    public var delivery: HTTPDelivery
    /// When the whole call ends, on its clock: queueing, redirects, retries, waits and the last
    /// octet of the body. Switches off limits that nobody set (``HTTPTimeouts/Limit/standard``).
    public var deadline: HTTPInstant?
    public var timeouts: HTTPTimeouts
    /// The version to speak, or `nil` for the best that both sides can.
    public var version: HTTPVersion?
    public var options: HTTPOptions
    /// What all attempts and hops of one call share, or `nil` before the outermost session began it.
    public private(set) var call: HTTPCall?

    private static let lastID = Atomic<UInt64>(0)

    public init(
        _ method: HTTPMethod, _ url: URL, headers: HTTPHeaders = [:],
        body: HTTPBody = .empty
    ) {
        self.id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.delivery = .streamed
        self.timeouts = HTTPTimeouts()
        self.options = HTTPOptions()
    }

    /// - Throws: `invalidRequest` when `url` is no URL to the letter of RFC 3986; nothing is repaired.
    public init(
        _ method: HTTPMethod, _ url: String, headers: HTTPHeaders = [:],
        body: HTTPBody = .empty
    ) throws(HTTPError) {
        self.init(method, try URL(strictly: url), headers: headers, body: body)
    }

    public subscript<Key: HTTPRequestOption>(key: Key.Type) -> Key.Value {
        get { options[key] }
        set { options[key] = newValue }
    }
}

extension HTTPRequest {
    /// This request with a call, begun now unless it has one: what an outermost session does first.
    ///
    /// - Throws: `invalidRequest` when the URL has no origin, since a call is bound to its first.
    public func beginningCall(
        observer: (any HTTPObserver)? = nil, clock: any HTTPClock = .system
    ) throws(HTTPError) -> HTTPRequest {
        guard call == nil else { return self }
        var request = self
        request.call = HTTPCall(
            origin: try HTTPOrigin(url), deadline: deadline, observer: observer, clock: clock)
        return request
    }

    /// This request without a call, so that sending it begins a new one.
    public func endingCall() -> HTTPRequest {
        var request = self
        request.call = nil
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

// MARK: - What may be sent

extension HTTPRequest {
    /// Proves the request sendable and says where it goes. Every transport calls this first.
    ///
    /// - Throws: `invalidRequest` naming the part that is wrong, never a field's value.
    public func checkedTarget() throws(HTTPError) -> HTTPTarget {
        let target = try HTTPTarget(url)
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
        if let name = headers.refusedName {
            throw HTTPError(
                .invalidRequest,
                "the field \(name.spelling.logSafe) was refused when it was set: "
                    + "its name is no token, or its value holds a control character or outer blanks",
                phase: .preparing)
        }
        for name in Self.framingFields where headers.contains(name) {
            throw HTTPError(
                .invalidRequest,
                "the field \(name) belongs to the transport, which derives it from the request",
                phase: .preparing)
        }
        if headers[values: .host].count > 1 {
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
