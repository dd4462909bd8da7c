import HTTPCore

/// The event loop of a relay's thread: waits for events, and gives each connection its turn.
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
    /// The descriptors to wait for, two of each connection in their order.
    private var polled: PollSet
    private var connections: [RelayConnection] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(
        _ listener: consuming LoopbackSocket, pipe: consuming LoopbackSocket.Pipe, _ shared: Shared,
        connect: @escaping @Sendable () throws(LoopbackError) -> LoopbackSocket,
        plan: @escaping @Sendable (Int) -> RelayPlan
    ) {
        polled = PollSet(listener, pipe: pipe)
        let wakeDescriptor = polled.wakeDescriptor
        shared.state.withLock { $0.wakeDescriptor = wakeDescriptor }
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
        polled.stopListening()
        polled.closePipe()
    }

    private func turn() {
        polled.removeAll()
        for connection in connections {
            let (client, server) = connection.polled
            polled.append(client)
            polled.append(server)
        }
        polled.wait(until: connections.lazy.compactMap(\.deadline).min())
        _ = polled.takeWakeUp()
        let now = ContinuousClock.now
        for (index, connection) in connections.enumerated() {
            let events = (polled.events(at: 2 * index), polled.events(at: 2 * index + 1))
            let isDue = connection.deadline.map { $0 <= now } ?? false
            guard isDue || events != (0, 0) else { continue }
            connection.turn(client: events.0, server: events.1, now: now, buffer: &buffer)
        }
        let count = connections.count
        connections.removeAll(where: \.isOver)
        let ended = count - connections.count
        if ended > 0 { shared.state.withLock { $0.connections.open -= ended } }
        while let client = polled.accept(now: now) { relay(client) }
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
