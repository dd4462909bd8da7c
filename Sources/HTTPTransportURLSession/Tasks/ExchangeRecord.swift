import HTTPCore

/// The record of one exchange's times and counts.
final class ExchangeRecord: HTTPTimelineRecord {
    let start: HTTPInstant
    private let state: Locked<HTTPTimeline.Exchange>

    init() {
        let start = HTTPSystemClock().now
        self.start = start
        self.state = Locked(HTTPTimeline.Exchange(start: start))
    }

    /// The time since the exchange began.
    var elapsed: Duration { HTTPSystemClock().now - start }

    var exchange: HTTPTimeline.Exchange { state.withLock { $0 } }

    var timeline: HTTPTimeline { HTTPTimeline(exchanges: [exchange]) }

    func update(_ change: (inout HTTPTimeline.Exchange) -> Void) { state.withLock { change(&$0) } }
}
