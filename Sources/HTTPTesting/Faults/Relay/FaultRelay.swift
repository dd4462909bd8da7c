import HTTPCore

/// A TCP relay on the loopback interface that delays, slows, stalls, cuts and resets what passes.
///
/// ```swift
/// let relay = try FaultRelay(to: server.port) { connection in
///     RelayPlan(toClient: RelayFaults(end: .init(.reset, after: connection == 1 ? 100 : .max)))
/// }
/// let response = try await session.response(for: relay.url("/greeting"))
/// ```
///
/// Knows no HTTP: it stands in front of any port, of a server with TLS, too. Runs on real time, on one
/// thread for all connections. It ends with ``stop()``, or when the relay is released.
public final class FaultRelay: Sendable {
    /// The port that the relay listens on, at 127.0.0.1.
    public let port: UInt16

    private let shared = RelayLoop.Shared()
    private let thread: LoopbackThread
    private let isJoined = Locked(false)

    /// - Parameters:
    ///   - host: where the server is, a literal address. A server that refuses makes the relay reset
    ///     its client.
    ///   - plan: what to do to each connection, counted from 1. Runs on the relay's thread and must not
    ///     block.
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
        // Released on its own thread, by its plan: nobody is left to join it.
        if thread.isCurrent { thread.detach() }
    }

    /// `http://127.0.0.1:PORT`, with no path.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The URL of `target`, which starts with a slash.
    public func url(_ target: String) -> String { url + target }

    public var connections: LoopbackConnections { shared.state.withLock { $0.connections } }

    /// Closes all connections and the listening socket; returns when no descriptor and no thread is
    /// left. Stopping again does nothing.
    public func stop() {
        shared.stop()
        guard !thread.isCurrent else { return }
        isJoined.withLock { isJoined in
            if !isJoined { thread.join() }
            isJoined = true
        }
    }
}
