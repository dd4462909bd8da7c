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

    private enum Side { case client, server }

    private var client: LoopbackSocket
    private var server: LoopbackSocket
    private var toServer: RelayChannel
    private var toClient: RelayChannel
    private var state = State.connecting
    private(set) var deadline: ContinuousClock.Instant?
    private var blocked: Set<Side> = []

    init(client: consuming LoopbackSocket, server: consuming LoopbackSocket, _ plan: RelayPlan) {
        self.client = client
        self.server = server
        toServer = RelayChannel(plan.toServer)
        toClient = RelayChannel(plan.toClient)
    }

    var isOver: Bool { state == .over }

    /// The descriptors and events to poll. A descriptor of -1 is not polled.
    var polled: (client: pollfd, server: pollfd) {
        var (forClient, forServer) = (Int32(0), Int32(0))
        switch state {
        case .connecting: forServer = Int32(POLLOUT)
        case .open:
            if toServer.wantsBytes { forClient |= Int32(POLLIN) }
            if toClient.wantsBytes { forServer |= Int32(POLLIN) }
            if blocked.contains(.client) { forClient |= Int32(POLLOUT) }
            if blocked.contains(.server) { forServer |= Int32(POLLOUT) }
            #if !canImport(Darwin)
                // The only sign that a side has left a stalled connection.
                if toServer.isStalled { forClient |= PollSet.readHangUp }
                if toClient.isStalled { forServer |= PollSet.readHangUp }
            #endif
        case .lingering: forClient = Int32(POLLIN)
        case .over: break
        }
        // A side without events to wait for would report its end again and again.
        return (
            pollfd(
                fd: forClient == 0 ? -1 : client.descriptor, events: Int16(forClient), revents: 0),
            pollfd(
                fd: forServer == 0 ? -1 : server.descriptor, events: Int16(forServer), revents: 0)
        )
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
            switch client.receive(into: &buffer) {
            case .bytes where !isDue, .nothing where !isDue: return
            case .bytes, .nothing, .end, .failure: return close()
            }
        case .connecting:
            guard serverEvents != 0 else { return }
            guard server.connectError == 0 else { return reset() }
            state = .open
        case .open:
            if toServer.isStalled && Self.isGone(clientEvents)
                || toClient.isStalled && Self.isGone(serverEvents)
            {
                return reset()
            }
        }
        deadline = nil
        blocked = []
        guard read(.client, now, &buffer), read(.server, now, &buffer) else { return reset() }
        pass(to: .server, now)
        if state == .open { pass(to: .client, now) }
        if state == .open, toServer.isEnded || toServer.isStalled,
            toClient.isEnded || toClient.isStalled, toServer.isEnded || toClient.isEnded
        {
            close()
        }
    }

    /// Returns `true` if a side that is not being read has left.
    private static func isGone(_ events: Int16) -> Bool {
        var signs = Int32(POLLERR | POLLNVAL)
        #if !canImport(Darwin)
            signs |= PollSet.readHangUp
        #endif
        return Int32(events) & signs != 0
    }

    /// Reads from `side`, and returns `false` if its connection has failed.
    private func read(
        _ side: Side, _ now: ContinuousClock.Instant, _ buffer: inout [UInt8]
    ) -> Bool {
        while side == .client ? toServer.wantsBytes : toClient.wantsBytes {
            let received =
                side == .client ? client.receive(into: &buffer) : server.receive(into: &buffer)
            switch received {
            case .bytes(let count):
                let bytes = ArraySlice(Array(buffer[..<count]))
                if side == .client {
                    toServer.received(bytes, now: now)
                } else {
                    toClient.received(bytes, now: now)
                }
            case .nothing: return true
            case .end:
                if side == .client {
                    toServer.receivedEnd(now: now)
                } else {
                    toClient.receivedEnd(now: now)
                }
            case .failure: return false
            }
        }
        return true
    }

    private func pass(to side: Side, _ now: ContinuousClock.Instant) {
        while true {
            switch side == .server ? toServer.next(now: now) : toClient.next(now: now) {
            case .idle: return
            case .wait(let until):
                deadline = min(deadline ?? until, until)
                return
            case .write(let bytes):
                let bytes = Array(bytes)
                let sent =
                    side == .server
                    ? server.send(bytes, 0..<bytes.count) : client.send(bytes, 0..<bytes.count)
                switch sent {
                case .bytes(let count):
                    if side == .server {
                        toServer.wrote(count, now: now)
                    } else {
                        toClient.wrote(count, now: now)
                    }
                case .nothing:
                    blocked.insert(side)
                    return
                case .failure: return reset()
                }
            case .end:
                if side == .server { server.shutDownSending() } else { client.shutDownSending() }
            case .stop(.stall): return
            case .stop(.reset): return reset()
            case .stop(.cut):
                server.close()
                client.shutDownSending()
                state = .lingering
                deadline = now + .seconds(1)
                return
            }
        }
    }

    /// Ends both connections with a reset.
    private func reset() {
        if client.descriptor >= 0 { client.resetOnClose() }
        if server.descriptor >= 0 { server.resetOnClose() }
        close()
    }

    func close() {
        client.close()
        server.close()
        state = .over
        deadline = nil
    }
}
