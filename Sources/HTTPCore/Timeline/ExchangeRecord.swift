/// The record that a transport writes the times and counts of one exchange to.
///
/// Separate from the transport's own object for the exchange: the call retains the record, and that
/// object retains the call.
package final class ExchangeRecord: HTTPTimelineRecord {
    package let start: HTTPInstant
    @usableFromInline let state: Locked<HTTPTimeline.Exchange>

    package init() {
        let start = HTTPSystemClock().now
        self.start = start
        self.state = Locked(HTTPTimeline.Exchange(start: start))
    }

    /// The time since the exchange began.
    package var elapsed: Duration { HTTPSystemClock().now - start }

    package var exchange: HTTPTimeline.Exchange { state.withLock { $0 } }

    package var timeline: HTTPTimeline { HTTPTimeline(exchanges: [exchange]) }

    @inlinable package func update(_ change: (inout HTTPTimeline.Exchange) -> Void) {
        state.withLock { change(&$0) }
    }
}
