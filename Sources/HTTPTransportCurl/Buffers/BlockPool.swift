import HTTPCore

/// Memory that somebody owns and gives up once.
// @unchecked: whoever holds it owns the memory alone.
@safe struct Block: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let capacity: Int

    init(capacity: Int) {
        unsafe base = .allocate(byteCount: capacity, alignment: 1)
        self.capacity = capacity
    }

    func deallocate() { unsafe base.deallocate() }
}

/// Blocks for bodies, used again: one that went back to the system would have to be faulted in
/// anew, page by page.
///
/// Any thread may give blocks back, as a reader lets go of a piece wherever it runs.
final class BlockPool: Sendable {
    /// The allocator itself is good at less.
    private static let smallest = 16 << 10
    /// What lies here unused, in bytes.
    private static let limit = 2 << 20

    private struct State {
        var blocks: [Block] = []
        var bytes = 0
    }

    private let state = Locked(State())

    deinit { for block in state.withLock({ $0.blocks }) { block.deallocate() } }

    /// What lies here, for tests that count it.
    var unusedBytes: Int { state.withLock { $0.bytes } }

    /// - Parameter bytes: the least that it holds; exactly that much when it is little.
    func take(_ bytes: Int) -> Block {
        guard bytes >= Self.smallest else { return Block(capacity: bytes) }
        // A power of two, so that the blocks of one body fit the next.
        let capacity = 1 << (Int.bitWidth - (bytes - 1).leadingZeroBitCount)
        let used = state.withLock { state -> Block? in
            guard let index = state.blocks.lastIndex(where: { $0.capacity == capacity }) else {
                return nil
            }
            state.blocks.swapAt(index, state.blocks.endIndex - 1)
            state.bytes -= capacity
            return state.blocks.removeLast()
        }
        return used ?? Block(capacity: capacity)
    }

    func giveBack(_ block: Block) {
        let isKept = state.withLock { state in
            guard block.capacity >= Self.smallest, state.bytes + block.capacity <= Self.limit
            else { return false }
            state.bytes += block.capacity
            state.blocks.append(block)
            return true
        }
        if !isKept { block.deallocate() }
    }
}
