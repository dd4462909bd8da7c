import HTTPHashing

/// The hash function XXH64 (Collet, xxHash 0.1.1). It finds damage; it does not resist an attacker.
struct XXH64: Sendable {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    private let seed: UInt64
    private var lanes: (a: UInt64, b: UInt64, c: UInt64, d: UInt64)
    private var stripes = HashBlocks(ofSize: 32)

    init(seed: UInt64 = 0) {
        self.seed = seed
        lanes = (
            seed &+ Self.prime1 &+ Self.prime2, seed &+ Self.prime2, seed, seed &- Self.prime1
        )
    }

    /// Returns the hash of these bytes.
    static func hash(_ bytes: RawSpan, seed: UInt64 = 0) -> UInt64 {
        var hash = Self(seed: seed)
        hash.update(bytes)
        return hash.finalize()
    }

    /// Takes the next piece of the message. The division into pieces does not matter.
    mutating func update(_ bytes: RawSpan) {
        stripes.append(bytes) { Self.consume($0, into: &lanes) }
    }

    /// Returns the hash of all pieces so far. More pieces may follow.
    func finalize() -> UInt64 {
        var hash: UInt64
        let (a, b, c, d) = lanes
        if stripes.length >= 32 {
            hash = Self.rotated(a, 1) &+ Self.rotated(b, 7)
            hash = hash &+ Self.rotated(c, 12) &+ Self.rotated(d, 18)
            for lane in [a, b, c, d] {
                hash = (hash ^ Self.mixed(0, lane)) &* Self.prime1 &+ Self.prime4
            }
        } else {
            hash = seed &+ Self.prime5
        }
        hash = hash &+ stripes.length
        let rest = unsafe stripes.pending.span.bytes
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
    private static func consume(
        _ bytes: RawSpan, into lanes: inout (a: UInt64, b: UInt64, c: UInt64, d: UInt64)
    ) {
        var (a, b, c, d) = lanes
        var offset = 0
        while offset < bytes.byteCount {
            a = mixed(a, bytes.littleEndian(at: offset, as: UInt64.self))
            b = mixed(b, bytes.littleEndian(at: offset &+ 8, as: UInt64.self))
            c = mixed(c, bytes.littleEndian(at: offset &+ 16, as: UInt64.self))
            d = mixed(d, bytes.littleEndian(at: offset &+ 24, as: UInt64.self))
            offset &+= 32
        }
        lanes = (a, b, c, d)
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
