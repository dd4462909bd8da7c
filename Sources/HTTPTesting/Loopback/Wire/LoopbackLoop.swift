#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The event loop of a server's thread: waits with poll(2), and gives each connection its turn.
///
/// One turn costs O(*n*) for *n* connections, in the kernel and here; that is enough for thousands.
final class LoopbackLoop {
    /// A closure that returns the program of a connection, numbered from 1.
    typealias Programs = @Sendable (_ connection: Int) -> LoopbackInterpreter.Program

    private let hub: LoopbackHub
    private let programs: Programs
    private let options: LoopbackOptions
    private var listener: LoopbackSocket
    private var pipe: LoopbackSocket.Pipe
    private var connections: [LoopbackConnection] = []
    /// The pipe, the listener, then the connections in their order.
    private var polled: [pollfd]
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)
    /// The time at which to accept again, after the process has run out of descriptors.
    private var acceptsAgain: ContinuousClock.Instant?

    private static let fixedCount = 2
    #if !canImport(Darwin)
        /// The POLLRDHUP of Linux, which the C library declares for GNU sources only.
        static let pollReadHangUp: Int32 = 0x2000
    #endif

    init(
        _ listener: consuming LoopbackSocket, pipe: consuming LoopbackSocket.Pipe, hub: LoopbackHub,
        options: LoopbackOptions, programs: @escaping Programs
    ) {
        self.polled = [
            pollfd(fd: pipe.output.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        hub.opened(wakeDescriptor: pipe.input.descriptor)
        self.listener = listener
        self.pipe = pipe
        self.hub = hub
        self.options = options
        self.programs = programs
    }

    /// Runs until the hub is told to stop, then closes all descriptors.
    func run() {
        while !hub.isStopping {
            wait(until: earliest(hub.resumeWaiters(), nextDeadline))
            turn()
        }
        for connection in connections { connection.stop() }
        connections = []
        listener.close()
        hub.finish()
        pipe.output.close()
        pipe.input.close()
    }

    private var nextDeadline: ContinuousClock.Instant? {
        connections.lazy.compactMap(\.deadline).reduce(acceptsAgain, earliest)
    }

    private func wait(until deadline: ContinuousClock.Instant?) {
        var milliseconds: Int32 = -1
        if let deadline {
            let left = max(.zero, deadline - .now) / .milliseconds(1)
            // Rounded up: waking a millisecond late is harmless, waking early would be a busy loop.
            milliseconds = Int32(min(left.rounded(.up), 60_000))
        }
        if unsafe poll(&polled, nfds_t(polled.count), milliseconds) < 0 {
            // Interrupted: the events are not known.
            for index in polled.indices { polled[index].revents = 0 }
        }
    }

    private func turn() {
        let now = ContinuousClock.now
        var released: Set<Int> = []
        if polled[0].revents != 0 {
            pipe.output.drain()
            released = hub.takeReleased()
        }
        // Backwards, because the last connection takes the place of one that ends.
        for index in connections.indices.reversed() {
            let connection = connections[index]
            let isReleased = !released.isEmpty && released.contains(connection.number)
            let isDue = connection.deadline.map { $0 <= now } ?? false
            let events = polled[index + Self.fixedCount].revents
            if events == 0, !isReleased, !isDue { continue }
            var event = Self.event(events, for: connection)
            event.isReleased = isReleased
            connection.turn(event, now: now, buffer: &buffer)
            settle(index)
        }
        if polled[1].revents != 0 || (acceptsAgain.map { $0 <= now } ?? false) { accept(now: now) }
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
            #if !canImport(Darwin)
                event.isClosedBehindUnread = events & Self.pollReadHangUp != 0
            #endif
        }
        return event
    }

    /// Removes the connection at `index` if it is over, else sets the events to wait for.
    private func settle(_ index: Int) {
        let connection = connections[index]
        guard !connection.isOver else {
            connections.swapAt(index, connections.count - 1)
            connections.removeLast()
            polled.swapAt(index + Self.fixedCount, polled.count - 1)
            polled.removeLast()
            return
        }
        var events: Int32 = 0
        if connection.isReading { events |= Int32(POLLIN) }
        if connection.isWriting { events |= Int32(POLLOUT) }
        #if !canImport(Darwin)
            // On other systems, a client's departure is noticed once its bytes are read.
            if connection.isDeaf { events |= Self.pollReadHangUp }
        #endif
        polled[index + Self.fixedCount].events = Int16(events)
    }

    private func accept(now: ContinuousClock.Instant) {
        acceptsAgain = nil
        polled[1].events = Int16(POLLIN)
        while true {
            switch listener.accept() {
            case .connection(let socket):
                let number = hub.record { $0.accepted() }
                let connection = LoopbackConnection(
                    socket, number: number,
                    interpreter: LoopbackInterpreter(programs(number), options: options), hub: hub)
                connections.append(connection)
                polled.append(pollfd(fd: connection.descriptor, events: 0, revents: 0))
                connection.turn(LoopbackConnection.Event(), now: now, buffer: &buffer)
                settle(connections.count - 1)
            case .nothing: return
            case .noDescriptors:
                // The connection stays in the backlog, where poll would report it again and again.
                acceptsAgain = now + .milliseconds(20)
                polled[1].events = 0
                return
            }
        }
    }
}

private func earliest(
    _ one: ContinuousClock.Instant?, _ other: ContinuousClock.Instant?
) -> ContinuousClock.Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}
