import HTTPCore
import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite struct RateMeterTests {
    private static let laws: [HTTPRate] = [
        .tokenBucket(100, per: .seconds(10), burst: 20), .slidingWindow(100, per: .seconds(10)),
    ]

    // MARK: Token bucket

    @Test func `a full bucket lets its burst pass, and then the rate`() {
        var meter = RateMeter(.tokenBucket(10, per: .seconds(1), burst: 5))
        for _ in 0..<5 { #expect(meter.take(1...1, at: 0, patience: 0) == .taken(1, after: 0)) }
        #expect(meter.take(1...1, at: 0, patience: 0).wait.isAbout(0.1))
        #expect(meter.take(1...1, at: 0.1, patience: 0) == .taken(1, after: 0))
        #expect(meter.take(1...1, at: 100, patience: 0) == .taken(1, after: 0))
        #expect(meter.take(9...9, at: 100, patience: 0).wait.isAbout(0.1))
    }

    @Test func `units are promised one after the other`() {
        var meter = RateMeter(.tokenBucket(10, per: .seconds(1), burst: 1))
        let waits = (0..<4).map { _ in meter.take(1...1, at: 7, patience: 9).wait }
        #expect(zip(waits, [0, 0.1, 0.2, 0.3]).allSatisfy { $0.isAbout($1) })
    }

    @Test func `a refusal takes nothing`() {
        var meter = RateMeter(.tokenBucket(1, per: .seconds(1), burst: 1))
        _ = meter.take(1...1, at: 0, patience: 0)
        let before = meter
        #expect(meter.take(1...1, at: 0, patience: 0.5) == .refused(after: 1))
        #expect(meter == before)
    }

    @Test func `more than the bucket holds is taken from a full one, and paid for later`() {
        var meter = RateMeter(.tokenBucket(10, per: .seconds(1), burst: 10))
        #expect(meter.take(30...30, at: 0, patience: 0) == .taken(30, after: 0))
        #expect(meter.take(1...1, at: 0, patience: 9).wait.isAbout(2.1))
    }

    @Test func `as many as are available are taken, up to the most`() {
        var meter = RateMeter(.tokenBucket(10, per: .seconds(1), burst: 10))
        #expect(meter.take(1...4, at: 0, patience: 0) == .taken(4, after: 0))
        #expect(meter.take(1...40, at: 0, patience: 0) == .taken(6, after: 0))
        #expect(meter.take(1...40, at: 0, patience: 1).wait.isAbout(0.1))
    }

    // MARK: Sliding window

    @Test func `a window is free again when its oldest units have left it`() {
        var meter = RateMeter(.slidingWindow(4, per: .seconds(64)))
        for time in 0..<4 {
            #expect(meter.take(1...1, at: Double(time), patience: 0) == .taken(1, after: 0))
        }
        #expect(meter.take(1...1, at: 10, patience: 0) == .refused(after: 55))
        #expect(meter.take(1...1, at: 10, patience: 99) == .taken(1, after: 55))
        #expect(meter.take(1...1, at: 10, patience: 99) == .taken(1, after: 56))
        #expect(meter.take(1...1, at: 65, patience: 0) == .refused(after: 2))
    }

    @Test func `more than a window holds is spread over several`() {
        var meter = RateMeter(.slidingWindow(10, per: .seconds(64)))
        #expect(meter.take(25...25, at: 0, patience: 0) == .taken(25, after: 0))
        // Ten count now, ten in the second window and five in the third.
        #expect(meter.take(5...5, at: 0, patience: 999) == .taken(5, after: 130))
        #expect(meter.take(1...1, at: 0, patience: 999) == .taken(1, after: 195))
    }

    // MARK: Both

    @Test(arguments: laws) func `units that were given back are available again`(rate: HTTPRate) {
        var meter = RateMeter(rate)
        guard case .taken(let units, 0) = meter.take(1...100, at: 0, patience: 0) else {
            Issue.record("nothing was available")
            return
        }
        guard case .refused = meter.take(1...1, at: 0, patience: 0) else {
            Issue.record("more was available")
            return
        }
        meter.refund(3, at: 0)
        #expect(meter.take(1...9, at: 0, patience: 0) == .taken(3, after: 0))
        meter.refund(units * 2, at: 0)
        #expect(meter.take(1...1, at: 0, patience: 0) == .taken(1, after: 0))
    }

    @Test(arguments: laws) func `a meter is idle when all its units are over`(rate: HTTPRate) {
        var meter = RateMeter(rate)
        #expect(meter.isIdle(at: 0))
        _ = meter.take(5...5, at: 1, patience: 0)
        #expect(!meter.isIdle(at: 1))
        #expect(meter.isIdle(at: 20))
    }

    @Test(arguments: laws, [1, 2, 3]) func `no span has more units than the rate allows`(
        rate: HTTPRate, seed: Int
    ) {
        var random = SeededRandom(UInt64(seed))
        var meter = RateMeter(rate)
        var now = 0.0
        var grants: [(time: Double, units: Int)] = []
        for _ in 0..<3000 {
            now += Double.random(in: 0..<0.2, using: &random)
            let least = Int.random(in: 1...3, using: &random)
            let most = least + Int.random(in: 0...3, using: &random)
            let patience = Double.random(in: 0..<5, using: &random)
            if case .taken(let units, let wait) = meter.take(
                least...most, at: now, patience: patience)
            {
                #expect(wait <= patience && (least...most).contains(units))
                grants.append((now + wait, units))
            }
        }
        #expect(zip(grants, grants.dropFirst()).allSatisfy { $0.time <= $1.time + 1e-6 })
        var allowance = Double(rate.limit)
        if case .tokenBucket(let burst) = rate.law { allowance += Double(burst) }
        for (index, first) in grants.enumerated() {
            let span = grants[index...].prefix { $0.time < first.time + 10 - 1e-6 }
            #expect(Double(span.reduce(0) { $0 + $1.units }) <= allowance + 1e-6)
        }
        // Nor far fewer: the rate is used up.
        let total = Double(grants.reduce(0) { $0 + $1.units })
        #expect(total >= now * 10 * 0.95)
    }

    @Test func `extreme rates and times do not trap`() {
        for rate in [
            HTTPRate.tokenBucket(.max, per: .seconds(1e18), burst: .max),
            .slidingWindow(.max, per: .zero),
            .tokenBucket(0, per: .zero, burst: 0), .slidingWindow(-5, per: .seconds(-1)),
        ] {
            var meter = RateMeter(rate)
            for time in [0, 1e18, -1e18, 1e15] {
                _ = meter.take(1...(1 << 40), at: time, patience: 1e12)
                meter.refund(1 << 40, at: time)
                _ = meter.isIdle(at: time)
            }
        }
    }
}

extension RateMeter.Decision {
    /// The wait, whether the units were taken or not.
    fileprivate var wait: Double {
        switch self {
        case .taken(_, let wait), .refused(let wait): wait
        }
    }
}

extension Double {
    fileprivate func isAbout(_ other: Double) -> Bool { abs(self - other) < 1e-3 }
}
