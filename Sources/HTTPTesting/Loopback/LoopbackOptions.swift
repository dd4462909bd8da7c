/// How a ``LoopbackServer`` listens, and how much it keeps.
public struct LoopbackOptions: Sendable {
    /// The address to listen on: an IPv4 or IPv6 literal, such as `127.0.0.1` or `::1`.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 lets the system choose a free one.
    public var port: UInt16 = 0

    /// Whether the handler runs once the request is complete, and not as soon as its head has
    /// arrived.
    ///
    /// A server that waits sends `100 Continue` to a client that expects it. One that does not wait
    /// leaves that, and every early answer, to its scripts.
    public var waitsForContent = true

    /// The longest request content that ``LoopbackRequest/content`` holds: 16 MiB unless told.
    ///
    /// For longer content the handler does not wait: it runs as soon as the length is known to be
    /// beyond the limit, without content.
    public var contentLimit = 16 << 20

    /// How many bytes after the head of a request the log keeps: 1 MiB unless told. All are
    /// counted.
    public var loggedContentLimit = 1 << 20

    /// How many exchanges the log keeps at least, the latest ones: 10,000 unless told. All are
    /// counted.
    public var loggedExchangeLimit = 10_000

    /// Whether a client that has shut down its sending side is served on.
    ///
    /// Otherwise it is taken to have left, at once if the script is in a pause or at a gate: a
    /// client that cancels looks the same from here, and tests wait for that.
    public var toleratesHalfClose = false

    public init() {}
}
