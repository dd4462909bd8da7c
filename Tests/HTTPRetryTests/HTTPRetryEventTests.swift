import HTTPCore
import HTTPRetry
import Testing

@Suite struct HTTPRetryEventTests {
    @Test func `one line gives the cause, the decision and the source of the request`() {
        let granted = HTTPRetryEvent(
            .policy, .granted(delay: .seconds(0.5)), attempt: 1, cause: "503", budgetLeft: 9)
        #expect(
            granted.description
                == "503 on attempt 1: sent again after 500.0 ms (policy, budget left 9)")
        let refused = HTTPRetryEvent(
            .verdict, .refused(.init(rawValue: "it is late")), attempt: 3, cause: "timedOut")
        #expect(
            refused.description == "timedOut on attempt 3: not sent again, it is late (verdict)")
    }

    @Test func `retryDecisions are kept in the timeline and told to the observer, in order`() throws
    {
        final class Seen: HTTPObserver {
            let kept = Locked([HTTPRetryEvent]())
            func observe(_ event: HTTPEvent) {
                guard case .layer(let decision as HTTPRetryEvent) = event.kind else { return }
                kept.withLock { $0.append(decision) }
            }
        }
        let seen = Seen()
        let call = try #require(HTTPRequest(.get, "https://h/").beginningCall(observer: seen).call)
        let retryDecisions = (1...3).map {
            HTTPRetryEvent(.hedge, .granted(delay: .zero), attempt: $0, cause: "slow")
        }
        for decision in retryDecisions { call.record(decision) }
        #expect(
            call.timeline.retryDecisions == retryDecisions
                && seen.kept.withLock { $0 } == retryDecisions)
    }
}
