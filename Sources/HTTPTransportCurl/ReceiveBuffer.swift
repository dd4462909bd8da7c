#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Octets gathered from libcurl's callbacks, handed on once per turn of the loop.
///
/// Large contents are handed over without a copy; small ones are copied, and the block is kept.
@safe struct ReceiveBuffer: ~Copyable {
    private static let firstCapacity = 16 << 10
    private static let largestGuess = 1 << 20
    private static let copyLimit = 4 << 10

    private var block: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    init() {}

    deinit { unsafe block?.deallocate() }

    /// - Parameter expected: how many octets are still to come, where that is known.
    mutating func append(_ octets: UnsafeRawBufferPointer, expecting expected: Int64?) {
        reserve(count + octets.count, expecting: expected)
        guard let block = unsafe block, let source = octets.baseAddress else { return }
        unsafe (block + count).copyMemory(from: source, byteCount: octets.count)
        count += octets.count
    }

    private mutating func reserve(_ needed: Int, expecting expected: Int64?) {
        guard needed > capacity else { return }
        let guess = Int(min(expected ?? 0, Int64(Self.largestGuess)))
        let larger = max(needed, guess, capacity * 2, Self.firstCapacity)
        let new = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        if let block = unsafe block {
            unsafe new.copyMemory(from: block, byteCount: count)
            unsafe block.deallocate()
        }
        unsafe block = new
        capacity = larger
    }

    /// What was gathered; the buffer is then empty.
    mutating func take() -> Data {
        guard count > 0, let full = unsafe block else { return Data() }
        defer { count = 0 }
        if count <= Self.copyLimit { return unsafe Data(bytes: full, count: count) }
        unsafe block = nil
        capacity = 0
        return unsafe Data(
            bytesNoCopy: full, count: count,
            deallocator: .custom { block, _ in unsafe block.deallocate() })
    }
}
