import Testing

@testable import HTTPCaching

@Suite struct DiskCacheBudgetTests {
    @Test func `the first store begins the only sweep`() {
        let budget = Budget(limit: 1000)
        #expect(budget.beginSweepIfDue())
        #expect(!budget.beginSweepIfDue())
        budget.endSweep(total: 500)
        #expect(!budget.beginSweepIfDue())
    }

    @Test func `a sweep is due above the limit and after an eighth of it`() {
        let budget = Budget(limit: 1000)
        #expect(budget.beginSweepIfDue())
        budget.endSweep(total: 950)
        budget.change(from: 0, to: 50)
        #expect(!budget.beginSweepIfDue())
        budget.change(from: 0, to: 1)
        #expect(budget.beginSweepIfDue())
        budget.endSweep(total: 100)
        budget.change(from: 0, to: 126)
        #expect(budget.beginSweepIfDue())
    }

    @Test func `bytes that were stored during a sweep count after it`() {
        let budget = Budget(limit: 1000)
        budget.change(from: 0, to: 100)
        #expect(budget.beginSweepIfDue())
        budget.change(from: 0, to: 120)
        budget.endSweep(total: 890)
        #expect(budget.beginSweepIfDue())
    }

    @Test func `before the first sweep, a quarter of the limit may be stored`() {
        let budget = Budget(limit: 1000)
        #expect(budget.reserve(250))
        #expect(!budget.reserve(1))
        budget.release(250)
        #expect(budget.reserve(250))
    }

    @Test func `nothing is stored a quarter above the limit`() {
        let budget = Budget(limit: 1000)
        _ = budget.beginSweepIfDue()
        budget.endSweep(total: 1000)
        #expect(!budget.reserve(251))
        #expect(budget.reserve(250))
        budget.release(250)
        budget.change(from: 0, to: 250)
        #expect(!budget.reserve(1))
        budget.change(from: 500, to: 0)
        #expect(budget.reserve(1))
    }

    @Test func `nothing is stored half a limit after the last sweep`() {
        let budget = Budget(limit: 1000)
        _ = budget.beginSweepIfDue()
        budget.endSweep(total: 0)
        budget.change(from: 0, to: 400)
        budget.change(from: 400, to: 0)
        #expect(!budget.reserve(101))
        #expect(budget.reserve(100))
    }

    @Test func `a sweep that failed is not repeated at each store`() {
        let budget = Budget(limit: 1000)
        #expect(budget.beginSweepIfDue())
        budget.endSweep(total: nil)
        #expect(!budget.beginSweepIfDue())
        budget.change(from: 0, to: 10)
        #expect(budget.beginSweepIfDue())
    }
}

/// A budget whose changes can be expectations: `#expect` takes no mutating call.
private final class Budget {
    private var value: DiskCacheBudget

    init(limit: Int64) { value = DiskCacheBudget(limit: limit) }

    func reserve(_ count: Int64) -> Bool { value.reserve(count) }
    func release(_ count: Int64) { value.release(count) }
    func change(from old: Int64, to new: Int64) { value.change(from: old, to: new) }
    func beginSweepIfDue() -> Bool { value.beginSweepIfDue() }
    func endSweep(total: Int64?) { value.endSweep(total: total) }
}
