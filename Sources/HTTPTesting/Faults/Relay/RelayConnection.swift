import PortableLibc

/// A client's connection to the relay, and the relay's connection to the server for it.
///
/// Belongs to the thread of its ``RelayLoop``.
final class RelayConnection {
    private enum State {
        case connecting, open
        /// The client's bytes are read and dropped. A close at once could reset the connection
        /// before the client has read everything.
        case lingering
        case over
    }

    /// One of the two connections, and the direction of the bytes that arrive on it.
    private struct End: ~Copyable {
        var socket: LoopbackSocket
        var channel: RelayChannel
        /// `true` if it takes no more bytes for now.
        var isBlocked = false

        var events: Int32 {
            var events: Int32 = 0
            if channel.wantsBytes { events |= Int32(POLLIN) }
            if isBlocked { events |= Int32(POLLOUT) }
            // The only sign that a side has left a stalled connection.
            if channel.isStalled { events |= PollSet.readHangUp }
            return events
        }

        /// A side without events to wait for would report its end again and again.
        func polled(for events: Int32) -> pollfd {
            pollfd(fd: events == 0 ? -1 : socket.descriptor, events: Int16(events), revents: 0)
        }

        /// Returns `true` if this side is not being read, and has left.
        func isGone(_ events: Int16) -> Bool {
            let signs = Int32(POLLERR | POLLNVAL) | PollSet.readHangUp
            return channel.isStalled && Int32(events) & signs != 0
        }

        /// Reads what has arrived, and returns `false` if the connection has failed.
        mutating func read(_ now: ContinuousClock.Instant, _ buffer: inout [UInt8]) -> Bool {
            while channel.wantsBytes {
                switch socket.receive(into: &buffer) {
                case .bytes(let count):
                    channel.received(ArraySlice(Array(buffer[..<count])), now: now)
                case .nothing: return true
                case .end: channel.receivedEnd(now: now)
                case .failure: return false
                }
            }
            return true
        }

        /// Passes what may pass now to the other side. Returns what to wait for or to do next.
        mutating func pass(to other: inout End, _ now: ContinuousClock.Instant) -> RelayChannel.Step
        {
            while true {
                let step = channel.next(now: now)
                switch step {
                case .idle, .wait, .stop: return step
                case .end: other.socket.shutDownSending()
                case .write(let bytes):
                    let bytes = Array(bytes)
                    switch other.socket.send(bytes, 0..<bytes.count) {
                    case .bytes(let count): channel.wrote(count, now: now)
                    case .nothing:
                        other.isBlocked = true
                        return .idle
                    case .failure: return .stop(.reset)
                    }
                }
            }
        }
    }

    private var client: End
    private var server: End
    private var state = State.connecting
    private(set) var deadline: ContinuousClock.Instant?

    init(client: consuming LoopbackSocket, server: consuming LoopbackSocket, _ plan: RelayPlan) {
        self.client = End(socket: client, channel: RelayChannel(plan.toServer))
        self.server = End(socket: server, channel: RelayChannel(plan.toClient))
    }

    var isOver: Bool { state == .over }

    /// The descriptors and events to poll. A descriptor of -1 is not polled.
    var polled: (client: pollfd, server: pollfd) {
        switch state {
        case .connecting: (client.polled(for: 0), server.polled(for: Int32(POLLOUT)))
        case .open: (client.polled(for: client.events), server.polled(for: server.events))
        case .lingering: (client.polled(for: Int32(POLLIN)), server.polled(for: 0))
        case .over: (client.polled(for: 0), server.polled(for: 0))
        }
    }

    func turn(
        client clientEvents: Int16, server serverEvents: Int16, now: ContinuousClock.Instant,
        buffer: inout [UInt8]
    ) {
        let isDue = deadline.map { $0 <= now } ?? false
        switch state {
        case .over: return
        case .lingering:
            // Once per turn: a client that never stops sending must not keep the others waiting.
            switch client.socket.receive(into: &buffer) {
            case .bytes where !isDue, .nothing where !isDue: return
            case .bytes, .nothing, .end, .failure: return close()
            }
        case .connecting:
            guard serverEvents != 0 else { return }
            guard server.socket.connectError == 0 else { return reset() }
            state = .open
        case .open:
            if client.isGone(clientEvents) || server.isGone(serverEvents) { return reset() }
        }
        deadline = nil
        (client.isBlocked, server.isBlocked) = (false, false)
        guard client.read(now, &buffer), server.read(now, &buffer) else { return reset() }
        follow(client.pass(to: &server, now), now)
        if state == .open { follow(server.pass(to: &client, now), now) }
        if state == .open {
            let (toServer, toClient) = (client.channel, server.channel)
            if toServer.isEnded || toServer.isStalled, toClient.isEnded || toClient.isStalled,
                toServer.isEnded || toClient.isEnded
            {
                close()
            }
        }
    }

    private func follow(_ step: RelayChannel.Step, _ now: ContinuousClock.Instant) {
        switch step {
        case .idle, .write, .end, .stop(.stall): break
        case .wait(let until): deadline = min(deadline ?? until, until)
        case .stop(.reset): reset()
        case .stop(.cut):
            server.socket.close()
            client.socket.shutDownSending()
            state = .lingering
            deadline = now + .seconds(1)
        }
    }

    /// Ends both connections with a reset.
    private func reset() {
        if client.socket.descriptor >= 0 { client.socket.resetOnClose() }
        if server.socket.descriptor >= 0 { server.socket.resetOnClose() }
        close()
    }

    func close() {
        client.socket.close()
        server.socket.close()
        state = .over
        deadline = nil
    }
}
