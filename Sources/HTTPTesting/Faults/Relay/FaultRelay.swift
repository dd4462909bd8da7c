import HTTPCore

/// A TCP relay on the loopback interface that delays, slows, stalls, cuts and resets connections.
///
/// ```swift
/// let relay = try FaultRelay(to: server.port) { connection in
///     RelayPlan(toClient: RelayFaults(end: .init(.reset, after: connection == 1 ? 100 : .max)))
/// }
/// let response = try await session.response(for: relay.url("/greeting"))
/// ```
///
/// The relay knows nothing of HTTP, so it works in front of any port, including that of a TLS
/// server. It uses real time, and one thread for all connections. It ends when ``stop()`` is called
/// or when the relay is released.
public final class FaultRelay: Sendable {
    /// The port that the relay listens on, at 127.0.0.1.
    public let port: UInt16

    private let shared = RelayLoop.Shared()
    private let thread: LoopbackThread
    private let isJoined = Locked(false)

    /// - Parameters:
    ///   - serverPort: The port of the server on this machine.
    ///   - host: the address of the server, as an IP literal. If the server refuses a connection,
    ///     the relay resets the client's.
    ///   - plan: returns the plan for each connection, counted from 1. Runs on the relay's thread
    ///     and must not block.
    public init(
        to serverPort: UInt16, host: String = "127.0.0.1",
        plan: @escaping @Sendable (_ connection: Int) -> RelayPlan = { _ in RelayPlan() }
    ) throws(LoopbackError) {
        let listener = try LoopbackSocket.listening(host: "127.0.0.1", port: 0)
        port = listener.port
        let loop = RelayLoop(
            listener, pipe: try LoopbackSocket.pipe(), shared,
            connect: { () throws(LoopbackError) in
                try LoopbackSocket.connecting(host: host, port: serverPort)
            }, plan: plan)
        thread = try LoopbackThread { loop.run() }
    }

    deinit {
        stop()
        // Released on its own thread, by its plan: a thread cannot join itself.
        if thread.isCurrent { thread.detach() }
    }

    /// `http://127.0.0.1:PORT`, with no path.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The URL of `target`, which starts with a slash.
    public func url(_ target: String) -> String { url + target }

    package var connections: LoopbackConnections { shared.state.withLock { $0.connections } }

    /// Closes all connections and the listening socket, and returns when all descriptors are closed
    /// and the thread has ended. Calling it again has no effect.
    public func stop() {
        shared.stop()
        guard !thread.isCurrent else { return }
        isJoined.withLock { isJoined in
            if !isJoined { thread.join() }
            isJoined = true
        }
    }
}
