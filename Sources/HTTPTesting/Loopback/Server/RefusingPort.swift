/// A port on 127.0.0.1 that refuses every connection for as long as this object exists.
///
/// The port is bound, but nothing listens on it, so no other program or test is given it. In
/// contrast, the port of a server that has stopped can be reused at once.
///
/// On Linux, a ``LoopbackServer`` can be started on the port while this object exists
/// (``LoopbackOptions/port``). The port refuses connections again when the server stops, so a test
/// can take the server down and up without losing its port:
///
/// ```swift
/// let port = try RefusingPort()
/// // Requests to port.url are refused.
/// var options = LoopbackOptions()
/// options.port = port.number
/// let server = try LoopbackServer(options) { _ in .ok("up") }
/// // They are answered.
/// ```
public final class RefusingPort: Sendable {
    private let socket: LoopbackSocket
    /// The number of the port.
    public let number: UInt16

    /// `"http://127.0.0.1:PORT"`, without a slash at the end.
    public var url: String { "http://127.0.0.1:\(number)" }

    /// - Throws: `cannotListen` if the system has no port left.
    public init() throws(LoopbackError) {
        socket = try LoopbackSocket.bound(host: "127.0.0.1", port: 0)
        number = socket.port
    }
}
