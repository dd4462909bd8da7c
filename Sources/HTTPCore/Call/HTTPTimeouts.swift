/// The time limits of one exchange. The deadline of the request covers the whole call.
public struct HTTPTimeouts: Hashable, Sendable {
    public enum Limit: Hashable, Sendable {
        /// The session's own limit: 10 s to connect, 60 s idle, and no total limit, unless
        /// configured. A deadline turns it off.
        case standard
        case never
        /// A limit, which must be more than zero.
        case after(Duration)

        /// Returns a limit in seconds. A value that is too large for a `Duration`, such as
        /// infinity, gives ``never``. A value that is not positive, or not a number, makes sending
        /// throw.
        public static func seconds(_ seconds: Double) -> Self {
            if seconds >= 0x1p62 { return .never }
            return .after(seconds > 0 ? .seconds(seconds) : .zero)
        }
        public static func milliseconds(_ milliseconds: Int) -> Self {
            .after(.milliseconds(milliseconds))
        }
    }

    /// The limit of name resolution, connecting and TLS together.
    public var connect: Limit
    /// The longest time without a byte sent or received. Does not run while the reader is slow.
    public var idle: Limit
    /// The limit from submission to the last byte of the body.
    public var total: Limit

    public init(connect: Limit = .standard, idle: Limit = .standard, total: Limit = .standard) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }

    /// - Throws: `invalidRequest` if a limit is not positive.
    func check() throws(HTTPError) {
        try connect.check()
        try idle.check()
        try total.check()
    }
}

extension HTTPTimeouts.Limit {
    fileprivate func check() throws(HTTPError) {
        guard case .after(let duration) = self, duration <= .zero else { return }
        throw HTTPError(
            .invalidRequest, "a time limit of \(duration) is not positive: use .never",
            phase: .preparing)
    }
}
