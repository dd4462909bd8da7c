import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange, in which URLSession's events meet the tasks that wait for the head and the body.
///
/// Everything is decided under one lock. What follows from a decision is done after the lock is
/// released: resuming, cancelling, writing a file. Events come from URLSession's queue, one at a
/// time. A reader, a timer, a cancellation and the end of a body come from anywhere.
final class TaskBridge: Sendable {
    let request: HTTPRequest
    let origin: HTTPOrigin
    let record: ExchangeRecord
    let state: Locked<State>
    /// The number of body bytes to wait for before the head is handed over; `nil` if the caller
    /// wants the head at once. With it, a caller that asked for the whole body is woken once and
    /// reads no stream. The number is what may lie in memory, but no more than the caller's limit,
    /// so that a body that is too large is found early.
    let heldBytes: Int64?

    /// The state of the URLSession task. Its own end is always waited for.
    enum Wire {
        case notBegun, beginning
        case running(URLSessionTask)
        case over

        var isRunning: Bool {
            switch self {
            case .notBegun, .over: false
            case .beginning, .running: true
            }
        }

        /// `true` if URLSession has the request, or has had it.
        var hasBegun: Bool { if case .notBegun = self { false } else { true } }
    }

    struct State {
        /// The owner, until both wire and reader are done. A response that is kept must not keep
        /// connections.
        var owner: URLSessionOwner?
        var limits: ExchangeLimits
        var ledger: ReceiveLedger
        /// The bytes that wait in memory, in order. The ledger knows how many there are.
        var pieces: [Data] = []
        var firstPiece = 0
        var file: SpillFile?

        /// The exchange's number in its call.
        var number: Int?
        var wire = Wire.notBegun
        var outgoing = BodySpool.empty
        /// The bytes of the body that URLSession has taken since it last began to send.
        var sentCount: Int64 = 0
        var hasSent = false
        var isVetoed = false
        var interims = 0
        var head: ReceivedHead?
        var received: Int64 = 0
        /// `true` once all bytes have arrived.
        var isComplete = false
        var failure: (any Error)?
        /// `true` if no further bytes are wanted: the body was read to the end or given up, or it
        /// failed.
        var isReaderDone = false

        var producer: Task<Void, Never>?
        var timer: ExchangeTimer?
        var headWait = WaiterSlot()
        /// The end of the wait for the head, until its task takes it.
        var answer: Result<ReceivedHead, any Error>?
        var readWait = WaiterSlot()
        var wireWaiters: [Waiter<Void>] = []
        #if canImport(Darwin)
            var isSuspended = false
        #endif
    }

    /// The actions to take after the lock is released.
    struct Effects {
        var head: Suspension?
        var reader: Suspension?
        var wireWaiters: [Waiter<Void>] = []
        var timer: ExchangeTimer?
        var producer: Task<Void, Never>?
        var cut: URLSessionTask?
        var releasedFrom: URLSessionOwner?
    }

    init(_ request: HTTPRequest, to origin: HTTPOrigin, owner: URLSessionOwner) {
        self.request = request
        self.origin = origin
        let limits = ExchangeLimits(
            request.timeouts, session: owner.configuration.timeouts, timeLeft: request.timeLeft,
            deadlineLimit: request.deadlineLimit)
        // The limits count from here. Begun before the clock was read, they would end early.
        self.record = ExchangeRecord()
        self.state = Locked(
            State(
                owner: owner, limits: limits,
                ledger: ReceiveLedger(threshold: owner.configuration.spillThreshold)))
        heldBytes =
            if case .buffered(let limit) = request.delivery {
                Int64(min(limit, owner.configuration.spillThreshold))
            } else {
                nil
            }
    }

    var owner: URLSessionOwner? { state.withLock { $0.owner } }

    func perform(_ effects: Effects) {
        effects.timer?.cancel()
        effects.producer?.cancel()
        if let cut = effects.cut { owner?.cancel(cut) }
        effects.head?()
        effects.reader?()
        effects.wireWaiters.resumeAll()
        effects.releasedFrom?.release(self)
    }
}

// MARK: - Reporting

extension TaskBridge {
    /// Counts the exchange with its call and reports that it is queued.
    func submit() {
        guard let call = request.call else { return }
        let number = call.beginSend(record)
        state.withLock { $0.number = number }
        report(.queued(request))
    }

    /// The exchange's number in its call; `nil` without a call.
    var number: Int? { state.withLock { $0.number } }

    func report(_ kind: @autoclosure () -> HTTPEvent.Kind) {
        guard let call = request.call, call.isObserved else { return }
        call.report(kind(), exchange: number)
    }
}

// MARK: - Sending

extension TaskBridge {
    /// Sends the request once its body is available, and waits for the head. Called once.
    func head(sending urlRequest: URLRequest) async throws -> ReceivedHead {
        try await withTaskCancellationHandler {
            if let bytes = request.body.bytes {
                send(urlRequest, BodySpool(bytes))
            } else {
                startTimer()
                produce(urlRequest)
            }
            await Suspension.wait { place in
                state.withLock { state in
                    guard !state.headWait.isHeld else { return false }
                    state.answer = state.answer(failing: state.failure)
                    return state.answer == nil && state.headWait.hold(place)
                }
            }
            // A second task that waits at the same time finds no answer.
            guard let answer = state.withLock({ $0.answer.take() }) else {
                throw CancellationError()
            }
            return try answer.get()
        } onCancel: {
            fail(CancellationError(), dropsPending: true)
        }
    }

    /// Reads the body in a task of its own, so that the exchange can end without a slow producer.
    private func produce(_ urlRequest: URLRequest) {
        let producer = Task { [self] in
            do {
                send(urlRequest, try await BodySpool(taking: request.body))
            } catch let error as HTTPError {
                fail(ended(error), dropsPending: true)
            } catch {
                fail(error, dropsPending: true)
            }
        }
        let isFailed = state.withLock { state in
            state.producer = producer
            return state.failure != nil
        }
        if isFailed { producer.cancel() }
    }

    private func send(_ urlRequest: URLRequest, _ body: BodySpool) {
        let elapsed = record.elapsed
        state.withLock { state in
            state.outgoing = body
            state.producer = nil
            state.limits.begins(at: elapsed, hasBody: body.count > 0)
        }
        startTimer()
        guard state.withLock({ $0.failure == nil }) else { return }
        report(.sending(request))
        owner?.begin(urlRequest, body, for: self)
    }

    /// Returns `true` if a task is wanted. The exchange then waits for that task.
    func mayBegin() -> Bool {
        state.withLock { state in
            guard state.failure == nil else { return false }
            state.wire = .beginning
            return true
        }
    }

    /// - Returns: `true` if the task is still wanted.
    func began(_ task: URLSessionTask) -> Bool {
        state.withLock { state in
            state.wire = .running(task)
            return state.failure == nil
        }
    }

    /// Records that URLSession has taken bytes of the body.
    func sent(_ count: Int) {
        let elapsed = record.elapsed
        let awaitsHead = state.withLock { state in
            state.hasSent = true
            state.limits.active(at: elapsed)
            state.sentCount += Int64(count)
            guard state.sentCount >= state.outgoing.count, state.head == nil,
                state.failure == nil, state.limits.limits.responseHead != nil
            else { return false }
            state.limits.sentBody(at: elapsed)
            return true
        }
        record.update {
            $0.requestBodyBytes += Int64(count)
            if $0.sending == nil { $0.sending = elapsed }
        }
        if awaitsHead { startTimer() }
    }

    #if !canImport(Darwin)
        /// Returns the body once more when libcurl wants to send the request again, because a kept
        /// connection turned out to be dead. A method that is not idempotent is not sent again. For
        /// a request without a body, libcurl does not ask.
        func streamForResend() -> InputStream? {
            let body: BodySpool = state.withLock { state in
                if !request.method.isIdempotent { state.isVetoed = true }
                state.sentCount = 0
                state.limits.sendsAgain()
                return state.outgoing
            }
            if case .empty = body { return nil }
            guard request.method.isIdempotent else { return VetoStream() }
            record.update {
                $0.silentResends += 1
                $0.requestBodyBytes = 0
            }
            return OutgoingStream(body) { [weak self] in self?.sent($0) }
        }
    #endif
}

// MARK: - Ending early

extension TaskBridge {
    /// Ends the exchange with `error`, unless it has ended.
    ///
    /// - Parameter dropsPending: whether a reader gets the error before the bytes that wait.
    func fail(_ error: any Error, dropsPending: Bool) {
        let effects = state.withLock { state in
            var effects = Effects()
            let isOver = state.isComplete && (!dropsPending || state.isReaderDone)
            guard state.failure == nil, !isOver else { return effects }
            state.failure = error
            state.isReaderDone = true
            if dropsPending { state.dropPending() }
            if case .running(let task) = state.wire { effects.cut = task }
            effects.timer = state.timer.take()
            effects.producer = state.producer.take()
            effects.head = state.endHeadWait(failing: error)
            effects.reader = state.readWait.end()
            effects.releasedFrom = state.release()
            return effects
        }
        if effects.producer != nil {
            request.body.endWriting(
                because: .requestBodyEnded("the exchange has failed", because: error))
        }
        perform(effects)
    }

    /// Ends the exchange because the transport is closed by force.
    func close() {
        fail(ended(.sessionClosed), dropsPending: true)
    }

    /// Returns the error as the caller sees it.
    ///
    /// Unless URLSession itself has said that it had no connection, a request that URLSession has
    /// may have reached the server: nothing shows how far it has come.
    ///
    /// - Parameter isOfConnecting: `true` if URLSession has said that.
    func ended(_ error: HTTPError, isOfConnecting: Bool = false) -> HTTPError {
        let (head, phase, hasBegun, body) = state.withLock {
            ($0.head?.head, $0.phase, $0.wire.hasBegun, heldBeginning($0))
        }
        return error.inPhase(
            error.phase ?? phase, mayHaveReachedServer: hasBegun && !isOfConnecting
        ).ending(
            request, attempt: request.call?.sends, elapsed: record.elapsed,
            timeline: request.call?.timeline ?? record.timeline, response: head, body: body)
    }

    /// Returns the beginning of a body that is held until it is complete and has not been read yet.
    private func heldBeginning(_ state: State) -> Data? {
        guard let heldBytes, state.head != nil, !state.isComplete, state.received <= heldBytes
        else { return nil }
        let limit = request.brokenBodyLimit
        return state.pieces.reduce(into: Data()) { $0 += $1.prefix(limit - $0.count) }
    }

    // MARK: Time

    /// Sets the timer for the next limit that can pass, or ends the exchange if one has.
    private func startTimer() {
        let elapsed = record.elapsed
        let (verdict, existing) = state.withLock { ($0.limits.check(at: elapsed), $0.timer) }
        guard case .lookAgain(let moment) = verdict, let owner else { return look() }
        if let existing { return existing.schedule(in: moment - elapsed) }
        let timer = ExchangeTimer(owner.timers) { [weak self] in self?.look() }
        let isWanted = state.withLock { state in
            guard state.failure == nil else { return false }
            state.timer = timer
            return true
        }
        if isWanted { timer.schedule(in: moment - elapsed) } else { timer.cancel() }
    }

    private func look() {
        let elapsed = record.elapsed
        let (verdict, timer, error) = state.withLock { state in
            let verdict = state.limits.check(at: elapsed)
            guard case .expired(let name) = verdict else {
                return (verdict, state.timer, HTTPError?.none)
            }
            return (verdict, nil, state.timeout(name))
        }
        if let error { return fail(ended(error), dropsPending: true) }
        if case .lookAgain(let moment) = verdict { timer?.schedule(in: moment - elapsed) }
    }
}

extension TaskBridge.State {
    /// The phase of the exchange, as far as URLSession shows it.
    var phase: HTTPError.Phase {
        if head != nil { return .receiving }
        guard wire.hasBegun else { return .preparing }
        return sentCount < outgoing.count ? .sending : .waiting
    }

    func timeout(_ name: HTTPError.Timer.Name) -> HTTPError {
        limits.limits.timedOut(
            name, phase: name == .connect ? .connecting : phase,
            mayHaveReachedServer: wire.hasBegun)
    }

    /// Returns the answer for the task that waits for the head, if there is a head or an error. A
    /// head that has arrived is the answer, even if its body has failed since.
    func answer(failing error: (any Error)?) -> Result<ReceivedHead, any Error>? {
        if let head, !(error is CancellationError) { return .success(head) }
        return error.map { .failure($0) }
    }

    /// Ends the wait for the head if there is a head or an error.
    mutating func endHeadWait(failing error: (any Error)? = nil) -> Suspension? {
        guard headWait.isHeld, let answer = answer(failing: error) else { return nil }
        self.answer = answer
        return headWait.end()
    }

    mutating func dropPending() {
        pieces = []
        firstPiece = 0
        file = nil
    }

    /// Returns the owner to notify if the exchange is over for its wire and its reader; only once.
    mutating func release() -> URLSessionOwner? {
        wire.isRunning || !isReaderDone ? nil : owner.take()
    }

    mutating func takePiece() -> Data? {
        guard firstPiece < pieces.count else { return nil }
        let piece = pieces[firstPiece]
        pieces[firstPiece] = Data()
        firstPiece += 1
        if firstPiece == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            firstPiece = 0
        }
        ledger.tookFromMemory(piece.count)
        return piece
    }
}
