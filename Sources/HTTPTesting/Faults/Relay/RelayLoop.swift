import HTTPCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The event loop of a relay's thread: waits with poll(2), and gives each connection its turn.
final class RelayLoop {
    /// The state that the relay's owner and its thread share.
    final class Shared: Sendable {
        struct State {
            var isStopping = false
            /// The input end of the loop's pipe, until the loop closes it.
            var wakeDescriptor: Int32?
            var connections = LoopbackConnections()
        }
        let state = Locked(State())

        func stop() {
            state.withLock { state in
                state.isStopping = true
                if let descriptor = state.wakeDescriptor { LoopbackSocket.wake(descriptor) }
            }
        }
    }

    private let shared: Shared
    private let connect: @Sendable () throws(LoopbackError) -> LoopbackSocket
    private let plan: @Sendable (Int) -> RelayPlan
    private var listener: LoopbackSocket
    private var pipe: LoopbackSocket.Pipe
    private var connections: [RelayConnection] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    /// The time at which to accept again, after the process has run out of descriptors.
    private var acceptsAgain: ContinuousClock.Instant?

    init(
        _ listener: consuming LoopbackSocket, pipe: consuming LoopbackSocket.Pipe, _ shared: Shared,
        connect: @escaping @Sendable () throws(LoopbackError) -> LoopbackSocket,
        plan: @escaping @Sendable (Int) -> RelayPlan
    ) {
        let wakeDescriptor = pipe.input.descriptor
        shared.state.withLock { $0.wakeDescriptor = wakeDescriptor }
        self.listener = listener
        self.pipe = pipe
        self.shared = shared
        self.connect = connect
        self.plan = plan
    }

    /// Runs until it is told to stop, then closes all descriptors.
    func run() {
        while !shared.state.withLock({ $0.isStopping }) { turn() }
        for connection in connections { connection.close() }
        shared.state.withLock { state in
            state.wakeDescriptor = nil
            state.connections.open = 0
        }
        listener.close()
        pipe.output.close()
        pipe.input.close()
    }

    private func turn() {
        var polled = [
            pollfd(fd: pipe.output.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: acceptsAgain == nil ? listener.descriptor : -1, events: Int16(POLLIN),
                revents: 0),
        ]
        for connection in connections {
            let (client, server) = connection.polled
            polled += [client, server]
        }
        var milliseconds: Int32 = -1
        if let deadline = (connections.map(\.deadline) + [acceptsAgain])
            .compactMap(\.self).min()
        {
            let left = max(.zero, deadline - .now) / .milliseconds(1)
            // Rounded up: waking a millisecond late is harmless, waking early would be a busy loop.
            milliseconds = Int32(min(left.rounded(.up), 60_000))
        }
        guard unsafe poll(&polled, nfds_t(polled.count), milliseconds) >= 0 else { return }

        if polled[0].revents != 0 { pipe.output.drain() }
        let now = ContinuousClock.now
        for (index, connection) in connections.enumerated() {
            let events = (polled[2 + 2 * index].revents, polled[3 + 2 * index].revents)
            let isDue = connection.deadline.map { $0 <= now } ?? false
            guard isDue || events != (0, 0) else { continue }
            connection.turn(client: events.0, server: events.1, now: now, buffer: &buffer)
        }
        let count = connections.count
        connections.removeAll(where: \.isOver)
        let ended = count - connections.count
        if ended > 0 { shared.state.withLock { $0.connections.open -= ended } }
        if polled[1].revents != 0 || (acceptsAgain.map { $0 <= now } ?? false) { accept() }
    }

    private func accept() {
        acceptsAgain = nil
        while true {
            switch listener.accept() {
            case .connection(let client): relay(client)
            case .nothing: return
            case .noDescriptors:
                // The connection stays in the backlog, where poll would report it again and again.
                acceptsAgain = .now + .milliseconds(20)
                return
            }
        }
    }

    private func relay(_ client: consuming LoopbackSocket) {
        let number = shared.state.withLock { state in
            state.connections.accepted += 1
            state.connections.open += 1
            state.connections.highWater = max(
                state.connections.highWater, state.connections.open)
            return state.connections.accepted
        }
        do throws(LoopbackError) {
            let server = try connect()
            connections.append(
                RelayConnection(client: client, server: server, plan(number)))
        } catch {
            client.resetOnClose()
            shared.state.withLock { $0.connections.open -= 1 }
        }
    }
}
