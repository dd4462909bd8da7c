/// What hash functions over blocks have in common (FIPS 180-4 §5.1, RFC 1321 §3.1 and §3.2):
/// cutting a message into blocks, and the padding at its end.
struct HashBlocks: Sendable {
    /// In bytes; the message's length takes the last eighth of the last block.
    private let size: Int
    /// The bytes of a block that is not complete yet.
    private var pending: [UInt8] = []
    /// In bytes. Twice 64 bits of length are unreachable, so one word counts.
    private var length: UInt64 = 0

    init(ofSize size: Int) { self.size = size }

    /// Hands every complete block of `bytes`, after what is pending, to `compress`, several at once
    /// where they lie together.
    @inline(__always)
    mutating func append(_ bytes: RawSpan, compress: (RawSpan) -> Void) {
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

    /// The last one or two blocks: what is pending, a one bit, zeros and the length in bits.
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
    /// The word at an offset, as it lies in memory.
    @inline(__always)
    func word<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Word.Type) -> Word
    {
        // Checked against the bounds; unsafe in name for types with invalid bit patterns only.
        unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }
}
