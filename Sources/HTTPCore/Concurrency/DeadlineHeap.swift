/// A heap of deadlines, the earliest first, with at most one for each small number. Setting and
/// removing a deadline takes O(log *n*).
package struct DeadlineHeap: Sendable {
    private struct Entry: Sendable {
        var due: Int64
        var slot: Int32
    }

    private var heap: [Entry] = []
    /// The position of each slot's entry, or -1 if it has none.
    private var positions: [Int32] = []

    package init() {}

    package var isEmpty: Bool { heap.isEmpty }
    /// The earliest due time.
    package var next: Int64? { heap.first?.due }

    package mutating func set(_ slot: Int, to due: Int64) {
        while positions.count <= slot { positions.append(-1) }
        let position = positions[slot]
        if position >= 0 {
            heap[Int(position)].due = due
            siftUp(Int(position))
            siftDown(Int(positions[slot]))
        } else {
            heap.append(Entry(due: due, slot: Int32(slot)))
            positions[slot] = Int32(heap.count - 1)
            siftUp(heap.count - 1)
        }
    }

    package mutating func remove(_ slot: Int) {
        guard positions.indices.contains(slot), positions[slot] >= 0 else { return }
        let position = Int(positions[slot])
        positions[slot] = -1
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        positions[Int(last.slot)] = Int32(position)
        siftUp(position)
        siftDown(Int(positions[Int(last.slot)]))
    }

    /// Removes and returns the earliest slot if it is due.
    package mutating func popDue(at now: Int64) -> Int? {
        guard let first = heap.first, first.due <= now else { return nil }
        remove(Int(first.slot))
        return Int(first.slot)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].due < heap[parent].due else { return }
            swap(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].due < heap[least].due { least = child }
            guard least != parent else { return }
            swap(parent, least)
            parent = least
        }
    }

    private mutating func swap(_ a: Int, _ b: Int) {
        heap.swapAt(a, b)
        positions[Int(heap[a].slot)] = Int32(a)
        positions[Int(heap[b].slot)] = Int32(b)
    }
}
