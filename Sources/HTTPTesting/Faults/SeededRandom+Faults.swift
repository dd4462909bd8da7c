import HTTPCore

extension SeededRandom {
    /// - Parameter key: different keys give unrelated numbers for the same seed.
    init(_ seed: UInt64, key: some Sequence<UInt8> = [], number: Int) {
        // FNV-1a, since Swift's own hashes change from run to run.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        self.init(seed ^ hash &+ UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15)
        _ = next()
    }

    /// Returns a number in `0..<1`. Computed here, because Swift does not promise how
    /// `Double.random` uses its generator.
    mutating func fraction() -> Double { Double(next() >> 11) / 0x1p53 }
}
