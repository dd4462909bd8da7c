/// The exchanges of a call so far: a snapshot of records that transports continue to write. It is
/// final when the body has ended.
public struct HTTPTimeline: Sendable, Hashable {
    /// All exchanges, attempts as well as redirect hops, in the order in which they were sent.
    public var exchanges: [Exchange]
    /// The events that layers have recorded, such as retry decisions and statuses of caches, in
    /// order. See ``events(of:)``.
    public var layerEvents: [any HTTPTimelineEvent]

    /// Creates a timeline, for sessions that send nothing themselves, and for tests.
    public init(exchanges: [Exchange], layerEvents: [any HTTPTimelineEvent] = []) {
        self.exchanges = exchanges
        self.layerEvents = layerEvents
    }

    /// Returns the events of one layer, in order.
    public func events<Event: HTTPTimelineEvent>(of type: Event.Type) -> [Event] {
        layerEvents.compactMap { $0 as? Event }
    }

    public static func == (a: Self, b: Self) -> Bool {
        a.exchanges == b.exchanges && a.hashableEvents == b.hashableEvents
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(exchanges)
        hasher.combine(hashableEvents)
    }

    private var hashableEvents: [AnyHashable] { layerEvents.map { AnyHashable($0) } }

    /// One request with its response. Times are durations since ``start``. A time is `nil` if the
    /// event has not happened, was not necessary (a reused connection resolves no name), or is not
    /// known.
    public struct Exchange: Sendable, Hashable {
        /// The instant at which the transport received the request, on ``HTTPSystemClock``.
        public var start: HTTPInstant
        /// The end of the wait for a free slot.
        public var admitted: Duration?
        /// The host has addresses.
        public var nameResolved: Duration?
        /// The connection is made, without TLS.
        public var connected: Duration?
        /// The TLS handshake is complete.
        public var secured: Duration?
        /// The first byte of the request is about to be sent.
        public var sending: Duration?
        /// The first byte of the head has arrived.
        public var firstByte: Duration?
        /// The last byte of the body has arrived, or the exchange has failed.
        public var lastByte: Duration?

        /// The bytes of the request's body, as sent.
        public var requestBodyBytes: Int64 = 0
        /// The bytes of the response's body as received, before content decoding.
        public var responseBodyBytes: Int64 = 0
        /// The bytes of the response's body, after content decoding: those that its reader has
        /// decoded so far.
        public var decodedBodyBytes: Int64 = 0

        /// The IP address of the peer, such as `"127.0.0.1"` or `"::1"`, or the path of its Unix
        /// socket.
        ///
        /// With a ``proxy`` the peer is the proxy.
        public var remoteHost: String?
        /// The port of the peer; `nil` for a Unix socket.
        public var remotePort: Int?
        /// The version of HTTP in the response; `nil` without a response.
        public var version: HTTPVersion?
        /// The steps of the choice of the version, in order, as far as the transport made it.
        public var versionChoices: [HTTPVersionChoice] = []
        /// The TLS version as OpenSSL names it, such as `"TLSv1.3"`.
        public var tlsVersion: String?
        /// Scheme, host and port of the proxy that the exchange went through.
        public var proxy: String?
        /// `true` if the exchange used a connection of an earlier one; `nil` if it got none, or if
        /// the transport does not know.
        public var isConnectionReused: Bool?
        /// The number of times that the transport or its library sent the request again by itself.
        public var silentResends: Int = 0

        /// Creates the record of an exchange of which nothing else is known yet.
        public init(start: HTTPInstant) { self.start = start }
    }
}

/// A record that a transport writes an exchange's times to. Reading it creates the snapshot.
public protocol HTTPTimelineRecord: AnyObject, Sendable {
    /// A snapshot of the exchange.
    var exchange: HTTPTimeline.Exchange { get }
}

/// The record that a transport writes the times and counts of one exchange to.
///
/// Separate from the transport's own object for the exchange: the call retains the record, and that
/// object retains the call.
package final class ExchangeRecord: HTTPTimelineRecord {
    package let start: HTTPInstant
    @usableFromInline let state: Locked<HTTPTimeline.Exchange>

    package init() {
        let start = HTTPSystemClock().now
        self.start = start
        self.state = Locked(HTTPTimeline.Exchange(start: start))
    }

    /// The time since the exchange began.
    package var elapsed: Duration { HTTPSystemClock().now - start }

    package var exchange: HTTPTimeline.Exchange { state.withLock { $0 } }

    package var timeline: HTTPTimeline { HTTPTimeline(exchanges: [exchange]) }

    @inlinable package func update(_ change: (inout HTTPTimeline.Exchange) -> Void) {
        state.withLock { change(&$0) }
    }
}

extension HTTPTimeline: CustomStringConvertible {
    /// One clause per exchange, then those of layers:
    /// `connect 0.4 ms, first byte 1.2 ms, last byte 1.3 ms, 512 B, HTTP/1.1; cache: hit, ttl=30`.
    public var description: String {
        let clauses = exchanges.map(\.description).joined(separator: "; then ")
        return ([clauses].filter { !$0.isEmpty } + layerEvents.compactMap(\.timelineClause))
            .joined(separator: "; ")
    }
}

extension HTTPTimeline.Exchange: CustomStringConvertible {
    public var description: String {
        var parts = marks.map { "\($0.name) \($0.at.milliseconds)" }
        parts.append("\(responseBodyBytes) B")
        if let version { parts.append(version.rawValue) }
        parts += versionChoices.map(\.description)
        if isConnectionReused == true { parts.append("reused connection") }
        if silentResends > 0 { parts.append("\(silentResends) silent re-sends") }
        return parts.joined(separator: ", ")
    }

    /// The peer's address as in an authority: `127.0.0.1:443`, `[::1]:80`, or `unix:` and a path.
    package var remoteAddress: String? {
        remoteHost.map { Self.address($0, port: remotePort) }
    }

    /// Returns the text of an address as in an authority. Without a port, `host` is the path of a
    /// Unix socket.
    package static func address(_ host: String, port: Int?) -> String {
        guard let port else { return "unix:\(host)" }
        return host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// The events that have happened, with their times, in order.
    fileprivate var marks: [(name: String, at: Duration)] {
        [
            ("queued", admitted), ("name", nameResolved), ("connect", connected), ("TLS", secured),
            ("sending", sending), ("first byte", firstByte), ("last byte", lastByte),
        ].compactMap { name, at in at.map { (name, $0) } }
    }
}

extension HTTPTimeline {
    /// Returns a drawing of the phases, one line each, with bars on a common scale of `width`
    /// columns. `width` is limited to 8…1000.
    public func waterfall(width: Int = 40) -> String {
        let width = min(max(width, 8), 1000)
        var lines: [String] = []
        for (number, exchange) in exchanges.enumerated() {
            let address = exchange.remoteAddress.map { " to \($0.escapingControls())" } ?? ""
            let version = exchange.version.map { " \($0)" } ?? ""
            let reuse = exchange.isConnectionReused == true ? ", reused connection" : ""
            lines.append("exchange \(number + 1)\(version)\(address)\(reuse)")
            lines += exchange.versionChoices.map { "  \($0)" }
            let whole = max(exchange.marks.map(\.at).max() ?? .zero, .microseconds(1))
            func column(_ at: Duration) -> Int { Int(max(at, .zero) / whole * Double(width)) }
            var begin = Duration.zero
            for (name, at) in exchange.marks {
                let from = min(column(begin), width - 1)
                let to = max(from + 1, column(at))
                let bar =
                    String(repeating: " ", count: from) + String(repeating: "█", count: to - from)
                let label = name + String(repeating: " ", count: max(0, 11 - name.count))
                lines.append(
                    "  \(label)|\(bar)\(String(repeating: " ", count: max(0, width - bar.count)))| "
                        + "\(at.subtracting(begin).milliseconds)")
                begin = at
            }
            lines.append(
                "  \(exchange.requestBodyBytes) bytes of body out, \(exchange.responseBodyBytes) in"
                    + (exchange.decodedBodyBytes == exchange.responseBodyBytes
                        ? "" : ", \(exchange.decodedBodyBytes) decoded"))
        }
        lines += layerEvents.compactMap(\.timelineClause)
        return lines.joined(separator: "\n")
    }
}
