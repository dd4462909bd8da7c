import HTTPCore
import PortableLibc

/// A block of memory with one owner, which frees it once.
// @unchecked: a block has one holder at a time, and only that one uses the memory: the pool, behind
// its lock; the buffer that the loop fills; or the `Data` that the full buffer became, whose
// deallocator gives the block back.
@safe struct Block: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let capacity: Int

    init(capacity: Int) {
        unsafe base = allocated(capacity)
        self.capacity = capacity
    }

    private init(_ base: UnsafeMutableRawPointer, capacity: Int) {
        unsafe self.base = base
        self.capacity = capacity
    }

    /// Returns this block with a larger capacity and the same bytes; `nil` without memory, in which
    /// case nothing has changed. After a success, this value must not be used.
    fileprivate func extended(to capacity: Int) -> Block? {
        guard let base = unsafe realloc(base, capacity) else { return nil }
        return unsafe Block(base, capacity: capacity)
    }

    func deallocate() { unsafe free(base) }

    /// The capacity from which a pool keeps blocks: the allocator itself handles smaller ones well.
    fileprivate static let smallestPooled = 16 << 10

    var isPooled: Bool { capacity >= Self.smallestPooled }
}

/// Reusable memory blocks for bodies. A block that is returned to the system would have to be
/// faulted in again, page by page.
///
/// Any thread may give blocks back, because a reader may release a piece on any thread.
final class BlockPool: Sendable {
    /// A limit on the unused bytes in the pool.
    private static let limit = 2 << 20

    private struct State {
        var blocks: [Block] = []
        var bytes = 0
    }

    private let state = Locked(State())

    deinit { for block in state.withLock({ $0.blocks }) { block.deallocate() } }

    /// The number of unused bytes in the pool, for tests.
    var unusedBytes: Int { state.withLock { $0.bytes } }

    /// A power of two, so that the blocks of one body fit the next.
    private static func capacity(_ bytes: Int) -> Int {
        1 << (Int.bitWidth - (bytes - 1).leadingZeroBitCount)
    }

    /// Returns an unused or a new block.
    ///
    /// - Parameter bytes: The minimum capacity. A small block has exactly this capacity.
    func take(_ bytes: Int) -> Block {
        guard bytes >= Block.smallestPooled else { return Block(capacity: bytes) }
        let capacity = Self.capacity(bytes)
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

    /// Returns a larger block that begins with the first `count` bytes of `block`. The caller gives
    /// up `block`.
    ///
    /// A block that the pool would not keep is extended: the system moves its pages, instead of a
    /// copy to pages that have to be faulted in.
    func grow(_ block: Block, keeping count: Int, to bytes: Int) -> Block {
        if block.capacity >= Self.limit, let larger = block.extended(to: Self.capacity(bytes)) {
            return larger
        }
        let larger = take(bytes)
        unsafe larger.base.copyMemory(from: block.base, byteCount: count)
        giveBack(block)
        return larger
    }

    func giveBack(_ block: Block) {
        guard block.isPooled else { return block.deallocate() }
        let isKept = state.withLock { state in
            guard state.bytes + block.capacity <= Self.limit else { return false }
            state.bytes += block.capacity
            state.blocks.append(block)
            return true
        }
        if !isKept { block.deallocate() }
    }
}
