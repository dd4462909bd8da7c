/// What a call did, exchange by exchange, as far as it has come: a snapshot of records that
/// transports go on writing, final when the body has ended.
public struct HTTPTimeline: Sendable, Hashable {
    /// In the order they were sent: attempts and redirect hops, the last one last.
    public var exchanges: [Exchange]
    /// What was ruled on sending the call again, in order.
    public var retryDecisions: [HTTPRetryDecision]

    public init(exchanges: [Exchange], retryDecisions: [HTTPRetryDecision] = []) {
        self.exchanges = exchanges
        self.retryDecisions = retryDecisions
    }

    /// One request with its response on a wire. Marks are durations since ``start``; `nil` for what
    /// has not happened, was not needed (a reused connection resolves nothing), or is not known.
    public struct Exchange: Sendable, Hashable {
        /// When the transport was given the request, on ``HTTPSystemClock``.
        public var start: HTTPInstant
        /// Waiting for a free slot has ended.
        public var admitted: Duration?
        public var nameResolved: Duration?
        public var connected: Duration?
        public var secured: Duration?
        /// The first byte of the request is about to leave.
        public var sending: Duration?
        /// The head's first byte is in.
        public var firstByte: Duration?
        /// The body's last byte is in, or the exchange has failed.
        public var lastByte: Duration?

        /// Of the body, as sent.
        public var requestBodyBytes: Int64 = 0
        /// Of the body, as received from the wire, before content decoding.
        public var responseBodyBytes: Int64 = 0
        /// Of the body, after content decoding.
        public var decodedBodyBytes: Int64 = 0

        /// The IP address of the peer, such as `"127.0.0.1"` or `"::1"`, or the path of its Unix socket.
        ///
        /// With a ``proxy`` the peer is the proxy.
        public var remoteHost: String?
        /// The port of the peer; `nil` for a Unix socket.
        public var remotePort: Int?
        public var version: HTTPVersion?
        /// As OpenSSL names it, `"TLSv1.3"`.
        public var tlsVersion: String?
        /// Scheme, host and port of the proxy that the exchange went through.
        public var proxy: String?
        public var isConnectionReused: Bool?
        /// How often the transport's library sent the request anew on its own.
        public var silentResends: Int = 0

        public init(start: HTTPInstant) { self.start = start }
    }
}

/// What a transport writes an exchange's times to; reading it makes the snapshot.
public protocol HTTPTimelineRecord: AnyObject, Sendable {
    var exchange: HTTPTimeline.Exchange { get }
}

extension HTTPTimeline: CustomStringConvertible {
    /// One line per exchange: `connect 0.4 ms, first byte 1.2 ms, last byte 1.3 ms, 512 B, HTTP/1.1`.
    public var description: String {
        exchanges.map(\.description).joined(separator: "; then ")
    }
}

extension HTTPTimeline.Exchange: CustomStringConvertible {
    public var description: String {
        var parts = marks.map { "\($0.name) \($0.at.milliseconds)" }
        parts.append("\(responseBodyBytes) B")
        if let version { parts.append(version.rawValue) }
        if isConnectionReused == true { parts.append("reused connection") }
        if silentResends > 0 { parts.append("\(silentResends) silent re-sends") }
        return parts.joined(separator: ", ")
    }

    /// The peer's address as in an authority: `127.0.0.1:443`, `[::1]:80`, or `unix:` and a path.
    package var remoteAddress: String? {
        remoteHost.map { host in
            guard let remotePort else { return "unix:\(host)" }
            return host.utf8.contains(UInt8(ascii: ":"))
                ? "[\(host)]:\(remotePort)" : "\(host):\(remotePort)"
        }
    }

    /// The marks that happened, in time's order.
    fileprivate var marks: [(name: String, at: Duration)] {
        [
            ("queued", admitted), ("name", nameResolved), ("connect", connected), ("TLS", secured),
            ("sending", sending), ("first byte", firstByte), ("last byte", lastByte),
        ].compactMap { name, at in at.map { (name, $0) } }
    }
}

extension HTTPTimeline {
    /// A drawing of the phases, one line each, with bars on a common scale of `width` columns, which are
    /// 8 to 1000.
    public func waterfall(width: Int = 40) -> String {
        let width = min(max(width, 8), 1000)
        var lines: [String] = []
        for (number, exchange) in exchanges.enumerated() {
            let address = exchange.remoteAddress.map { " to \($0)" } ?? ""
            let version = exchange.version.map { " \($0)" } ?? ""
            let reuse = exchange.isConnectionReused == true ? ", reused connection" : ""
            lines.append("exchange \(number + 1)\(version)\(address)\(reuse)")
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
        return lines.joined(separator: "\n")
    }
}
