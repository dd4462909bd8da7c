/// Limits of time for one exchange; the deadline, which covers a whole call, is the request's.
public struct HTTPTimeouts: Hashable, Sendable {
    public enum Limit: Hashable, Sendable {
        /// The session's own: 10 s to connect, 60 s idle, none in total unless configured. Gives way
        /// to a deadline.
        case standard
        case never
        /// More than zero.
        case after(Duration)

        /// What no `Duration` can hold is ``never``, infinity included; not a number is no limit that
        /// can be sent.
        public static func seconds(_ seconds: Double) -> Self {
            if seconds >= 0x1p62 { return .never }
            return .after(seconds > 0 ? .seconds(seconds) : .zero)
        }
        public static func milliseconds(_ milliseconds: Int) -> Self {
            .after(.milliseconds(milliseconds))
        }
    }

    /// Name resolution, connecting and TLS.
    public var connect: Limit
    /// The longest time without a byte sent or received; not running while the reader is slow.
    public var idle: Limit
    /// From submission to the last byte of the body.
    public var total: Limit

    public init(connect: Limit = .standard, idle: Limit = .standard, total: Limit = .standard) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}
