import HTTPCore
import TestSupport
import Testing

@testable import HTTPTransportCurl

@Suite struct AdmissionQueueTests {
    @Test func `so many run and the rest wait in their order`() {
        var queue = AdmissionQueue(limit: 2)
        #expect((0..<5).map { queue.enter($0) } == [.start, .start, .wait, .wait, .wait])
        #expect(queue.next() == nil)
        queue.leave()
        #expect(queue.next() == 2)
        #expect(queue.next() == nil)
        queue.leave()
        queue.leave()
        #expect(queue.next() == 3)
        #expect(queue.next() == 4)
        #expect(queue.next() == nil)
        #expect(queue.active == 2)
    }

    @Test func `so many exchanges run with one server as its version allows`() {
        func limits(_ version: HTTPVersion?) -> [Int] {
            [HTTPOrigin.Scheme.http, .https].flatMap { scheme in
                [6, 300].map { AdmissionQueue.limit($0, with: scheme, speaking: version) }
            }
        }
        #expect(limits(nil) == [6, 300, 6, 100])
        #expect(limits(.http1_0) == [6, 300, 6, 300])
        #expect(limits(.http1_1) == [6, 300, 6, 300])
        #expect(limits(.http2) == [100, 100, 100, 100])
        #expect(limits(.http3) == [100, 100, 100, 100])
    }

    @Test func `an exchange that had a turn before is not refused, and is the next one`() {
        var queue = AdmissionQueue(limit: 1, waitingLimit: 1)
        #expect((0..<3).map { queue.enter($0) } == [.start, .wait, .refuse])
        #expect(queue.enter(3, wasAdmitted: true) == .wait)
        #expect(queue.enter(4) == .refuse)
        #expect(queue.waitingCount == 2)
        queue.leave()
        #expect(queue.next() == 3)
        queue.leave()
        #expect(queue.next() == 1)
        #expect(queue.enter(5, wasAdmitted: true) == .wait)
        queue.withdraw(5)
        queue.leave()
        #expect(queue.next() == nil && queue.isIdle)
    }

    @Test func `a waiter is never overtaken`() {
        var queue = AdmissionQueue(limit: 1)
        _ = queue.enter(0)
        _ = queue.enter(1)
        queue.leave()
        #expect(queue.enter(2) == .wait, "there is a place, but 1 was first")
        #expect(queue.next() == 1)
    }

    @Test(arguments: [1, 2, 3])
    func `a waiter that withdraws is never started and the others keep their order`(slot: Int) {
        var queue = AdmissionQueue(limit: 1)
        for slot in 0..<4 { _ = queue.enter(slot) }
        queue.withdraw(slot)
        queue.withdraw(slot)
        var started: [Int] = []
        for _ in 0..<3 {
            queue.leave()
            if let next = queue.next() { started.append(next) }
        }
        #expect(started == [1, 2, 3].filter { $0 != slot })
        #expect(queue.isIdle)
    }

    @Test func `withdrawing what runs or was never there changes nothing`() {
        var queue = AdmissionQueue(limit: 1)
        _ = queue.enter(0)
        _ = queue.enter(1)
        queue.withdraw(0)
        queue.withdraw(9)
        #expect(queue.active == 1)
        queue.leave()
        #expect(queue.next() == 1)
    }

    @Test func `a greater limit lets more in`() {
        var queue = AdmissionQueue(limit: 1)
        for slot in 0..<4 { _ = queue.enter(slot) }
        queue.limit = 3
        #expect(queue.next() == 1)
        #expect(queue.next() == 2)
        #expect(queue.next() == nil)
    }

    @Test func `a queue that never empties does not grow`() throws {
        var queue = AdmissionQueue(limit: 1)
        for slot in 0..<3 { _ = queue.enter(slot) }
        for slot in 3..<10_000 {
            queue.leave()
            #expect(queue.next() == slot - 2)
            _ = queue.enter(slot)
        }
        #expect(places(in: queue) < 200)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `does what a list does`(seed: UInt64) {
        var random = SeededRandom(seed)
        let limit = Int.random(in: 1...4, using: &random)
        var queue = AdmissionQueue(limit: limit)
        var waiting: [Int] = []
        var active = 0
        for slot in 0..<2000 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let starts = queue.enter(slot) == .start
                #expect(starts == (active < limit && waiting.isEmpty))
                if starts { active += 1 } else { waiting.append(slot) }
            case 1:
                if active > 0 {
                    queue.leave()
                    active -= 1
                }
                while active < limit, !waiting.isEmpty {
                    #expect(queue.next() == waiting.removeFirst())
                    active += 1
                }
                #expect(queue.next() == nil)
            default:
                guard let slot = waiting.randomElement(using: &random) else { continue }
                queue.withdraw(slot)
                waiting.removeAll { $0 == slot }
            }
            #expect(queue.active == active)
            #expect(queue.isIdle == (active == 0 && waiting.isEmpty))
        }
    }

    @Test func `an exchange is refused while the queue is full, until a waiter leaves`() {
        var queue = AdmissionQueue(limit: 1, waitingLimit: 2)
        #expect((0..<4).map { queue.enter($0) } == [.start, .wait, .wait, .refuse])
        queue.withdraw(1)
        #expect(queue.enter(5) == .wait)
        #expect(queue.waitingCount == 2)
        queue.leave()
        #expect(queue.next() == 2)
        #expect(queue.enter(6) == .wait)
        var closed = AdmissionQueue(limit: 1, waitingLimit: 0)
        #expect((0..<2).map { closed.enter($0) } == [.start, .refuse])
    }

    @Test func `a waiter whose turn has come makes room before it starts`() {
        var queue = AdmissionQueue(limit: 1, waitingLimit: 1)
        #expect((0..<3).map { queue.enter($0) } == [.start, .wait, .refuse])
        queue.leave()
        #expect((3..<5).map { queue.enter($0) } == [.wait, .refuse])
        #expect(queue.next() == 1 && queue.next() == nil)
        #expect(queue.enter(5) == .refuse)
        // An exchange that had a turn goes first, so the waiter stays.
        queue.leave()
        #expect(queue.enter(6, wasAdmitted: true) == .wait)
        #expect(queue.enter(7) == .refuse)
        // Without room to wait, what starts next is not in the way of anything.
        var closed = AdmissionQueue(limit: 2, waitingLimit: 0)
        #expect(closed.enter(0, wasAdmitted: true) == .start)
        closed.limit = 0
        #expect(closed.enter(1, wasAdmitted: true) == .wait)
        closed.limit = 3
        #expect((2..<4).map { closed.enter($0) } == [.wait, .refuse])
        #expect([closed.next(), closed.next(), closed.next()] == [1, 2, nil])
    }
}
