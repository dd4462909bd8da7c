/// SHA-256 (FIPS 180-4 §6.2): a digest of 32 bytes.
package struct SHA256: Hashing {
    private var state = SHA2<Variant>()

    package init() {}

    package mutating func update(_ bytes: RawSpan) { state.update(bytes) }

    package func finalize() -> [UInt8] { state.finalize() }

    private enum Variant: SHA2Variant {
        // The first 32 bits of the same fractions, of square roots and cube roots, of which
        // SHA-512 has 64 bits (FIPS 180-4 §4.2.2, §4.2.3, §5.3.3, §5.3.5).
        static let initial = SHA512.Variant.initial.map { UInt32($0 >> 32) }
        static let constants = SHA512.Variant.constants.prefix(64).map { UInt32($0 >> 32) }

        @inline(__always)
        static func bigSigma0(_ x: UInt32) -> UInt32 {
            x.rotatedRight(2) ^ x.rotatedRight(13) ^ x.rotatedRight(22)
        }

        @inline(__always)
        static func bigSigma1(_ x: UInt32) -> UInt32 {
            x.rotatedRight(6) ^ x.rotatedRight(11) ^ x.rotatedRight(25)
        }

        @inline(__always)
        static func smallSigma0(_ x: UInt32) -> UInt32 {
            x.rotatedRight(7) ^ x.rotatedRight(18) ^ x &>> 3
        }

        @inline(__always)
        static func smallSigma1(_ x: UInt32) -> UInt32 {
            x.rotatedRight(17) ^ x.rotatedRight(19) ^ x &>> 10
        }
    }
}
