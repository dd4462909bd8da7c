/// The common part of block hash functions (FIPS 180-4 §5.1, RFC 1321 §3.1 and §3.2): it splits a
/// message into blocks and pads its end. The hash function XXH64 takes only the blocks from it.
package struct HashBlocks: Sendable {
    /// The size of a block in bytes. The length of the message takes the last eighth of the last
    /// block.
    private let size: Int
    /// The bytes of an incomplete block.
    package private(set) var pending: [UInt8] = []
    /// The length of the message in bytes. One word is enough: no message exceeds 64 bits of
    /// length.
    package private(set) var length: UInt64 = 0

    package init(ofSize size: Int) { self.size = size }

    /// Passes every complete block of `bytes`, after the pending bytes, to `compress`; contiguous
    /// blocks are passed together.
    @inline(__always)
    package mutating func append(_ bytes: RawSpan, compress: (RawSpan) -> Void) {
        length &+= UInt64(bytes.byteCount)
        var start = 0
        if !pending.isEmpty {
            start = min(size - pending.count, bytes.byteCount)
            pending.append(bytes.extracting(0..<start))
            guard pending.count == size else { return }
            unsafe compress(pending.span.bytes)
            pending.removeAll(keepingCapacity: true)
        }
        let end = bytes.byteCount - (bytes.byteCount - start) % size
        if end > start { compress(bytes.extracting(start..<end)) }
        pending.append(bytes.extracting(end..<bytes.byteCount))
    }

    /// Returns the last one or two blocks: the pending bytes, a 1 bit, zeros, and the length in
    /// bits.
    func padding(isBigEndian: Bool) -> [UInt8] {
        var last = pending
        last.append(0x80)
        let field = size / 8
        let zeros = size - 1 - (last.count + field - 1) % size
        last += repeatElement(0, count: zeros + field - 8)
        let bits = length &* 8
        for place in 0..<8 {
            let shift = UInt64(8 * (isBigEndian ? 7 - place : place))
            last.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
        return last
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ bytes: RawSpan) {
        guard !bytes.isEmpty else { return }
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }
}

extension RawSpan {
    /// Returns the word at an offset, in memory order.
    @inline(__always)
    func word<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Word.Type) -> Word
    {
        // Bounds are checked. The function is only called unsafe because of types with invalid bit
        // patterns.
        unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }
}
