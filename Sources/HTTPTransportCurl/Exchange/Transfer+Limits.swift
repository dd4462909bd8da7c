import HTTPCore

// Which limit of time has passed. The loop asks after each turn for the next time to check, and
// calls `checkLimits` then. The limit of connecting is libcurl's: see `Transfer+Setup`.
extension Transfer {
    func admit() {
        machine.admit()
        times.admitted = loop.now
        if observes {
            events.append(.sending(exchange.request))
            markDirty()
        }
    }

    /// The time at which to check the limits next.
    var nextDue: Int64? {
        let due = min(
            min(deadlineDue ?? .max, totalDue ?? .max),
            min(min(idleDue ?? .max, times.drainDue ?? .max), queueDue ?? .max))
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

    /// Returns the error that ends the transfer if a limit has passed.
    func checkLimits() -> (any Error)? {
        let now = loop.now
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
