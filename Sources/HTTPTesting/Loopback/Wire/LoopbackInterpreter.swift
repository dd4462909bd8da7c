/// A player of scripts on one connection, which decides the next action from the inputs so far.
///
/// Does no I/O and has no clock. The connection reports each ``Input``, then takes actions from
/// ``next()`` until there is none, and then waits for another input.
struct LoopbackInterpreter {
    /// The source of a connection's scripts.
    enum Program {
        /// One script for the whole connection, which ends with the script.
        case connection(LoopbackScript)
        /// One script for each request, which begins before its head has arrived.
        case requests(LoopbackScript)
    }

    enum Input {
        case received(ArraySlice<UInt8>)
        /// All bytes of the last ``Action/write(_:)`` or ``Action/generate(from:count:)`` are
        /// sent.
        case written
        /// The duration of the last ``Action/arm(_:)`` is over.
        case timerDue
        /// The gate of the last ``Action/arrive(_:)`` is open.
        case gateOpened
        /// The result of ``Action/choose(_:_:)``.
        case chosen(LoopbackScript)
        /// The client has shut down its sending side.
        case peerClosed
        /// The connection is broken: nothing can be sent or received.
        case peerReset
    }

    enum Action {
        case write([UInt8])
        case generate(from: Int, count: Int)
        case arm(Duration)
        case arrive(LoopbackGate)
        case choose(@Sendable (LoopbackRequest) -> LoopbackScript, LoopbackRequest)
        case halfClose
        /// Close the connection, or reset it. There are no actions after this one.
        case end(LoopbackExchange.Ending)

        /// For the log: the head of a request has arrived, then all of it; the exchange is over.
        case requestBegan(LoopbackRequest)
        case requestEnded(LoopbackRequest)
        case exchangeEnded
    }

    private enum State: Equatable {
        case playing
        case writing
        case pausing
        case atGate
        case choosing
        case awaitingHead
        case awaitingContent(Int)
        case awaitingContentEnd(limit: Int)
        case stalled
        /// Reads the rest of a request whose script is over.
        case draining
        /// Closed for sending. Incoming bytes are dropped, so that sent bytes are not.
        case lingering(isArmed: Bool)
        case over
    }

    /// The time for which a client may continue to send after the server has closed.
    static let lingerLimit = Duration.seconds(1)
    /// The number of bytes of the next requests that are read ahead.
    static let backlogLimit = 64 << 10

    private let program: Program
    private let options: LoopbackOptions
    private var parser: LoopbackRequestParser
    private var state = State.playing
    /// The steps to come, the next one last.
    private var steps: [LoopbackScript.Step.Kind] = []
    /// Bytes that came after the end of the current request.
    private var backlog: [UInt8] = []
    /// `true` if an `awaitHead` step has been played for the current request.
    private var isClaimed = false
    private var hasBegun = false
    private var hasEnded = false
    private var isReadingStopped = false
    private var isPeerClosed = false
    private var isBroken = false

    init(_ program: Program, options: LoopbackOptions) {
        self.program = program
        self.options = options
        self.parser = Self.makeParser(options)
        switch program {
        case .connection(let script), .requests(let script): push(script)
        }
    }

    private static func makeParser(_ options: LoopbackOptions) -> LoopbackRequestParser {
        LoopbackRequestParser(
            contentLimit: options.contentLimit, loggedContentLimit: options.loggedContentLimit)
    }

    // MARK: State

    /// `true` if bytes from the client can be taken now.
    var isReading: Bool {
        !isPeerClosed && !isReadingStopped && backlog.count < Self.backlogLimit && state != .over
    }
    /// `true` if a script has stopped reading and the client is not known to have left.
    var isDeaf: Bool { isReadingStopped && !isPeerClosed }
    var isOver: Bool { state == .over }
    /// The current request as it was on the wire, within the limit of the log.
    var bytes: [UInt8] { parser.bytes }
    var byteCount: Int { parser.byteCount }

    // MARK: Input

    mutating func receive(_ input: Input) {
        switch (input, state) {
        case (.received, .over), (.received, .lingering): break
        case (.received(let bytes), _):
            backlog.append(contentsOf: parser.receive(bytes))
        case (.written, .writing), (.timerDue, .pausing), (.gateOpened, .atGate):
            state = .playing
        case (.timerDue, .lingering): isPeerClosed = true
        case (.chosen(let script), .choosing):
            push(script)
            state = .playing
        case (.peerClosed, _): isPeerClosed = true
        case (.peerReset, _): isBroken = true
        // A timer or gate of a state that is over.
        default: break
        }
    }

    private mutating func push(_ script: LoopbackScript) {
        steps.append(contentsOf: script.steps.lazy.reversed().map(\.kind))
    }

    // MARK: Actions

    mutating func next() -> Action? {
        while state != .over {
            if isBroken { return end(brokenEnding) }
            if let notice = nextNotice() { return notice }
            if parser.failure != nil, let rejection = reject() { return rejection }
            switch state {
            case .playing:
                if let kind = steps.popLast() {
                    if let action = play(kind) { return action }
                } else if let action = endScript() {
                    return action
                }
            case .awaitingHead:
                guard parser.hasHead else { return isPeerClosed ? end(.clientClosed) : nil }
                isClaimed = true
                state = .playing
            case .awaitingContent(let count):
                guard parser.isComplete || parser.contentCount >= count else {
                    return isPeerClosed ? end(.clientClosed) : nil
                }
                state = .playing
            case .awaitingContentEnd(let limit):
                guard parser.isComplete || parser.hasHead && parser.exceeds(limit) else {
                    return isPeerClosed ? end(.clientClosed) : nil
                }
                state = .playing
            case .draining:
                guard parser.isComplete else { return isPeerClosed ? end(.clientClosed) : nil }
                beginRequest()
                return .exchangeEnded
            case .pausing, .atGate:
                return isPeerClosed && !options.toleratesHalfClose ? end(.clientClosed) : nil
            case .stalled: return isPeerClosed ? end(.clientClosed) : nil
            case .lingering(isArmed: false):
                state = .lingering(isArmed: true)
                return .arm(Self.lingerLimit)
            case .lingering(isArmed: true): return isPeerClosed ? end(.serverClosed) : nil
            case .writing, .choosing, .over: return nil
            }
        }
        return nil
    }

    private var brokenEnding: LoopbackExchange.Ending {
        if case .lingering = state { return .serverClosed }
        return isPeerClosed ? .clientClosed : .clientReset
    }

    private mutating func end(_ ending: LoopbackExchange.Ending) -> Action {
        state = .over
        steps = []
        return .end(ending)
    }

    /// Returns the next action for the log, which comes before all other actions.
    private mutating func nextNotice() -> Action? {
        if !hasBegun, let request = parser.request {
            hasBegun = true
            return .requestBegan(request)
        }
        if !hasEnded, parser.isComplete, let request = parser.request {
            hasEnded = true
            return .requestEnded(request)
        }
        return nil
    }

    /// Returns the action that rejects a malformed request, once the script waits for more of it.
    private mutating func reject() -> Action? {
        switch state {
        case .awaitingHead, .awaitingContent, .awaitingContentEnd, .draining:
            // With a script for the connection, a test expects to see only its own bytes.
            guard case .requests = program, !parser.hasHead else { return end(.serverClosed) }
            steps = [.close]
            state = .writing
            return .write(
                Array(
                    "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                        .utf8))
        default: return nil
        }
    }

    private mutating func endScript() -> Action? {
        switch program {
        case .connection:
            return play(.close)
        case .requests:
            isReadingStopped = false
            state = .draining
            return nil
        }
    }

    /// Begins the next request, part of which may have arrived.
    private mutating func beginRequest() {
        parser = Self.makeParser(options)
        isClaimed = false
        hasBegun = false
        hasEnded = false
        let early = backlog
        backlog = []
        backlog.append(contentsOf: parser.receive(early[...]))
        if case .requests(let script) = program, steps.isEmpty { push(script) }
        state = .playing
    }

    /// Plays one step: returns its action, or changes the state to wait for what the step needs.
    private mutating func play(_ kind: LoopbackScript.Step.Kind) -> Action? {
        switch kind {
        case .send(let bytes):
            return bytes.isEmpty ? nil : write(bytes)
        case .drip(let pieces, let next, let interval):
            guard next < pieces.count else { return nil }
            if next + 1 < pieces.count {
                steps.append(.drip(pieces, next: next + 1, every: interval))
                steps.append(.pause(interval))
            }
            return pieces[next].isEmpty ? nil : write(pieces[next])
        case .generate(let run):
            return generate(run)
        case .awaitHead:
            if isClaimed {
                // The previous request has to end first; then this step is for the next one.
                steps.append(.awaitHead)
                state = .draining
            } else {
                state = .awaitingHead
            }
            return nil
        case .continueIfExpected:
            guard let request = parser.request else { return wait(forHeadBefore: kind) }
            let isExpected = request["Expect"]?.lowercased() == "100-continue"
            guard isExpected, request.contentCount == 0, !request.isComplete else { return nil }
            return write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        case .awaitContent(let count):
            guard parser.hasHead else { return wait(forHeadBefore: kind) }
            state = .awaitingContent(count)
            return nil
        case .awaitContentEnd(let limit):
            guard parser.hasHead else { return wait(forHeadBefore: kind) }
            state = .awaitingContentEnd(limit: limit)
            return nil
        case .pause(let duration):
            state = .pausing
            return .arm(duration)
        case .gate(let gate):
            state = .atGate
            return .arrive(gate)
        case .choose(let choice):
            guard let request = parser.request else { return wait(forHeadBefore: kind) }
            state = .choosing
            return .choose(choice, request)
        case .stopReading:
            isReadingStopped = true
            return nil
        case .startReading:
            isReadingStopped = false
            return nil
        case .halfClose:
            return .halfClose
        case .close:
            // If bytes arrive after a close, the client's system discards what it has not read yet.
            guard parser.byteCount > 0, !parser.isComplete, !isPeerClosed else {
                return end(.serverClosed)
            }
            isReadingStopped = false
            steps = []
            state = .lingering(isArmed: false)
            return .halfClose
        case .reset:
            return end(.serverReset)
        case .stall:
            state = .stalled
            return nil
        }
    }

    private mutating func write(_ bytes: [UInt8]) -> Action {
        state = .writing
        return .write(bytes)
    }

    private mutating func wait(forHeadBefore kind: LoopbackScript.Step.Kind) -> Action? {
        steps.append(kind)
        state = .awaitingHead
        return nil
    }

    private mutating func generate(_ run: LoopbackScript.Step.Generated) -> Action? {
        let count = min(run.piece, run.end - run.offset)
        guard count > 0 else { return nil }
        var rest = run
        rest.offset += count
        if rest.offset < rest.end {
            steps.append(.generate(rest))
            if let pause = run.pause { steps.append(.pause(pause)) }
        }
        if run.isChunked {
            // Pushed in reverse: the piece comes next, then the end of its chunk.
            steps.append(.send([13, 10]))
            var piece = run
            piece.end = run.offset + count
            piece.isChunked = false
            steps.append(.generate(piece))
            return write(Array((String(count, radix: 16) + "\r\n").utf8))
        }
        state = .writing
        return .generate(from: run.offset, count: count)
    }
}
