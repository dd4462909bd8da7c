import CHTTPTransportCurl
import HTTPCore

// Which limit of time has passed. The loop asks after each turn for the next time to check, and
// calls `checkLimits` then. The limit of connecting is libcurl's: see `Transfer+Setup`.
extension Transfer {
    func admit() {
        machine.admit()
        if lane.isHTTP3 { awaitHTTP3() }
        guard times.admitted == nil else { return }
        times.admitted = loop.now
        if observes { note(.sending(exchange.request)) }
    }

    /// The time at which to check the limits next.
    var nextDue: Int64? {
        let ofCaller = min(
            min(deadlineDue ?? .max, totalDue ?? .max), min(idleDue ?? .max, queueDue ?? .max))
        let ofPhase = min(tlsDue ?? .max, responseHeadDue ?? .max)
        let ofTransport = min(
            min(machine.drainDue ?? .max, lane.isHTTP3 ? nextHTTP3Due : .max),
            min(
                times.lookup.due ?? .max,
                min(times.requeue.due ?? .max, race?.examination ?? .max)))
        let due = min(ofCaller, min(ofPhase, ofTransport))
        return due == .max ? nil : due
    }

    func due(_ limit: Duration?, from start: Int64? = nil) -> Int64? {
        guard let limit else { return nil }
        let (due, overflow) = (start ?? exchange.submitted)
            .addingReportingOverflow(limit.nanoseconds)
        return overflow ? nil : due
    }

    var deadlineDue: Int64? { due(exchange.limits.deadline) }
    var totalDue: Int64? { due(exchange.limits.total) }
    /// The due time of the limits of the request itself.
    var ownDue: Int64? {
        let due = min(deadlineDue ?? .max, totalDue ?? .max)
        return due == .max ? nil : due
    }
    var queueDue: Int64? {
        machine.isAdmitted
            ? nil : due(loop.settings.configuration.queueTimeout, from: times.requeue.since)
    }
    /// The due time of the idle limit. Idleness counts from the moment the request is about to be
    /// sent.
    var idleDue: Int64? {
        due(exchange.limits.idle, from: max(times.lastActivity, exchange.submitted))
    }

    var limitsTLS: Bool { exchange.limits.tls != nil }
    /// `true` if the steps to a connection are limited or reported.
    var observesSteps: Bool { limitsTLS || observes }
    private var tlsDue: Int64? {
        guard case .securing(let start) = times.step else { return nil }
        return exchange.limits.tls.flatMap { due($0, from: start) }
    }

    /// The time at which to check the wait for the head. While the end of the body is not known to
    /// be written, that is looked for often enough that the limit ends little too late.
    private var responseHeadDue: Int64? {
        guard let limit = exchange.limits.responseHead, !machine.hasHead else { return nil }
        switch times.step {
        case .none, .securing: return nil
        case .taken(let time): return due(max(limit / 8, .milliseconds(1)), from: time)
        case .written(let time): return due(limit, from: time)
        }
    }

    /// Begins the wait for the head.
    func noteRequestSent() {
        guard exchange.limits.responseHead != nil else { return }
        // Not the time of the turn, which would make the limit shorter.
        times.step = .written(chttp_monotonic_ns())
        loop.schedule(self)
    }

    /// Begins the wait for the head once the last byte of the body, which libcurl has taken, is
    /// written. Usually it is in this turn.
    func awaitRequestSent() {
        guard exchange.limits.responseHead != nil, !machine.hasHead else { return }
        times.step = .taken(chttp_monotonic_ns())
        loop.schedule(self)
        markDirty()
    }

    var isRaceDue: Bool { (race?.examination).map { $0 <= loop.now } ?? false }

    /// Returns the error that ends the transfer if a limit has passed.
    func checkLimits() -> (any Error)? {
        let now = loop.now
        if lane.isHTTP3, let due = keepAliveDue, due <= now { keepAlive() }
        if let due = machine.drainDue, due <= now { return CancellationError() }
        for (name, due) in [(HTTPError.Timer.Name.deadline, deadlineDue), (.total, totalDue)] {
            if let due, due <= now { return timedOut(name) }
        }
        if let due = times.lookup.due, due <= now, !mayLeaveHTTP3 {
            return timedOut(.connect)
        }
        if let queueDue, queueDue <= now {
            return HTTPError(
                .queueTimedOut,
                "the exchange had no turn in time: \(lane.queue.waitingCount) exchanges wait while "
                    + "\(lane.queue.limit) may run at a time",
                phase: .queued, isRetryable: true)
        }
        if let tlsDue, tlsDue <= now { return timedOut(.tls) }
        if let due = responseHeadDue, due <= now {
            if !times.step.isTaken { return timedOut(.responseHead) }
            if isBodyWritten {
                noteRequestSent()
            } else {
                times.step = .taken(chttp_monotonic_ns())
            }
        }
        if let idleDue, idleDue <= now {
            // The server is not at fault: the reader or the producer is slow, or the request has
            // not begun.
            guard machine.isWritten, !flow.isReceivingPaused, !flow.isSendingPaused else {
                times.lastActivity = now
                return nil
            }
            // Part of a line, or of a record of TLS, which libcurl keeps until the rest has come.
            if speaksHTTP1Alone, let heard = loop.lastHeard(by: self), heard > times.lastActivity {
                times.lastActivity = heard
                return nil
            }
            return timedOut(.idle)
        }
        return nil
    }

    /// `true` if whatever comes over the connection is for this transfer.
    private var speaksHTTP1Alone: Bool {
        guard !lane.isHTTP3 else { return false }
        return connection.speaksHTTP1 || lane.route.origin.scheme == .http
            || easy?.applicationProtocol != "h2"
    }

    func timedOut(_ name: HTTPError.Timer.Name) -> HTTPError {
        exchange.limits.timedOut(
            name, phase: name == .tls ? .securing : machine.phase,
            mayHaveReachedServer: machine.mayHaveReachedServer)
    }
}
