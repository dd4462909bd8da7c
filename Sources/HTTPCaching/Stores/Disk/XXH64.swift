/// The hash function XXH64 (Collet, xxHash 0.1.1). It finds damage; it does not resist an attacker.
struct XXH64: Sendable {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
    private static let stripe = 32

    private let seed: UInt64
    private var a, b, c, d: UInt64
    /// The bytes of an incomplete stripe.
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    init(seed: UInt64 = 0) {
        self.seed = seed
        a = seed &+ Self.prime1 &+ Self.prime2
        b = seed &+ Self.prime2
        c = seed
        d = seed &- Self.prime1
    }

    /// Returns the hash of these bytes.
    static func hash(_ bytes: RawSpan, seed: UInt64 = 0) -> UInt64 {
        var hash = Self(seed: seed)
        hash.update(bytes)
        return hash.finalize()
    }

    /// Takes the next piece of the message. The division into pieces does not matter.
    mutating func update(_ bytes: RawSpan) {
        length &+= UInt64(bytes.byteCount)
        var start = 0
        if !pending.isEmpty {
            start = min(Self.stripe - pending.count, bytes.byteCount)
            keep(bytes.extracting(0..<start))
            guard pending.count == Self.stripe else { return }
            let full = pending
            unsafe consume(full.span.bytes, from: 0, to: Self.stripe)
            pending.removeAll(keepingCapacity: true)
        }
        let end = bytes.byteCount - (bytes.byteCount - start) % Self.stripe
        consume(bytes, from: start, to: end)
        keep(bytes.extracting(end..<bytes.byteCount))
    }

    /// Returns the hash of all pieces so far. More pieces may follow.
    func finalize() -> UInt64 {
        var hash: UInt64
        if length >= UInt64(Self.stripe) {
            hash = Self.rotated(a, 1) &+ Self.rotated(b, 7)
            hash = hash &+ Self.rotated(c, 12) &+ Self.rotated(d, 18)
            for lane in [a, b, c, d] {
                hash = (hash ^ Self.mixed(0, lane)) &* Self.prime1 &+ Self.prime4
            }
        } else {
            hash = seed &+ Self.prime5
        }
        hash = hash &+ length
        let rest = unsafe pending.span.bytes
        var offset = 0
        while offset + 8 <= rest.byteCount {
            hash ^= Self.mixed(0, rest.littleEndian(at: offset, as: UInt64.self))
            hash = Self.rotated(hash, 27) &* Self.prime1 &+ Self.prime4
            offset += 8
        }
        if offset + 4 <= rest.byteCount {
            let word = rest.littleEndian(at: offset, as: UInt32.self)
            hash ^= UInt64(word) &* Self.prime1
            hash = Self.rotated(hash, 23) &* Self.prime2 &+ Self.prime3
            offset += 4
        }
        while offset < rest.byteCount {
            hash ^= UInt64(rest.littleEndian(at: offset, as: UInt8.self)) &* Self.prime5
            hash = Self.rotated(hash, 11) &* Self.prime1
            offset += 1
        }
        hash = (hash ^ hash &>> 33) &* Self.prime2
        hash = (hash ^ hash &>> 29) &* Self.prime3
        return hash ^ hash &>> 32
    }

    /// Processes whole stripes.
    private mutating func consume(_ bytes: RawSpan, from start: Int, to end: Int) {
        var (a, b, c, d) = (a, b, c, d)
        var offset = start
        while offset < end {
            a = Self.mixed(a, bytes.littleEndian(at: offset, as: UInt64.self))
            b = Self.mixed(b, bytes.littleEndian(at: offset &+ 8, as: UInt64.self))
            c = Self.mixed(c, bytes.littleEndian(at: offset &+ 16, as: UInt64.self))
            d = Self.mixed(d, bytes.littleEndian(at: offset &+ 24, as: UInt64.self))
            offset &+= Self.stripe
        }
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    private mutating func keep(_ bytes: RawSpan) {
        guard !bytes.isEmpty else { return }
        unsafe bytes.withUnsafeBytes { unsafe pending.append(contentsOf: $0) }
    }

    @inline(__always)
    private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotated(lane &+ word &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func rotated(_ x: UInt64, _ count: UInt64) -> UInt64 {
        x &<< count | x &>> (64 &- count)
    }
}

extension RawSpan {
    /// Returns the integer at an offset, whose first byte is the least significant.
    @inline(__always)
    func littleEndian<Word: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: Word.Type
    ) -> Word {
        // Bounds are checked. The function is only called unsafe because of types with invalid bit
        // patterns.
        Word(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }
}
