import Synchronization
public import PortableFoundation

/// A request: its method, target, header section and body, how the response is delivered, and until
/// when.
///
/// A request is a value: changing a copy does not change the original.
public struct HTTPRequest: Identifiable, Sendable {
    /// A number that is stable across copies. It does not identify a call: attempts and hops share
    /// ``call`` instead.
    public let id: UInt64
    /// The call that all attempts and hops share, or `nil` if the outermost session has not begun
    /// it. A middleware reads ``currentCall``.
    public internal(set) var call: HTTPCall?

    /// An array of exactly one element. Layers pass requests on far more often than they change
    /// them: a copy counts one reference, a change makes at most one copy, and neither takes a
    /// lock.
    @usableFromInline var parts: [Parts]

    @usableFromInline struct Parts: Sendable {
        @usableFromInline var method: HTTPMethod
        @usableFromInline var url: URL
        @usableFromInline var headers: HTTPHeaders
        @usableFromInline var body: HTTPBody
        @usableFromInline var delivery: HTTPDelivery
        @usableFromInline var deadline: HTTPInstant?
        /// The time that ``deadline`` was set to; `nil` if it was set to a moment.
        @usableFromInline var deadlineLimit: Duration?
        /// `true` if ``deadline`` is on the system clock, because no call has begun.
        @usableFromInline var isDeadlineEarly: Bool
        @usableFromInline var timeouts: HTTPTimeouts
        @usableFromInline var version: HTTPVersion?
        @usableFromInline var options: HTTPOptions
        @usableFromInline var implied: ImpliedFields?
        /// The target in ``url``, or `nil` if it has not been parsed yet.
        @usableFromInline var target: ParsedURL?
    }

    /// A URL and the target that it was parsed to. A reference, so that a copy of the parts counts
    /// it once.
    @usableFromInline final class ParsedURL: Sendable {
        /// The URLs of the last requests of the process, without those that have a query or a
        /// fragment: most come once, and secrets are there. A secret in a path stays here.
        private static let recent = RecentTable<ParsedURL>(waits: false)

        let url: URL
        let target: HTTPTarget

        private init(_ url: URL, _ target: HTTPTarget) { (self.url, self.target) = (url, target) }

        /// Returns the URL of a text that was parsed before.
        static func known(_ text: String) -> ParsedURL? {
            let marks = (UInt8(ascii: "?"), UInt8(ascii: "#"))
            if text.utf8.contains(where: { $0 == marks.0 || $0 == marks.1 }) { return nil }
            // Strings are compared by meaning: the Kelvin sign is equal to K, but has more bytes.
            let known = recent.value(for: text)
            return known?.url.absoluteString.utf8.count == text.utf8.count ? known : nil
        }

        /// Returns what `url` is parsed to; `nil` if it is no target.
        static func of(_ url: URL) -> ParsedURL? {
            let text = url.absoluteString
            return known(text) ?? (try? HTTPTarget.reference(text)).flatMap { parse(url, $0) }
        }

        static func parse(_ url: URL, _ uri: URIReference) -> ParsedURL? {
            guard let target = try? HTTPTarget(uri) else { return nil }
            let parsed = ParsedURL(url, target)
            if uri.query == nil, uri.fragment == nil, url.baseURL == nil {
                recent.keep(parsed, for: uri.text)
            }
            return parsed
        }
    }

    private static let lastID = Atomic<UInt64>(0)

    /// Creates a request for a URL.
    public init(
        _ method: HTTPMethod, _ url: URL, headers: HTTPHeaders = HTTPHeaders(),
        body: HTTPBody = .empty
    ) {
        self.id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.parts = [
            Parts(
                method: method, url: url, headers: headers, body: body, delivery: .streamed,
                isDeadlineEarly: false, timeouts: HTTPTimeouts(), options: HTTPOptions())
        ]
    }

    /// Creates a request for a route: `HTTPRequest(.delete, "users/\(id)")`.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - route: The URL. It may be relative for a client with a base URL; an empty text means the
    ///     base URL itself, and ``url`` is then an empty fragment, `#`.
    ///   - headers: The header section.
    ///   - body: The body.
    /// - Throws: `invalidRequest` if `route` is not a valid URL (RFC 3986), of which nothing is
    ///   repaired, or if a value in it cannot stay in its place.
    public init(
        _ method: HTTPMethod, _ route: HTTPRoute, headers: HTTPHeaders = HTTPHeaders(),
        body: HTTPBody = .empty
    ) throws(HTTPError) {
        let text = try route.textOrBase
        if let known = ParsedURL.known(text) {
            self.init(method, known.url, headers: headers, body: body)
            parts[0].target = known
            return
        }
        let uri = try HTTPTarget.reference(text)
        let url = try URL(uri)
        self.init(method, url, headers: headers, body: body)
        // A relative URL is joined to a base URL first.
        if uri.authority != nil { parts[0].target = ParsedURL.parse(url, uri) }
    }

    /// Creates a request for a URL that is a string. A literal is an ``HTTPRoute`` instead.
    ///
    /// - Throws: `invalidRequest` if `url` is not a valid URL (RFC 3986); nothing is repaired.
    @_disfavoredOverload
    public init(
        _ method: HTTPMethod, _ url: some StringProtocol, headers: HTTPHeaders = HTTPHeaders(),
        body: HTTPBody = .empty
    ) throws(HTTPError) {
        try self.init(method, HTTPRoute(verbatim: String(url)), headers: headers, body: body)
    }

    public subscript<Key: HTTPRequestOption>(key: Key.Type) -> Key.Value {
        get { options[key] }
        set { options[key] = newValue }
    }
}

extension HTTPRequest {
    /// Creates a GET request.
    public init(url: URL) { self.init(.get, url) }

    /// Creates a GET request for a route: `HTTPRequest("users/\(id)")`.
    ///
    /// - Throws: `invalidRequest` if `route` is not a valid URL (RFC 3986), of which nothing is
    ///   repaired, or if a value in it cannot stay in its place.
    public init(_ route: HTTPRoute) throws(HTTPError) { try self.init(.get, route) }

    /// Creates a GET request for a URL that is a string. A literal is an ``HTTPRoute`` instead.
    ///
    /// - Throws: `invalidRequest` if `url` is not a valid URL (RFC 3986); nothing is repaired.
    @_disfavoredOverload
    public init(_ url: some StringProtocol) throws(HTTPError) {
        try self.init(.get, HTTPRoute(verbatim: String(url)))
    }

    /// Creates a request and completes it in a closure:
    /// `HTTPRequest(.post, "tags/\(id)") { try $0.headers.append("X-Tag", tag) }`.
    ///
    /// The result is the request that `build` leaves, even if `build` assigns a new one.
    ///
    /// - Throws: `invalidRequest` if `route` is not a valid URL (RFC 3986), or if a value in it
    ///   cannot stay in its place; the errors of `build`.
    public init(
        _ method: HTTPMethod, _ route: HTTPRoute,
        _ build: (inout HTTPRequest) throws -> Void
    ) throws {
        var request = try HTTPRequest(method, route)
        try build(&request)
        self = request
    }

    /// Creates a request for a URL that is a string, and completes it in a closure.
    ///
    /// - Throws: `invalidRequest` if `url` is not a valid URL (RFC 3986); the errors of `build`.
    @_disfavoredOverload
    public init(
        _ method: HTTPMethod, _ url: some StringProtocol,
        _ build: (inout HTTPRequest) throws -> Void
    ) throws {
        try self.init(method, HTTPRoute(verbatim: String(url)), build)
    }
}

// MARK: - Parts

// Read and changed in place: to read one field, a getter would retain the references of all fields,
// and a setter would copy them. Inlined: for another module, the accessor would allocate its frame.
extension HTTPRequest {
    /// The method. See ``HTTPMethod/isIdempotent`` for what may be sent again.
    public var method: HTTPMethod {
        @inlinable get { parts[0].method }
        set { parts[0].method = newValue }
    }

    /// The URL. A session needs an absolute one; a client with a base URL joins a relative one to
    /// it first.
    public var url: URL {
        @inlinable _read { yield parts[0].url }
        _modify {
            defer { parts[0].target = nil }
            yield &parts[0].url
        }
    }

    /// The header section, as the caller sets it. Layers and the transport add fields of their own
    /// when the request is sent.
    public var headers: HTTPHeaders {
        @inlinable _read { yield parts[0].headers }
        _modify { yield &parts[0].headers }
    }

    /// The body. Setting it does not change the headers: the caller then sets `Content-Type` for
    /// the new body.
    ///
    /// The body methods, such as ``text(_:contentType:)``, set both.
    public var body: HTTPBody {
        @inlinable _read { yield parts[0].body }
        set {
            parts[0].body = newValue
            parts[0].implied = parts[0].implied?.withoutFitting
        }
    }

    /// The delivery of the response: as a stream, or in memory up to a limit.
    public var delivery: HTTPDelivery {
        @inlinable get { parts[0].delivery }
        set { parts[0].delivery = newValue }
    }

    /// The time at which the whole call ends, on the call's clock: queueing, redirects, retries,
    /// waits and the last byte of the body included.
    ///
    /// A deadline turns off limits that were not set explicitly (``HTTPTimeouts/Limit/standard``).
    public var deadline: HTTPInstant? {
        @inlinable get { parts[0].deadline }
        set { if newValue != deadline { setDeadline(newValue, lasting: nil) } }
    }

    /// The time that the deadline was set to, for errors: the time left tells the caller nothing.
    /// `nil` if it was set to a moment, until the call begins.
    package var deadlineLimit: Duration? { parts[0].deadlineLimit }

    /// Sets the deadline and the time that the caller set it to.
    package mutating func setDeadline(_ deadline: HTTPInstant?, lasting limit: Duration?) {
        guard
            deadline != parts[0].deadline || limit != parts[0].deadlineLimit
                || parts[0].isDeadlineEarly
        else { return }
        parts[0].deadline = deadline
        parts[0].deadlineLimit = limit
        parts[0].isDeadlineEarly = false
    }

    /// Returns the deadline as a call with `clock` has it. Two clocks have no time in common, so a
    /// deadline that was set as a duration counts from now on a clock other than the system's.
    func deadline(on clock: any HTTPClock) -> HTTPInstant? {
        guard parts[0].isDeadlineEarly, let limit = deadlineLimit, !(clock is HTTPSystemClock)
        else { return deadline }
        return clock.now + limit
    }

    /// Returns this request with a deadline that limits several calls on `clock` together.
    package func limitingCalls(on clock: any HTTPClock) -> HTTPRequest {
        var request = self
        if let instant = deadline(on: clock) {
            request.setDeadline(instant, lasting: deadlineLimit)
        }
        return request
    }

    /// Sets a deadline `duration` from now on `clock`.
    package mutating func setDeadline(in duration: Duration, on clock: any HTTPClock) {
        setDeadline(clock.now + duration, lasting: duration)
    }

    /// The time limits of each exchange.
    public var timeouts: HTTPTimeouts {
        @inlinable get { parts[0].timeouts }
        set { parts[0].timeouts = newValue }
    }

    /// The HTTP version to use. The request fails if it cannot be had. `nil` leaves the choice to
    /// the transport.
    public var version: HTTPVersion? {
        @inlinable get { parts[0].version }
        set { parts[0].version = newValue }
    }

    /// The options that layers and transports define. See ``HTTPRequestOption``.
    public var options: HTTPOptions {
        @inlinable _read { yield parts[0].options }
        _modify { yield &parts[0].options }
    }

    @inlinable package var hasOptions: Bool { !parts[0].options.isEmpty }

    /// `true` if there are fields, or one was refused; reading this copies nothing.
    package var hasFields: Bool { !parts[0].headers.isEmpty || parts[0].headers.refusedName != nil }

    /// `false` if ``prepared()`` has nothing to do; reading this copies nothing.
    @usableFromInline package var mayNeedPreparing: Bool { hasOptions || parts[0].implied != nil }

    /// The fields that the body methods have written to ``headers``.
    package var implied: ImpliedFields? {
        get { parts[0].implied }
        set { parts[0].implied = newValue }
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL, without user information, query and fragment.
    public var description: String {
        "\(method.rawValue.isToken ? method.rawValue : method.rawValue.logSafe) \(url.logSafe)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
