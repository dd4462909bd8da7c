import HTTPCore

// Which limit of time has passed. The loop asks after each turn for the next time to check, and
// calls `checkLimits` then. The limit of connecting is libcurl's: see `Transfer+Setup`.
extension Transfer {
    func admit() {
        machine.admit()
        awaitAlternative()
        guard times.admitted == nil else { return }
        times.admitted = loop.now
        if observes {
            events.append(.sending(exchange.request))
            markDirty()
        }
    }

    /// Limits the wait for a connection to a service that the server has announced.
    func awaitAlternative() {
        guard let patience = alternative?.patience, alternative?.purpose == .exchange else {
            return
        }
        alternative?.socketMade = nil
        // The search for the address takes its time, too.
        times.alternativeDue = loop.now + max(patience, Self.longestLookup)
        loop.schedule(self)
    }

    /// The time at which to check the limits next.
    var nextDue: Int64? {
        let due = min(
            min(deadlineDue ?? .max, totalDue ?? .max),
            min(
                min(idleDue ?? .max, times.drainDue ?? .max),
                min(
                    min(queueDue ?? .max, keepAliveDue ?? .max),
                    min(times.alternativeDue ?? .max, silenceDue ?? .max))))
        return due == .max ? nil : due
    }

    private func due(_ limit: Duration?) -> Int64? {
        limit.map { exchange.submitted.addingReportingOverflow($0.nanoseconds) }
            .flatMap { $0.overflow ? nil : $0.partialValue }
    }

    var deadlineDue: Int64? { due(exchange.limits.deadline) }
    var totalDue: Int64? { due(exchange.limits.total) }
    var queueDue: Int64? {
        machine.isAdmitted ? nil : due(loop.settings.configuration.queueTimeout)
    }
    /// The due time of the idle limit. Idleness counts from the moment the request is about to be
    /// sent.
    var idleDue: Int64? {
        guard let idle = exchange.limits.idle else { return nil }
        let (due, overflow) = max(times.lastActivity, exchange.submitted)
            .addingReportingOverflow(idle.nanoseconds)
        return overflow ? nil : due
    }

    /// The time that an exchange waits for a connection over HTTP/3 that needs no new socket, or
    /// none yet, in nanoseconds.
    private static let longestLookup: Int64 = 1_000_000_000

    /// `true` if the exchange has waited long enough for a connection over HTTP/3.
    var isAlternativeLate: Bool {
        guard let due = times.alternativeDue else { return false }
        return machine.stage <= .connecting && due <= loop.now
    }

    /// The time after which a request is sent again if its HTTP/3 connection is lost, in
    /// nanoseconds. QUIC acknowledges within milliseconds, and repeats what was lost several times
    /// in this time.
    private static let silenceLimit: Int64 = 3_000_000_000
    /// The time after which the connection is watched.
    private static let suspicionTime: Int64 = 1_000_000_000

    /// The time at which to check whether the connection is lost. A connection that is not known
    /// cannot be checked.
    private var silenceDue: Int64? {
        guard lane.route.protocols == .http3Alone, machine.stage == .waiting, !connection.isHeard,
            connection.id != nil, let written = times.written
        else { return nil }
        guard connection.isSuspected else { return written + Self.suspicionTime }
        // If that cannot be known yet, the next check comes later and later.
        let next = times.lostCheck.map { $0 + max(Self.suspicionTime, ($0 - written) / 2) } ?? 0
        if exchange.request.method.isIdempotent, machine.canSendAgain(uploadForm),
            !machine.freshStarts.contains(FreshStart.Reasons(.silentConnection))
        {
            return max(next, written + Self.silenceLimit)
        }
        return loop.settings.configuration.unacknowledgedTimeout.flatMap {
            let (due, overflows) = written.addingReportingOverflow($0.nanoseconds)
            return overflows ? nil : max(next, due)
        }
    }

    var isSilenceDue: Bool { silenceDue.map { $0 <= loop.now } ?? false }

    var silenceError: HTTPError {
        HTTPError(
            .connectionLost,
            "the HTTP/3 connection was lost: the server has not acknowledged the request",
            phase: .waiting, isRetryable: true, mayHaveReachedServer: true)
    }

    /// The number of bytes, beyond the high watermark, that may come while a paused transfer keeps
    /// its connection alive. A server sends some 64 KiB each time, so this lasts for 12 minutes.
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
        if let queueDue, queueDue <= now {
            return HTTPError(
                .queueTimedOut,
                "the exchange had no turn in time: \(lane.queue.waitingCount) exchanges wait while "
                    + "\(lane.queue.limit) may run at a time",
                phase: .queued, isRetryable: true)
        }
        if let idleDue, idleDue <= now {
            // The server is not at fault: the reader or the producer is slow, or the request has
            // not begun.
            guard machine.writes > 0, !flow.isReceivingPaused, !flow.isSendingPaused else {
                times.lastActivity = now
                return nil
            }
            return timedOut(.idle)
        }
        return nil
    }

    func timedOut(_ name: HTTPError.Timer.Name) -> HTTPError {
        exchange.limits.timedOut(
            name, phase: machine.phase, mayHaveReachedServer: machine.writes > 0)
    }
}
