import PortableLibc

/// The event loop of a server's thread: waits for events, and gives each connection its turn.
final class LoopbackLoop {
    /// A closure that returns the program of a connection, numbered from 1.
    typealias Programs = @Sendable (_ connection: Int) -> LoopbackInterpreter.Program

    private let hub: LoopbackHub
    private let programs: Programs
    private let options: LoopbackOptions
    /// The descriptors to wait for, those of the connections in their order.
    private var polled: PollSet
    private var connections: [LoopbackConnection] = []
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)

    init(
        _ listener: consuming LoopbackSocket, pipe: consuming LoopbackSocket.Pipe, hub: LoopbackHub,
        options: LoopbackOptions, programs: @escaping Programs
    ) {
        polled = PollSet(listener, pipe: pipe)
        hub.opened(wakeDescriptor: polled.wakeDescriptor)
        self.hub = hub
        self.options = options
        self.programs = programs
    }

    /// Runs until the hub is told to stop, then closes all descriptors.
    func run() {
        while !hub.isStopping {
            polled.wait(until: earliest(hub.resumeWaiters(), nextDeadline))
            turn()
        }
        for connection in connections { connection.stop() }
        connections = []
        polled.stopListening()
        hub.finish()
        polled.closePipe()
    }

    private var nextDeadline: ContinuousClock.Instant? {
        connections.lazy.compactMap(\.deadline).reduce(nil, earliest)
    }

    private func turn() {
        let now = ContinuousClock.now
        let released = polled.takeWakeUp() ? hub.takeReleased() : []
        // Backwards, because the last connection takes the place of one that ends.
        for index in connections.indices.reversed() {
            let connection = connections[index]
            let isReleased = !released.isEmpty && released.contains(connection.number)
            let isDue = connection.deadline.map { $0 <= now } ?? false
            let events = polled.events(at: index)
            if events == 0, !isReleased, !isDue { continue }
            var event = Self.event(events, for: connection)
            event.isReleased = isReleased
            connection.turn(event, now: now, buffer: &buffer)
            settle(index)
        }
        while let socket = polled.accept(now: now) { begin(socket, now: now) }
    }

    private static func event(
        _ events: Int16, for connection: LoopbackConnection
    ) -> LoopbackConnection.Event {
        var event = LoopbackConnection.Event()
        let events = Int32(events)
        event.isWritable = events & Int32(POLLOUT) != 0
        let isFailed = events & Int32(POLLERR | POLLHUP | POLLNVAL) != 0
        if connection.isReading {
            // Reading distinguishes an end from a failure.
            event.isReadable = isFailed || events & Int32(POLLIN) != 0
        } else {
            event.isBroken = isFailed
            event.isClosedBehindUnread = events & PollSet.readHangUp != 0
        }
        return event
    }

    /// Removes the connection at `index` if it is over, else sets the events to wait for.
    private func settle(_ index: Int) {
        let connection = connections[index]
        guard !connection.isOver else {
            connections.swapAt(index, connections.count - 1)
            connections.removeLast()
            polled.swapRemove(at: index)
            return
        }
        var events: Int32 = 0
        if connection.isReading { events |= Int32(POLLIN) }
        if connection.isWriting { events |= Int32(POLLOUT) }
        if connection.isDeaf { events |= PollSet.readHangUp }
        polled.expect(Int16(events), at: index)
    }

    private func begin(_ socket: consuming LoopbackSocket, now: ContinuousClock.Instant) {
        let number = hub.record { $0.accepted() }
        let connection = LoopbackConnection(
            socket, number: number,
            interpreter: LoopbackInterpreter(programs(number), options: options), hub: hub)
        connections.append(connection)
        polled.append(pollfd(fd: connection.descriptor, events: 0, revents: 0))
        connection.turn(LoopbackConnection.Event(), now: now, buffer: &buffer)
        settle(connections.count - 1)
    }
}
