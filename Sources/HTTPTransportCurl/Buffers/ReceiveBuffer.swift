import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Bytes gathered from libcurl's callbacks, handed on once per turn of the loop.
///
/// A block that is well filled is handed over without a copy; of another the bytes are copied, and
/// the block is kept.
@safe struct ReceiveBuffer: ~Copyable {
    private static let firstCapacity = 16 << 10
    /// More seldom comes in one turn, and of a larger block less than a quarter might be filled.
    private static let largestGuess = 256 << 10

    private let pool: BlockPool
    private var block: Block?
    private(set) var count = 0
    /// The next piece is thought to be as long as the last one.
    private var lastCount = 0

    init(_ pool: BlockPool) { self.pool = pool }

    deinit { if let block { pool.giveBack(block) } }

    private var capacity: Int { block?.capacity ?? 0 }

    /// - Parameter expected: how many bytes are still to come, these among them, where that is known.
    mutating func append(_ bytes: UnsafeRawBufferPointer, expecting expected: Int64?) {
        reserve(count + bytes.count, expecting: expected)
        guard let block, let source = bytes.baseAddress else { return }
        unsafe (block.base + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    private mutating func reserve(_ needed: Int, expecting expected: Int64?) {
        guard needed > capacity else { return }
        let guess =
            expected.map { count + Int(min($0, Int64(Self.largestGuess))) }
            ?? max(lastCount, Self.firstCapacity)
        let new = pool.take(max(needed, min(guess, Self.largestGuess), capacity * 2))
        if let block {
            unsafe new.base.copyMemory(from: block.base, byteCount: count)
            pool.giveBack(block)
        }
        block = new
    }

    mutating func removeAll() { count = 0 }

    /// Writes all of it, however often the system writes less. Answers what went wrong, or `nil`.
    func write(toDescriptor descriptor: Int32, at offset: Int64) -> SystemError? {
        guard let block else { return nil }
        var done = 0
        while done < count {
            let written = unsafe pwrite(
                descriptor, block.base + done, count - done, off_t(offset) + off_t(done))
            if written > 0 {
                done += written
            } else if written == 0 || errno != EINTR {
                return SystemError(errno)
            }
        }
        return nil
    }

    /// What was gathered; the buffer is then empty.
    mutating func take() -> Data {
        guard count > 0, let full = block else { return Data() }
        defer { count = 0 }
        lastCount = count
        if count < full.capacity / 4 { return unsafe Data(bytes: full.base, count: count) }
        block = nil
        return unsafe Data(
            bytesNoCopy: full.base, count: count,
            deallocator: .custom { [pool] _, _ in pool.giveBack(full) })
    }
}
