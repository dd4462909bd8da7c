import HTTPClientKit

extension ObservedExchange {
    /// Takes over the times and facts of a snapshot that the transport has made.
    mutating func note(_ snapshot: HTTPTimeline.Exchange) {
        times = snapshot
        peer = snapshot.remoteHost.map { host in
            guard let port = snapshot.remotePort else { return "unix:\(host)" }
            return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
        version = snapshot.version?.rawValue ?? version
        isReused = snapshot.isConnectionReused
        bytes = snapshot.responseBodyBytes
    }

    /// Computes the bars from the times so far.
    mutating func drawPhases() {
        phases = []
        var begin = Duration.zero
        let over = isOver ? times.lastByte ?? begin : nil

        func ms(_ time: Duration) -> Double {
            (.milliseconds(startedAt) + max(.zero, time)).milliseconds
        }
        func add(_ name: Phase.Name, until end: Duration?) {
            // Values of different clocks can differ by some microseconds: bars never go backwards.
            let end = end.map { max($0, begin) }
            phases.append(Phase(name: name, from: ms(begin), to: end.map(ms)))
            begin = end ?? begin
        }

        for (name, end) in [
            (Phase.Name.queued, times.admitted), (.name, times.nameResolved),
            (.connect, times.connected), (.tls, times.secured),
        ] {
            if let end { add(name, until: end) }
        }
        guard let sending = times.sending else {
            // It has not got further than the step that it began last.
            return add(step, until: over)
        }
        begin = max(begin, sending)
        let beforeResponse = [sent, times.firstByte ?? over].compactMap(\.self).min()
        add(.sending, until: beforeResponse)
        guard sent != nil || times.firstByte != nil else { return }
        add(.waiting, until: times.firstByte ?? over)
        if times.firstByte != nil { add(.body, until: over) }
    }
}
