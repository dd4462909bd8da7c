import CHTTPTransportCurl
import HTTPCore

/// What the loop's thread owns, and one turn of the loop: wait, tell libcurl what is ready, carry
/// out commands, let libcurl's timers run, collect what is finished, check limits, deliver.
///
/// Nothing here is ever touched by another thread, and nothing of libcurl outside it.
@safe final class LoopCore {
    private let loop: EventLoop
    let configuration: CurlConfiguration
    let library: CurlLibrary
    let share: CurlShare
    /// Set right after `init`, since its callbacks need the whole of `self`; freed in `tearDown`.
    private var multi: CurlMultiHandle?
    /// At a fixed address for as long as connections live.
    let socketObserver: UnsafeMutablePointer<chttp_socket_observer>

    private var sockets = SocketTable()
    private var transfers: [Transfer?] = []
    private var freeSlots: [Int] = []
    private var running = 0
    private var deadlines = DeadlineHeap()
    private var origins: [HTTPOrigin: AdmissionQueue] = [:]
    private var idleHandles: [CurlEasyHandle] = []
    private var dirty: [Transfer] = []
    private var commands: [EventLoop.Command] = []

    /// The turn's time, monotonic nanoseconds.
    private(set) var now = chttp_monotonic_ns()
    /// When libcurl wants its timeouts run; it gives one timer per multi handle.
    private var curlDue: Int64?
    private var hasTimerFired = false
    private var mustKick = false
    private var isReleased = false
    private var closeDue: Int64?
    private var closeWaiters: [CheckedContinuation<Void, Never>] = []
    private var poison: Int32?

    private static let idleHandleLimit = 256
    /// `CURLM_OUT_OF_MEMORY`: there is no multi handle.
    private static let outOfMemory: Int32 = 3
    /// libcurl 8.9 to 8.11.0 may forget to ask for a timer; nothing then waits longer than this.
    private static let watchdog: Int64 = 1_000_000_000
    private var lastAction: Int64 = 0

    init(_ loop: EventLoop) throws(HTTPError) {
        self.loop = loop
        configuration = loop.configuration
        library = loop.library
        share = try CurlShare()
        unsafe socketObserver = .allocate(capacity: 1)
        unsafe socketObserver.initialize(to: chttp_socket_observer())
        unsafe socketObserver.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe socketObserver.pointee.opened = { context, descriptor in
            guard let context = unsafe context else { return }
            unsafe LoopCore.at(context).sockets.opened(descriptor)
        }
        unsafe socketObserver.pointee.closed = { context, descriptor in
            guard let context = unsafe context else { return }
            unsafe LoopCore.at(context).sockets.closed(descriptor)
        }
        multi = try makeMulti()
    }

    deinit { unsafe socketObserver.deallocate() }

    private func makeMulti() throws(HTTPError) -> CurlMultiHandle {
        try unsafe CurlMultiHandle(
            context: Unmanaged.passUnretained(self).toOpaque(),
            socket: { _, descriptor, what, context, _ in
                guard let context = unsafe context else { return 0 }
                unsafe LoopCore.at(context).want(
                    descriptor, what == CHTTP_POLL_REMOVE ? CHTTP_POLL_NONE : what)
                return 0
            },
            timer: { _, timeout, context in
                guard let context = unsafe context else { return 0 }
                unsafe LoopCore.at(context).setTimer(timeout)
                return 0
            })
    }

    /// The core outlives its multi handle and every socket: `tearDown` frees them first.
    private static func at(_ context: UnsafeMutableRawPointer) -> LoopCore {
        unsafe Unmanaged<LoopCore>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: A turn

    func run() {
        var events = [chttp_event](repeating: chttp_event(), count: 128)
        repeat {
            let count = unsafe events.withUnsafeMutableBufferPointer { events in
                guard let base = events.baseAddress else { return Int32(0) }
                return unsafe chttp_poller_wait(
                    loop.poller, base, Int32(events.count), sleepTime())
            }
            now = chttp_monotonic_ns()
            for event in events.prefix(Int(max(0, count))) where !loop.drainWaker(event.descriptor)
            {
                dispatch(event)
            }
            loop.takeCommands(into: &commands)
            for command in commands { carryOut(command) }
            commands.removeAll(keepingCapacity: true)
            if running > 0, now - lastAction >= Self.watchdog { mustKick = true }
            runTimers()
            collectFinished()
            checkLimits()
            if poison != nil { replaceMulti() }
            flush()
        } while !isOver()
        tearDown()
    }

    /// Milliseconds for the poller.
    private func sleepTime() -> Int32 {
        guard dirty.isEmpty, !mustKick, loop.prepareToSleep() else { return 0 }
        var due = deadlines.next ?? .max
        if let curlDue { due = min(due, curlDue) }
        if let closeDue { due = min(due, closeDue) }
        if running > 0 { due = min(due, lastAction + Self.watchdog) }
        guard due < .max else { return -1 }
        let left = due - chttp_monotonic_ns()
        return left <= 0 ? 0 : Int32(min((left + 999_999) / 1_000_000, 60_000))
    }

    private func dispatch(_ event: chttp_event) {
        switch sockets.ready(event.descriptor) {
        case .report: note(multi?.act(on: event.descriptor, event.events))
        case .ignore(let change): apply(change)
        }
    }

    /// libcurl's own timers, until none is due; what they start may make others due at once.
    private func runTimers() {
        for _ in 0..<16 {
            let isDue = curlDue.map { $0 <= now } ?? false
            guard mustKick || isDue else { return }
            mustKick = false
            lastAction = now
            curlDue = nil
            hasTimerFired = false
            note(multi?.actOnTimeout())
            if !hasTimerFired, let timeout = multi?.timeout() { setTimer(timeout) }
        }
    }

    private func note(_ code: Int32?) {
        if let code, code != 0 { poison = code }
    }

    private func collectFinished() {
        while let (transfer, result) = multi?.nextDone() {
            finish(transfer, transfer.outcome(of: result))
        }
    }

    private func checkLimits() {
        while let slot = deadlines.popDue(at: now) {
            guard let transfer = transfers[slot] else { continue }
            if let error = transfer.checkLimits() {
                finish(transfer, .failed(error))
            } else {
                schedule(transfer)
            }
        }
        if let closeDue, closeDue <= now {
            self.closeDue = nil
            for case let transfer? in transfers { finish(transfer, .failed(EventLoop.closed)) }
        }
    }

    private func flush() {
        // Delivering may resume a paused transfer, which may receive at once.
        while !dirty.isEmpty {
            let transfers = dirty
            dirty = []
            for transfer in transfers { transfer.flush() }
            if mustKick { runTimers() }
            collectFinished()
        }
    }

    // MARK: What libcurl asks for

    private func want(_ descriptor: Int32, _ interest: Int32) {
        apply(sockets.want(descriptor, interest))
    }

    private func apply(_ change: SocketTable.Change?) {
        guard let change else { return }
        let error = chttp_poller_set(
            loop.poller, change.descriptor, change.previous, change.interest)
        // A descriptor that cannot be watched would leave its transfers waiting for ever.
        if error != 0, change.interest != CHTTP_POLL_NONE { poison = poison ?? Self.outOfMemory }
    }

    private func setTimer(_ milliseconds: Int) {
        hasTimerFired = true
        curlDue = milliseconds < 0 ? nil : now + Int64(milliseconds) * 1_000_000
    }

    // MARK: What transfers ask for

    /// One connection carries many exchanges; libcurl opens more beyond 100 streams.
    func speaksHTTP2(_ origin: HTTPOrigin) { origins[origin]?.limit = 100 }

    func willFlush(_ transfer: Transfer) { dirty.append(transfer) }

    /// libcurl has something to do that no descriptor will tell.
    func kick() { mustKick = true }

    func schedule(_ transfer: Transfer) {
        guard !transfer.isOver, let due = transfer.nextDue else { return }
        deadlines.set(transfer.slot, to: due)
    }

    /// Ends a transfer, wherever it is: nothing of it is left in libcurl, in a queue or in the heap.
    func finish(_ transfer: Transfer, _ end: Exchange.End) {
        guard !transfer.isOver else { return }
        transfer.end(end)
        deadlines.remove(transfer.slot)
        transfers[transfer.slot] = nil
        freeSlots.append(transfer.slot)
        let origin = transfer.exchange.target.origin
        if let easy = transfer.easy.take() {
            running -= 1
            _ = multi?.remove(easy)
            if transfer.leavesHandleClean || library.resetsCompletely,
                idleHandles.count < Self.idleHandleLimit
            {
                easy.reset()
                idleHandles.append(easy)
            }
        }
        if transfer.isAdmitted {
            origins[origin]?.leave()
            startWaiting(at: origin)
        } else {
            origins[origin]?.withdraw(transfer.slot)
        }
    }

    // MARK: Commands

    private func carryOut(_ command: EventLoop.Command) {
        switch command {
        case .submit(let exchange): submit(exchange)
        case .fail(let exchange, let error):
            if let transfer = transfer(of: exchange) { finish(transfer, .failed(error)) }
        case .abandon(let exchange): transfer(of: exchange)?.abandon(nil)
        case .discard(let exchange, let waiter):
            if let transfer = transfer(of: exchange) {
                transfer.abandon(waiter)
            } else {
                waiter.resume()
            }
        case .resumeReceiving(let exchange): transfer(of: exchange)?.resumeReceiving()
        case .resumeSending(let exchange): transfer(of: exchange)?.resumeSending()
        case .release: isReleased = true
        case .close(let grace, let waiter):
            isReleased = true
            closeWaiters.append(waiter)
            let due = now.addingReportingOverflow(grace.nanoseconds)
            closeDue = due.overflow ? closeDue : min(due.partialValue, closeDue ?? .max)
        }
    }

    /// `nil` when it is over, also if its end is not delivered yet and another has got its number.
    private func transfer(of exchange: Exchange) -> Transfer? {
        guard let slot = exchange.slot, let transfer = transfers[slot],
            transfer.exchange === exchange
        else { return nil }
        return transfer
    }

    private func submit(_ exchange: Exchange) {
        let slot = freeSlots.popLast() ?? transfers.count
        if slot == transfers.count { transfers.append(nil) }
        let transfer = Transfer(exchange, slot: slot, core: self)
        transfers[slot] = transfer
        guard exchange.begin(slot) else {
            return finish(transfer, .failed(CancellationError()))
        }
        schedule(transfer)
        let origin = exchange.target.origin
        let mayStart = origins[
            origin, default: AdmissionQueue(limit: configuration.maximumConnectionsPerOrigin)
        ].enter(slot)
        if mayStart { start(transfer) }
    }

    private func startWaiting(at origin: HTTPOrigin) {
        while let slot = origins[origin]?.next() {
            if let transfer = transfers[slot] {
                start(transfer)
            } else {
                origins[origin]?.leave()
            }
        }
        if origins[origin]?.isIdle == true { origins[origin] = nil }
    }

    private func start(_ transfer: Transfer) {
        do throws(HTTPError) {
            transfer.admit()
            let easy = if let idle = idleHandles.popLast() { idle } else { try CurlEasyHandle() }
            transfer.easy = easy
            running += 1
            try transfer.configure(easy)
            let code = multi?.add(easy) ?? Self.outOfMemory
            guard code == 0 else {
                throw HTTPError(
                    .internalFailure, "libcurl: \(CurlMultiHandle.errorText(code))",
                    phase: .preparing)
            }
            mustKick = true
        } catch {
            finish(transfer, .failed(error))
        }
    }

    // MARK: The end

    /// A multi handle that failed in the middle of its work cannot be trusted any more.
    private func replaceMulti() {
        guard let code = poison.take() else { return }
        let error = HTTPError(
            .internalFailure,
            "libcurl's connections had to be given up: \(CurlMultiHandle.errorText(code))",
            isRetryable: true, mayHaveReachedServer: true)
        for case let transfer? in transfers where transfer.easy != nil {
            finish(transfer, .failed(error))
        }
        multi = nil
        multi = try? makeMulti()
    }

    private func isOver() -> Bool {
        guard isReleased, transfers.count == freeSlots.count, dirty.isEmpty else { return false }
        return loop.endIfEmpty()
    }

    private func tearDown() {
        idleHandles = []
        multi = nil  // closes its connections, through our callbacks
        for waiter in closeWaiters { waiter.resume() }
    }
}
