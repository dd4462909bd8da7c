import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite struct ServerQuotaTests {
    private let start = HTTPInstant(sinceStart: .zero)

    private func seconds(_ count: Int) -> HTTPInstant { start + .seconds(count) }

    private func quota(_ remaining: Int, reset: Int, isWindow: Bool = false) -> ServerQuota {
        var quota = ServerQuota(longestReset: .seconds(300))
        let time = Duration.seconds(reset)
        quota.note(
            [
                ServiceLimit(
                    remaining: remaining, reset: isWindow ? nil : time,
                    window: isWindow ? time : nil)
            ], underWay: 0, at: start)
        return quota
    }

    @Test func `a limit with nothing left blocks until it is reset`() {
        for isWindow in [false, true] {
            var quota = quota(1, reset: 30, isWindow: isWindow)
            #expect(quota.hold(at: start) == .none)
            #expect(quota.take(1, at: start) == false)
            #expect(quota.hold(at: start) == .blocked(until: seconds(30)))
            #expect(quota.hold(at: seconds(29)) == .blocked(until: seconds(30)))
            #expect(quota.hold(at: seconds(30)) == .none)
        }
    }

    /// Each of several limits holds requests back by itself.
    @Test(arguments: [[30, 60], [60, 30], [60, 60]])
    func `requests wait for the last reset of the limits with nothing left`(resets: [Int]) {
        func limits(_ remaining: [Int]) -> ServerQuota {
            var quota = ServerQuota(longestReset: .seconds(300))
            let limits = zip(remaining, resets).enumerated().map { index, limit in
                ServiceLimit(
                    policy: "\(index)", remaining: limit.0, reset: .seconds(limit.1))
            }
            quota.note(limits, underWay: 0, at: start)
            return quota
        }
        var both = limits([0, 0])
        #expect(both.hold(at: start) == .blocked(until: seconds(60)))
        #expect(both.hold(at: seconds(30)) == .blocked(until: seconds(60)))
        #expect(both.hold(at: seconds(59)) == .blocked(until: seconds(60)))
        #expect(both.hold(at: seconds(60)) == .none)
        for index in 0..<2 {
            var one = limits(index == 0 ? [0, 5] : [5, 0])
            #expect(one.hold(at: start) == .blocked(until: seconds(resets[index])))
            #expect(one.hold(at: seconds(resets[index])) == .none)
        }
        var none = limits([5, 5])
        #expect(none.hold(at: start) == .none)
    }

    @Test(arguments: [(3, 0, 3), (3, 2, 1), (3, 3, 0), (3, 5, 0), (0, 0, 0)])
    func `requests that the server may not have counted are subtracted`(
        remaining: Int, underWay: Int, left: Int
    ) {
        var quota = ServerQuota(longestReset: .seconds(300))
        quota.note(
            [ServiceLimit(remaining: remaining, reset: .seconds(30))], underWay: underWay, at: start
        )
        for _ in 0..<left {
            #expect(quota.hold(at: start) == .none)
            _ = quota.take(1, at: start)
        }
        #expect(quota.hold(at: start) == .blocked(until: seconds(30)))
    }

    @Test func `after a reset that was cut, one request goes and the others wait for it`() {
        var quota = quota(0, reset: 999_999_999)
        #expect(quota.hold(at: start) == .blocked(until: seconds(300)))
        #expect(quota.hold(at: seconds(300)) == .probe)
        #expect(quota.take(1, at: seconds(300)) == true)
        #expect(quota.hold(at: seconds(301)) == .probing(until: seconds(600)))
        #expect(quota.take(1, at: seconds(301)) == false)
        // It asks for as much again, and gets as little.
        quota.note(
            [ServiceLimit(remaining: 0, reset: .seconds(999_999_999))], underWay: 0,
            at: seconds(302))
        #expect(quota.hold(at: seconds(302)) == .blocked(until: seconds(602)))
        #expect(quota.hold(at: seconds(602)) == .probe)
        #expect(quota.take(1, at: seconds(602)) == true)
        quota.note([], underWay: 0, at: seconds(603))
        #expect(quota.hold(at: seconds(603)) == .none)
        #expect(quota.isOver(at: seconds(603)))
    }

    @Test func `a probe without a response is followed by another one`() {
        var quota = quota(0, reset: 999_999_999)
        #expect(quota.hold(at: seconds(300)) == .probe)
        #expect(quota.take(1, at: seconds(300)) == true)
        quota.probeFailed()
        #expect(quota.hold(at: seconds(301)) == .probe)
        #expect(quota.take(1, at: seconds(301)) == true)
        // One whose response never comes holds up the others no longer than a pause.
        #expect(quota.hold(at: seconds(600)) == .probing(until: seconds(601)))
        #expect(quota.hold(at: seconds(601)) == .probe)
    }

    @Test func `a limit with units left needs no probe, and bytes have none`() {
        var left = quota(5, reset: 999_999_999)
        #expect(left.hold(at: seconds(300)) == .none)
        var bytes = ServerQuota(longestReset: .seconds(300), hasProbes: false)
        bytes.note(
            [ServiceLimit(remaining: 0, reset: .seconds(999_999_999), unit: .contentBytes)],
            underWay: 0, at: start)
        #expect(bytes.hold(at: seconds(299)) == .blocked(until: seconds(300)))
        #expect(bytes.hold(at: seconds(300)) == .none)
    }

    @Test func `no number of units and no time is too large`() {
        for units in Extremes.counts {
            for reset in Extremes.durations {
                for underWay in Extremes.counts {
                    for now in Extremes.durations {
                        let now = HTTPInstant(sinceStart: now)
                        var quota = ServerQuota(longestReset: reset)
                        var limit = ServiceLimit(remaining: 0, reset: reset)
                        limit.remaining = units
                        quota.note([limit], underWay: underWay, at: now)
                        _ = quota.take(units, at: now)
                        quota.giveBack(units)
                        _ = quota.hold(at: now)
                        _ = quota.isOver(at: now)
                    }
                }
            }
        }
    }
}
