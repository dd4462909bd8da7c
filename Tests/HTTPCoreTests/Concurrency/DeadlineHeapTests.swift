import TestSupport
import Testing

@testable import HTTPCore

@Suite struct DeadlineHeapTests {
    @Test func `an empty heap has nothing due`() {
        var heap = DeadlineHeap()
        #expect(heap.isEmpty)
        #expect(heap.next == nil)
        #expect(heap.popDue(at: .max) == nil)
        heap.remove(3)
        heap.remove(0)
        #expect(heap.isEmpty)
    }

    @Test func `due is at the moment, not before`() {
        var heap = DeadlineHeap()
        heap.set(4, to: 100)
        #expect(heap.popDue(at: 99) == nil)
        #expect(heap.popDue(at: 100) == 4)
        #expect(heap.popDue(at: .max) == nil)
    }

    @Test func `a slot has one moment, the latest set`() {
        var heap = DeadlineHeap()
        heap.set(1, to: 10)
        heap.set(1, to: 30)
        heap.set(2, to: 20)
        #expect(heap.next == 20)
        heap.set(1, to: .min)
        #expect(heap.next == .min)
        #expect(heap.popDue(at: 0) == 1)
        #expect(heap.popDue(at: 20) == 2)
        #expect(heap.isEmpty)
    }

    /// Compares with a linear search for the least entry of a dictionary.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `does what a sorted list does`(seed: UInt64) {
        var random = SeededRandom(seed)
        var heap = DeadlineHeap()
        var model: [Int: Int64] = [:]
        for _ in 0..<3000 {
            let slot = Int.random(in: 0..<200, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                // Few distinct moments, so that many are equal.
                let due = Int64.random(in: 0..<60, using: &random)
                heap.set(slot, to: due)
                model[slot] = due
            case 6..<8:
                heap.remove(slot)
                model[slot] = nil
            default:
                let now = Int64.random(in: 0..<60, using: &random)
                let least = model.values.min()
                let popped = heap.popDue(at: now)
                if let least, least <= now {
                    #expect(popped.flatMap { model[$0] } == least)
                    if let popped { model[popped] = nil }
                } else {
                    #expect(popped == nil)
                }
            }
            #expect(heap.next == model.values.min())
            #expect(heap.isEmpty == model.isEmpty)
        }
        while let slot = heap.popDue(at: .max) {
            #expect(model[slot] == model.values.min())
            model[slot] = nil
        }
        #expect(model.isEmpty)
    }
}
