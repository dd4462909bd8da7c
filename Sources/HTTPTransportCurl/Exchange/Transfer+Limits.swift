import CHTTPTransportCurl
import HTTPCore

// Which limit of time has passed. The loop asks after each turn for the next time to check, and
// calls `checkLimits` then. The limit of connecting is libcurl's: see `Transfer+Setup`.
extension Transfer {
    func admit() {
        machine.admit()
        awaitAlternative()
        guard times.admitted == nil else { return }
        times.admitted = loop.now
        if observes { note(.sending(exchange.request)) }
    }

    /// Limits the wait for a connection to a service that the server has announced.
    func awaitAlternative() {
        guard let patience = alternative?.patience, alternative?.purpose == .exchange else {
            return
        }
        alternative?.socketMade = nil
        alternative?.hurriedDue = ownDue.map { loop.now + max(0, $0 - loop.now) / 2 }
        // The search for the address takes its time, too.
        limitAlternative(to: loop.now + max(patience, Self.longestLookup))
    }

    private func limitAlternative(to due: Int64) {
        times.alternativeDue = min(
            due, times.alternativeDue ?? .max, alternative?.hurriedDue ?? .max)
        loop.schedule(self)
    }

    /// Limits the time of a connection from the moment when its first socket is made.
    func openedForAlternative() {
        guard let alternative else { return }
        if alternative.purpose == .exchange, machine.stage == .waiting, mayBeSentTwice,
            !alternative.isReconnecting
        {
            self.alternative?.isReconnecting = true
            awaitAlternative()
        }
        guard self.alternative?.socketMade == nil else { return }
        self.alternative?.socketMade = loop.now
        if times.alternativeDue != nil { limitAlternative(to: loop.now + alternative.patience) }
    }

    /// The time at which to check the limits next.
    var nextDue: Int64? {
        let ofCaller = min(
            min(deadlineDue ?? .max, totalDue ?? .max), min(idleDue ?? .max, queueDue ?? .max))
        let ofPhase = min(tlsDue ?? .max, responseHeadDue ?? .max)
        let ofTransport = min(
            min(times.drainDue ?? .max, keepAliveDue ?? .max),
            min(
                min(min(alternativeDue ?? .max, silenceDue ?? .max), times.lookupDue ?? .max),
                min(min(times.restDue ?? .max, times.settlingDue ?? .max), times.raceDue ?? .max)))
        let due = min(ofCaller, min(ofPhase, ofTransport))
        return due == .max ? nil : due
    }

    private func due(_ limit: Duration?, from start: Int64? = nil) -> Int64? {
        limit.map { (start ?? exchange.submitted).addingReportingOverflow($0.nanoseconds) }
            .flatMap { $0.overflow ? nil : $0.partialValue }
    }

    var deadlineDue: Int64? { due(exchange.limits.deadline) }
    var totalDue: Int64? { due(exchange.limits.total) }
    /// The due time of the limits of the request itself.
    private var ownDue: Int64? {
        let due = min(deadlineDue ?? .max, totalDue ?? .max)
        return due == .max ? nil : due
    }
    var queueDue: Int64? {
        machine.isAdmitted
            ? nil : due(loop.settings.configuration.queueTimeout, from: times.requeued)
    }
    /// The due time of the idle limit. Idleness counts from the moment the request is about to be
    /// sent.
    var idleDue: Int64? {
        guard let idle = exchange.limits.idle else { return nil }
        let (due, overflow) = max(times.lastActivity, exchange.submitted)
            .addingReportingOverflow(idle.nanoseconds)
        return overflow ? nil : due
    }

    var limitsTLS: Bool { exchange.limits.tls != nil }
    /// `true` if the steps to a connection are limited or reported.
    var observesSteps: Bool { limitsTLS || observes }
    private var tlsDue: Int64? {
        times.securing.flatMap { securing in
            exchange.limits.tls.flatMap { due($0, from: securing) }
        }
    }

    /// The time at which to check the wait for the head. While the end of the body is not known to
    /// be written, that is looked for often enough that the limit ends little too late.
    private var responseHeadDue: Int64? {
        guard let limit = exchange.limits.responseHead, !machine.hasHead else { return nil }
        if let requestSent = times.requestSent { return due(limit, from: requestSent) }
        return times.bodyTaken.flatMap { due(max(limit / 8, .milliseconds(1)), from: $0) }
    }

    /// Begins the wait for the head.
    func noteRequestSent() {
        times.bodyTaken = nil
        guard exchange.limits.responseHead != nil else { return }
        // Not the time of the turn, which would make the limit shorter.
        times.requestSent = chttp_monotonic_ns()
        loop.schedule(self)
    }

    /// Begins the wait for the head once the last byte of the body, which libcurl has taken, is
    /// written. Usually it is in this turn.
    func awaitRequestSent() {
        guard exchange.limits.responseHead != nil, !machine.hasHead else { return }
        times.bodyTaken = chttp_monotonic_ns()
        loop.schedule(self)
        markDirty()
    }

    /// The time that an exchange waits for a connection over HTTP/3 that needs no new socket, or
    /// none yet, in nanoseconds.
    private static let longestLookup: Int64 = 1_000_000_000

    /// `true` if the exchange can go on without HTTP/3: nothing was sent, or the connection has
    /// ended, and the request may be sent again.
    var mayLeaveAlternative: Bool {
        guard let alternative, alternative.purpose == .exchange else { return false }
        return machine.stage <= .connecting || alternative.isReconnecting
    }

    /// The wait for the addresses of the service is a part of it.
    private var alternativeDue: Int64? {
        guard mayLeaveAlternative else { return nil }
        let due = min(times.alternativeDue ?? .max, times.lookupDue ?? .max)
        return due == .max ? nil : due
    }

    /// `true` if the exchange has waited long enough for a connection over HTTP/3.
    var isAlternativeLate: Bool { alternativeDue.map { $0 <= loop.now } ?? false }

    /// `true` if the wait was shorter than the service may need, because the exchange has little
    /// time.
    var isHurried: Bool { isAlternativeLate && times.alternativeDue == alternative?.hurriedDue }

    /// `true` if the request may be sent again although it may have reached the server.
    var mayBeSentTwice: Bool {
        exchange.request.method.isIdempotent && machine.canSendAgain(uploadForm)
    }

    /// The longest and the shortest time after which a connection over HTTP/3 counts as lost, in
    /// nanoseconds. QUIC acknowledges within milliseconds, and repeats what was lost several times
    /// in this time.
    private static let longestSilence: Int64 = 3_000_000_000
    private static let shortestSilence: Int64 = 1_000_000_000

    /// The time without a sign of life after which the connection counts as lost. A request with
    /// little time still has half of it left then.
    private func silenceLimit(from written: Int64) -> Int64 {
        guard let ownDue else { return Self.longestSilence }
        return min(Self.longestSilence, max(Self.shortestSilence, (ownDue - written) / 2))
    }

    /// The time at which a request fails that has no sign of life and may not be sent twice.
    var unacknowledgedDue: Int64? {
        times.written.flatMap {
            due(loop.settings.configuration.unacknowledgedTimeout, from: $0)
        }
    }

    /// `true` if the request was written over HTTP/3, and nothing has come since.
    var isUnanswered: Bool {
        lane.route.protocols.isHTTP3 && machine.stage == .waiting && !connection.isHeard
            && connection.use.id != nil && times.written != nil
    }

    /// The time at which to check whether the connection is lost. A connection that is not known
    /// cannot be checked.
    private var silenceDue: Int64? {
        guard isUnanswered, let written = times.written else { return nil }
        let limit = silenceLimit(from: written)
        let suspicionTime = limit / 3
        guard connection.isSuspected else { return written + suspicionTime }
        // If that cannot be known yet, the next check comes later and later.
        let next = times.lostCheck.map { $0 + max(suspicionTime, ($0 - written) / 2) } ?? 0
        if connection.isGivenUp { return unacknowledgedDue.map { max(next, $0) } }
        if mayBeSentTwice,
            !machine.freshStarts.contains(FreshStart.Reasons(.silentConnection))
        {
            return max(next, written + limit)
        }
        return max(next, min(written + limit, unacknowledgedDue ?? .max))
    }

    var isRaceDue: Bool { times.raceDue.map { $0 <= loop.now } ?? false }

    var isSilenceDue: Bool { silenceDue.map { $0 <= loop.now } ?? false }

    var silenceError: HTTPError {
        HTTPError(
            .connectionLost,
            "the HTTP/3 connection was lost: the server has not acknowledged the request",
            phase: .waiting, isRetryable: true, mayHaveReachedServer: true)
    }

    /// The number of bytes, beyond the high watermark, that may come while a paused transfer keeps
    /// its connection alive. A server sends some 64 KiB each time: enough for about 13 minutes.
    private static let keepAliveRoom = 16 << 20

    private var keepAliveDue: Int64? {
        let configuration = loop.settings.configuration
        guard flow.isReceivingPaused, let keptAlive = times.keptAlive,
            flow.queued + buffer.count < configuration.highWater + Self.keepAliveRoom
        else { return nil }
        return keptAlive + configuration.keepAliveInterval.nanoseconds
    }

    /// Returns the error that ends the transfer if a limit has passed.
    func checkLimits() -> (any Error)? {
        let now = loop.now
        if let due = keepAliveDue, due <= now { keepAlive() }
        if let due = times.drainDue, due <= now { return CancellationError() }
        for (name, due) in [(HTTPError.Timer.Name.deadline, deadlineDue), (.total, totalDue)] {
            if let due, due <= now { return timedOut(name) }
        }
        if let due = times.lookupDue, due <= now, !mayLeaveAlternative {
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
            if times.requestSent != nil { return timedOut(.responseHead) }
            if isBodyWritten { noteRequestSent() } else { times.bodyTaken = chttp_monotonic_ns() }
        }
        if let idleDue, idleDue <= now {
            // The server is not at fault: the reader or the producer is slow, or the request has
            // not begun.
            guard machine.writes > 0, !flow.isReceivingPaused, !flow.isSendingPaused else {
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
        guard !lane.route.protocols.isHTTP3 else { return false }
        return connection.speaksHTTP1 || lane.route.origin.scheme == .http
            || easy?.applicationProtocol != "h2"
    }

    func timedOut(_ name: HTTPError.Timer.Name) -> HTTPError {
        exchange.limits.timedOut(
            name, phase: name == .tls ? .securing : machine.phase,
            mayHaveReachedServer: machine.mayHaveReachedServer)
    }
}
