import HTTPCore
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite struct RateQueueTests {
    private let start = HTTPInstant(sinceStart: .zero)
    private let end = HTTPInstant(sinceStart: .seconds(60))

    private func queue(
        _ tenants: [(String, RequestPriority)], units: Int = 1, lease: Int = 0
    ) -> RateQueue {
        var queue = RateQueue(limit: 100, lease: lease)
        for (id, (tenant, priority)) in tenants.enumerated() {
            queue.enqueue(
                UInt64(id), units: units, tenant: tenant, priority: priority, until: end)
        }
        return queue
    }

    private func order(_ queue: RateQueue) -> [RateQueue.ID] {
        var queue = queue
        var order: [RateQueue.ID] = []
        while !queue.isEmpty { order += queue.receive(1, at: start).ids }
        return order
    }

    @Test func `requests of one tenant are served in the order of arrival`() {
        #expect(order(queue([("a", .normal), ("a", .normal), ("a", .normal)])) == [0, 1, 2])
    }

    @Test func `tenants take turns, however many requests one has`() {
        let queue = queue(
            [("a", .normal), ("a", .normal), ("a", .normal), ("b", .normal), ("c", .normal)])
        #expect(order(queue) == [0, 3, 4, 1, 2])
    }

    @Test func `a tenant gets no credit for the time in which it asked for nothing`() {
        var queue = queue([("a", .normal), ("a", .normal), ("a", .normal), ("a", .normal)])
        _ = queue.receive(2, at: start)
        for id in 4...6 as ClosedRange<UInt64> {
            queue.enqueue(id, units: 1, tenant: "b", priority: .normal, until: end)
        }
        #expect(order(queue) == [4, 2, 5, 3, 6])
    }

    @Test func `a tenant with large requests has fewer turns`() {
        var queue = RateQueue(limit: 9)
        for id in 0...1 as ClosedRange<UInt64> {
            queue.enqueue(id, units: 3, tenant: "big", priority: .normal, until: end)
        }
        for id in 2...5 as ClosedRange<UInt64> {
            queue.enqueue(id, units: 1, tenant: "small", priority: .normal, until: end)
        }
        #expect(order(queue) == [0, 2, 3, 4, 1, 5])
    }

    @Test func `no number of units from a store or a request is too large`() {
        for first in Extremes.counts {
            for second in Extremes.counts {
                for lease in Extremes.counts {
                    var queue = RateQueue(limit: 9, lease: lease)
                    _ = queue.receive(first, at: start)
                    _ = queue.takeHeld(second, at: start)
                    for units in [first, second] {
                        for id in 0...1 as ClosedRange<UInt64> {
                            queue.enqueue(
                                id, units: units, tenant: "a", priority: .normal, until: end)
                            _ = queue.unitsAfterHead(for: units, of: "a", .normal)
                            _ = queue.step(at: start)
                        }
                        _ = queue.receive(units, at: start)
                        _ = queue.step(at: start)
                    }
                    _ = queue.surplus()
                    _ = queue.dropHeld()
                }
            }
        }
    }

    @Test func `only as many requests go on as may`() {
        var queue = queue([("a", .normal), ("a", .normal), ("a", .normal)])
        guard case .ask(let question) = queue.step(at: start, atMost: 1) else {
            Issue.record("no question")
            return
        }
        #expect(question.units == 1...1)
        #expect(queue.receive(3, at: start, atMost: 1).ids == [0])
        #expect(queue.receive(0, at: start).ids == [1, 2])
    }

    @Test func `a higher priority is first`() {
        #expect(order(queue([("a", .low), ("a", .normal), ("b", .high)])) == [2, 1, 0])
    }

    @Test func `the store is asked for those that wait, and for the lease`() {
        var queue = queue([("a", .normal), ("b", .normal)], units: 3, lease: 10)
        #expect(
            queue.step(at: start)
                == .ask(RateQueue.Question(head: 0, units: 3...16, patience: .seconds(60))))
        #expect(queue.receive(4, at: start).ids == [0])
        #expect(
            queue.step(at: start)
                == .ask(RateQueue.Question(head: 1, units: 2...12, patience: .seconds(60))))
        #expect(queue.receive(12, at: start).ids == [1])
        #expect(queue.step(at: start) == .keep(until: start + .seconds(1)))
        #expect(queue.takeHeld(4, at: start) == true)
        #expect(queue.takeHeld(6, at: start) == true)
        #expect(queue.takeHeld(1, at: start) == false)
        #expect(queue.step(at: start) == .finish)
    }

    @Test func `64 requests at most share a question`() throws {
        var queue = queue(Array(repeating: ("a", .normal), count: 100))
        guard case .ask(let question) = queue.step(at: start) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.units == 1...64)
    }

    @Test func `a lease that was not used in time is given back`() {
        var queue = queue([("a", .normal)], lease: 5)
        _ = queue.receive(6, at: start)
        let later = start + .seconds(1)
        #expect(queue.takeHeld(1, at: later) == false)
        #expect(queue.step(at: later) == .giveBack(5))
        #expect(queue.step(at: later) == .finish)
    }

    @Test func `without a lease, units beyond the waiting requests are given back`() {
        var queue = queue([("a", .normal)])
        #expect(queue.receive(3, at: start).units == 1)
        #expect(queue.surplus() == 2)
        #expect(queue.step(at: start) == .finish)
    }

    @Test func `a request that has left takes no units`() {
        var queue = queue([("a", .normal), ("a", .normal)])
        #expect(queue.withdraw(0) == true)
        #expect(queue.withdraw(0) == false)
        #expect(queue.receive(1, at: start).ids == [1])
    }

    @Test func `the units before a new request are those that are served before it`() {
        let queue = queue([("a", .normal), ("a", .normal), ("a", .normal), ("b", .low)])
        #expect(queue.unitsAfterHead(for: 1, of: "a", .normal) == 3)
        #expect(queue.unitsAfterHead(for: 1, of: "new", .normal) == 1)
        #expect(queue.unitsAfterHead(for: 1, of: "new", .high) == 0)
        #expect(queue.unitsAfterHead(for: 1, of: "new", .low) == 4)
    }
}
