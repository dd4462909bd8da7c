/// The options of a ``LoopbackServer``: where it listens, and how much it keeps.
public struct LoopbackOptions: Sendable {
    /// The address to listen on: an IPv4 or IPv6 literal, such as `127.0.0.1` or `::1`.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 lets the system choose a free one.
    public var port: UInt16 = 0

    /// `true` if the handler runs when the request is complete; `false` if it runs as soon as the
    /// head has arrived.
    ///
    /// A server that waits sends `100 Continue` to a client that expects it. A server that does not
    /// wait leaves that, and every early response, to its scripts.
    public var waitsForContent = true

    /// The longest request content that ``LoopbackRequest/content`` holds: 16 MiB by default.
    ///
    /// The handler does not wait for longer content: it runs without content as soon as the length
    /// is known to be beyond the limit.
    package var contentLimit = 16 << 20

    /// The number of bytes after the head of a request that the log keeps: 1 MiB by default. All
    /// bytes are counted.
    public var loggedContentLimit = 1 << 20

    /// The minimum number of recent exchanges that the log keeps: 10,000 by default. All exchanges
    /// are counted.
    public var loggedExchangeLimit = 10_000

    /// `true` if the server still serves a client that has shut down its sending side.
    ///
    /// Otherwise the server treats such a client as gone, at once if the script is in a pause or at
    /// a gate. A client that cancels looks the same to the server, and tests wait for that.
    package var toleratesHalfClose = false

    /// Creates options with the defaults.
    public init() {}
}
