import CHTTPTransportCurl
import HTTPCore

/// The loop as its pools see it.
protocol PoolLoop: AnyObject {
    /// libcurl waits for this on a socket, in the bits of `CHTTP_POLL_…`, for `transfer` if it uses
    /// the socket alone. Returns `false` if the socket cannot be watched, because its transfers
    /// would wait for ever.
    func want(
        _ descriptor: Int32, _ interest: Int32, in pool: Int, for transfer: (any CurlEasyEvents)?
    ) -> Bool

    /// libcurl has closed a socket.
    func closed(_ descriptor: Int32)
}

/// The only owner of one of a loop's multi handles, with its connections, the transfers over them
/// and the time at which libcurl's timeouts are due. Lives on the loop's thread.
// @exclusivity(unchecked): see ``Reactor``.
@safe final class ConnectionPool {
    let number: Int
    /// The pools of the loop, which hold this one until they are closed.
    private let pools: Pools
    private let loop: any PoolLoop
    private let turn: LoopTurn
    private let raw: OpaquePointer

    @safe @exclusivity(unchecked) private(set) var running = 0
    /// The time at which `running` became 0, in the loop's nanoseconds.
    @safe @exclusivity(unchecked) private(set) var idleSince: Int64
    /// The time at which libcurl's timeouts are due. libcurl has one timer per multi handle.
    @safe @exclusivity(unchecked) private var due: Int64?
    @safe @exclusivity(unchecked) private var hasTimerFired = false
    @safe @exclusivity(unchecked) private var mustRun = false
    @safe @exclusivity(unchecked) private var lastRun: Int64 = 0
    /// The number of times that libcurl's timeouts were run.
    @safe @exclusivity(unchecked) private(set) var timerRuns = 0
    @safe @exclusivity(unchecked) private var backOff = BackOff()
    @safe @exclusivity(unchecked) private var seenProgress = 0
    /// The code of a call that failed in the middle of its work. The handle can no longer be
    /// trusted.
    @safe @exclusivity(unchecked) var failure: Int32?

    /// The longest time between two runs of the timeouts while transfers run, in nanoseconds.
    /// libcurl 8.9 to 8.11.0 may forget to ask for a timer.
    private static let watchdog: Int64 = 1_000_000_000

    init(_ number: Int, of pools: Pools, _ loop: any PoolLoop) throws(HTTPError) {
        guard let raw = unsafe chttp_multi_make() else {
            throw HTTPError(.internalFailure, "libcurl has no memory for a multi handle")
        }
        self.number = number
        self.pools = pools
        self.loop = loop
        turn = pools.turn
        unsafe self.raw = raw
        idleSince = turn.now
        setLimits(maximumConnections: pools.maximumConnections)
        _ = unsafe chttp_multi_set_callbacks(
            raw,
            { easy, descriptor, what, context, _ in
                guard let context = unsafe context else { return 0 }
                let events = unsafe easy.flatMap {
                    unsafe CurlEasyHandle.events(of: OpaquePointer($0))
                }
                events?.wants(what)
                unsafe ConnectionPool.at(context).want(
                    descriptor, what == CHTTP_POLL_REMOVE ? CHTTP_POLL_NONE : what, for: events)
                return 0
            },
            { _, timeout, context in
                guard let context = unsafe context else { return 0 }
                unsafe ConnectionPool.at(context).setTimer(timeout)
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Closes the connections, which calls the callbacks a last time.
    deinit { _ = unsafe chttp_multi_free(raw) }

    /// Returns the pool that `context` points to. libcurl calls back only from within calls of the
    /// pool, so the pool is alive.
    private static func at(_ context: UnsafeMutableRawPointer) -> ConnectionPool {
        unsafe Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue()
    }

    static func errorText(_ code: Int32) -> String {
        unsafe String(cString: chttp_multi_error_text(code))
    }

    // MARK: Transfers

    /// Adds a transfer. Returns libcurl's code, which is 0 if libcurl has accepted the transfer.
    func add(_ easy: borrowing CurlEasyHandle) -> Int32 {
        running += 1
        mustRun = true
        return unsafe chttp_multi_add(raw, easy.raw)
    }

    func remove(_ easy: borrowing CurlEasyHandle) {
        running -= 1
        if running == 0 { idleSince = turn.now }
        _ = unsafe chttp_multi_remove(raw, easy.raw)
    }

    /// Returns the next finished transfer, as the receiver of its events, with its result.
    func nextDone() -> (transfer: any CurlEasyEvents, result: Int32)? {
        var result = CHTTP_E_OK
        guard let easy = unsafe chttp_multi_next_done(raw, &result),
            let events = unsafe CurlEasyHandle.events(of: easy)
        else { return nil }
        return (events, result)
    }

    // MARK: Sockets and timers

    private func want(
        _ descriptor: Int32, _ interest: Int32, for transfer: (any CurlEasyEvents)?
    ) {
        if !loop.want(descriptor, interest, in: number, for: transfer) {
            failure = failure ?? CHTTP_M_OUT_OF_MEMORY
        }
    }

    private func setTimer(_ milliseconds: Int) {
        hasTimerFired = true
        due = milliseconds < 0 ? nil : turn.now + Int64(milliseconds) * 1_000_000
    }

    /// Tells libcurl that one of the pool's descriptors is ready.
    func act(on descriptor: Int32, _ events: Int32) {
        note(unsafe chttp_multi_socket_action(raw, descriptor, events))
    }

    /// The interval at which libcurl looks for dead connections at most, in nanoseconds.
    static let cleaningInterval: Int64 = 1_000_000_000

    /// Makes libcurl close the idle connections that are dead, or that have been idle for too long.
    /// libcurl does this when a transfer looks for a connection; the transfer that is added here
    /// ends at once.
    func clean() {
        guard let probe = try? CurlEasyHandle() else { return }
        probe.becomeProbe(
            idle: pools.settings.idleSeconds,
            lifetime: pools.settings.configuration.connectionLifetime)
        unsafe probe.setSocketCloser(pools.socketCloser)
        guard unsafe chttp_multi_add(raw, probe.raw) == CHTTP_M_OK else { return }
        note(unsafe chttp_multi_timeout_action(raw))
        _ = unsafe chttp_multi_remove(raw, probe.raw)
        if pools.library.has(.unwatchedShutdowns) { note(unsafe chttp_multi_perform(raw)) }
        mustRun = running > 0
    }

    /// Makes libcurl close the connections that have been idle for longest until `count` are left.
    /// Older libraries close only one.
    func evictOldest(keeping count: Int) {
        setLimits(maximumConnections: count + 1)
        clean()
        setLimits(maximumConnections: pools.maximumConnections)
    }

    private func setLimits(maximumConnections: Int?) {
        _ = unsafe chttp_multi_set_limits(raw, 256, 100, maximumConnections ?? 0)
    }

    /// Records that libcurl has work to do that no descriptor reports.
    func kick() { mustRun = true }

    /// The time of the next call of ``runTimers()`` if nothing else happens.
    var nextDue: Int64 {
        if mustRun { return 0 }
        return min(due ?? .max, running > 0 ? lastRun + Self.watchdog : .max)
    }

    /// Runs libcurl's timeouts until none is due, or the turn is full. One run may make others due
    /// at once; libcurl does that for a transfer that has more to read or to send.
    func runTimers() {
        let now = turn.now
        if running > 0, now - lastRun >= Self.watchdog { mustRun = true }
        if turn.progressCount != seenProgress, backOff.progressed(), due != nil { due = now }
        for run in 0..<16 {
            guard mustRun || due.map({ $0 <= now }) == true, run == 0 || !turn.isFull else {
                break
            }
            mustRun = false
            lastRun = now
            due = nil
            hasTimerFired = false
            let before = turn.progressCount
            note(unsafe chttp_multi_timeout_action(raw))
            timerRuns += 1
            if !hasTimerFired { setTimer(unsafe chttp_multi_timeout(raw)) }
            if turn.progressCount != before {
                _ = backOff.progressed()
            } else if let due, due <= now {
                backOff.ranInVain()
                self.due = now + backOff.delay
            }
        }
        seenProgress = turn.progressCount
    }

    private func note(_ code: Int32) {
        if code != CHTTP_M_OK { failure = code }
    }
}

extension ConnectionPool {
    /// A delay for a timer that is due again and again and finds nothing to do.
    ///
    /// libcurl before 8.15 asks to be run at once for as long as a transfer is paused whose bytes
    /// are in its own buffers or in those of TLS. Without the delay, a slow reader would keep a
    /// processor busy.
    struct BackOff {
        /// The number of consecutive runs in vain without a delay. A timer that is due at once
        /// usually has a reason.
        static let patience = 8
        private static let doublings = 5

        private(set) var vainRuns = 0

        /// The time that the next run must wait, in nanoseconds. At most 32 ms.
        var delay: Int64 {
            guard vainRuns >= Self.patience else { return 0 }
            return 1_000_000 << Int64(min(vainRuns - Self.patience, Self.doublings))
        }

        mutating func ranInVain() {
            vainRuns = min(vainRuns + 1, Self.patience + Self.doublings)
        }

        /// Records that something was received, sent, opened, closed or finished. Returns `true` if
        /// the timer was delayed and should run now.
        mutating func progressed() -> Bool {
            defer { vainRuns = 0 }
            return delay > 0
        }
    }
}
