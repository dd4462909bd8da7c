import HTTPCore

/// A connection that performs the actions of its interpreter and writes the log.
///
/// Belongs to the thread of its ``LoopbackLoop``.
final class LoopbackConnection {
    /// The events on the connection since the last turn.
    struct Event {
        var isReadable = false
        var isWritable = false
        /// The client has shut down its sending side after bytes that have not been read.
        var isClosedBehindUnread = false
        var isBroken = false
        var isReleased = false
    }

    private enum Pending {
        case bytes([UInt8], from: Int)
        case generated(from: Int, to: Int)
    }

    /// The number of bytes that a connection moves before other connections get their turn.
    private static let turnLimit = 4 << 20

    let number: Int
    /// The time at which the armed timer is due.
    private(set) var deadline: ContinuousClock.Instant?
    private(set) var isOver = false

    private var socket: LoopbackSocket
    private var interpreter: LoopbackInterpreter
    private let hub: LoopbackHub
    private var pending: Pending?
    private var turnCount = 0

    /// The identifiers of all exchanges of the connection. The current one is last, once begun.
    private var exchanges: [Int] = []
    private var isInExchange = false
    private var bytesSent = 0
    /// The sum of the byte counts that the log has.
    private var logged = 0

    init(
        _ socket: consuming LoopbackSocket, number: Int, interpreter: LoopbackInterpreter,
        hub: LoopbackHub
    ) {
        self.socket = socket
        self.number = number
        self.interpreter = interpreter
        self.hub = hub
    }

    var descriptor: Int32 { socket.descriptor }
    var isReading: Bool { interpreter.isReading }
    /// `true` if nothing is read, so that only poll can report that the client has left.
    var isDeaf: Bool { interpreter.isDeaf }
    var isWriting: Bool { pending != nil }

    /// Handles `event`, and does everything that is possible without waiting.
    func turn(_ event: Event, now: ContinuousClock.Instant, buffer: inout [UInt8]) {
        turnCount = 0
        if event.isReleased { interpreter.receive(.gateOpened) }
        if let deadline, deadline <= now {
            self.deadline = nil
            interpreter.receive(.timerDue)
        }
        if event.isClosedBehindUnread { interpreter.receive(.peerClosed) }
        if event.isBroken { interpreter.receive(.peerReset) }
        advance()
        if event.isReadable { read(&buffer) }
        if event.isWritable, pending != nil {
            flush()
            advance()
        }
        logCounts()
    }

    /// Closes the connection from the server's side.
    func stop() {
        if !isOver { end(.serverClosed) }
    }

    // MARK: Bytes

    private func read(_ buffer: inout [UInt8]) {
        var left = Self.turnLimit
        while left > 0, interpreter.isReading {
            switch socket.receive(into: &buffer) {
            case .bytes(let count):
                left -= count
                interpreter.receive(.received(buffer[..<count]))
                advance()
                // A short read has emptied the socket; poll reports when there is more.
                if count < buffer.count { return }
            case .nothing: return
            case .end:
                interpreter.receive(.peerClosed)
                advance()
            case .failure:
                interpreter.receive(.peerReset)
                advance()
            }
        }
    }

    private func flush() {
        while let pending, turnCount < Self.turnLimit {
            let sent: LoopbackSocket.Sent
            switch pending {
            case .bytes(let bytes, let from):
                sent = socket.send(bytes, from..<bytes.count)
            case .generated(let from, let end):
                let start = from % LoopbackPattern.period
                let count = min(end - from, LoopbackPattern.table.count - start)
                sent = socket.send(LoopbackPattern.table, start..<start + count)
            }
            switch sent {
            case .bytes(let count):
                bytesSent += count
                turnCount += count
                self.pending = Self.remainder(of: pending, after: count)
                if self.pending == nil { interpreter.receive(.written) }
            case .nothing: return
            case .failure:
                self.pending = nil
                interpreter.receive(.peerReset)
            }
        }
    }

    private static func remainder(of pending: Pending, after count: Int) -> Pending? {
        switch pending {
        case .bytes(let bytes, let from):
            from + count < bytes.count ? .bytes(bytes, from: from + count) : nil
        case .generated(let from, let end):
            from + count < end ? .generated(from: from + count, to: end) : nil
        }
    }

    // MARK: Actions

    private func advance() {
        while let action = interpreter.next() { perform(action) }
    }

    private func perform(_ action: LoopbackInterpreter.Action) {
        switch action {
        case .write(let bytes):
            pending = .bytes(bytes, from: 0)
            flush()
        case .generate(let from, let count):
            pending = .generated(from: from, to: from + count)
            flush()
        case .arm(let duration): deadline = .now + duration.saturated
        case .arrive(let gate):
            logCounts()  // first: a test that waits at the gate may read the log
            let isOpen = gate.arrive { [hub, number] in hub.release(connection: number) }
            if isOpen { interpreter.receive(.gateOpened) }
        case .choose(let choice, let request): interpreter.receive(.chosen(choice(request)))
        case .halfClose: socket.shutDownSending()
        case .end(let ending): end(ending)
        case .requestBegan(let request): begin(request)
        case .requestEnded(let request):
            update { $0.request = request }
            hub.record { $0.offer(request) }
        case .exchangeEnded:
            if let current = exchanges.last {
                hub.record { [bytesSent] record in
                    record.update(current) {
                        $0.bytesSent = bytesSent
                        $0.isFinished = true
                    }
                }
            }
            isInExchange = false
            bytesSent = 0
            logged = 0
        }
    }

    private func end(_ ending: LoopbackExchange.Ending) {
        isOver = true
        pending = nil
        deadline = nil
        if !isInExchange, interpreter.byteCount > 0 || bytesSent > 0 { begin(nil) }
        if isInExchange { update { _ in } }
        if ending == .serverReset { socket.resetOnClose() }
        // First the descriptor, then the log: a test that sees the ending may count descriptors.
        socket.close()
        hub.record { [exchanges, isInExchange] record in
            for exchange in exchanges { record.update(exchange) { $0.ending = ending } }
            if isInExchange, let current = exchanges.last { record.offerIncomplete(current) }
            record.closed()
        }
    }

    // MARK: Log

    private func begin(_ request: LoopbackRequest?) {
        var exchange = LoopbackExchange(connection: number, number: exchanges.count + 1)
        exchange.request = request
        exchange.bytes = interpreter.bytes
        exchange.bytesReceived = interpreter.byteCount
        exchange.bytesSent = bytesSent
        exchanges.append(hub.record { [exchange] in $0.begin(exchange) })
        isInExchange = true
    }

    /// Updates the bytes and counts of the current exchange, then calls `change`.
    private func update(_ change: (inout LoopbackExchange) -> Void) {
        guard let current = exchanges.last else { return }
        hub.record { [interpreter, bytesSent] record in
            record.update(current) {
                $0.bytes = interpreter.bytes
                $0.bytesReceived = interpreter.byteCount
                $0.bytesSent = bytesSent
                change(&$0)
            }
        }
    }

    private func logCounts() {
        let received = interpreter.byteCount
        guard !isOver, isInExchange, let current = exchanges.last, received + bytesSent != logged
        else { return }
        logged = received + bytesSent
        hub.record { [bytesSent] record in
            record.update(current) {
                $0.bytesReceived = received
                $0.bytesSent = bytesSent
            }
        }
    }
}
