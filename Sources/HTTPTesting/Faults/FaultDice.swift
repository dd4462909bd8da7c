/// A generator of pseudorandom numbers, which are the same for the same seed on any machine
/// (SplitMix64).
struct FaultDice: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameters:
    ///   - key: different keys give unrelated numbers for the same seed.
    init(seed: UInt64, key: some Sequence<UInt8> = [], number: Int = 0) {
        // FNV-1a, since Swift's own hashes change from run to run.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        state = seed ^ hash &+ UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number in `0..<1`. Computed here, because Swift does not promise how
    /// `Double.random` uses its generator.
    mutating func fraction() -> Double { Double(next() >> 11) / 0x1p53 }
}
