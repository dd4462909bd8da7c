import HTTPCore
import TestSupport
import Testing

@testable import HTTPCaching

@Suite struct XXH64Tests {
    private static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        unsafe XXH64.hash(bytes.span.bytes, seed: seed)
    }

    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B),
            ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),  // prose: data
        ] as [(String, UInt64)])
    func `published vectors have their hash`(text: String, hash: UInt64) {
        #expect(Self.hash(Array(text.utf8)) == hash)
    }

    /// The lengths and seeds of the self-test of xxHash, with the bytes of its generator.
    @Test(
        arguments: [
            (0, 0, 0xEF46_DB37_51D8_E999),
            (0, 0x9E37_79B1, 0xAC75_FDA2_929B_17EF),
            (1, 0, 0xE934_A84A_DB05_2768),
            (1, 0x9E37_79B1, 0x5014_6076_43A9_B4C3),
            (4, 0, 0x9136_A0DC_A574_57EE),
            (4, 0x9E37_79B1, 0xCAAB_286B_D8E9_FDB5),
            (8, 0, 0xCDBC_F538_E71D_1348),
            (8, 0x9E37_79B1, 0xFE0C_047A_5353_CDAC),
            (14, 0, 0x8282_DCC4_994E_35C8),
            (14, 0x9E37_79B1, 0xC3BD_6BF6_3DEB_6DF0),
            (31, 0, 0x299B_39A2_90E6_D783),
            (31, 0x9E37_79B1, 0xDA67_3D5F_EB5C_1D79),
            (32, 0, 0x18B2_1649_2BB4_4B70),
            (32, 0x9E37_79B1, 0xB3F3_3BDF_93AD_E409),
            (33, 0, 0x55C8_DC3E_578F_5B59),
            (33, 0x9E37_79B1, 0xE92C_292F_64BC_3071),
            (101, 0, 0xA51E_A210_1B2D_114C),
            (101, 0x9E37_79B1, 0x6B38_A5BB_BA1F_049C),
            (222, 0, 0xB641_AE8C_B691_C174),
            (222, 0x9E37_79B1, 0x20CB_8AB7_AE10_C14A),
            (2367, 0, 0xA824_18DD_EC0E_A581),
            (2367, 0x9E37_79B1, 0xA36A_93C1_8052_673A),
        ] as [(Int, UInt64, UInt64)])
    func `the vectors of the reference implementation have their hash`(
        length: Int, seed: UInt64, hash: UInt64
    ) {
        var generator: UInt64 = 2_654_435_761
        let bytes = (0..<length).map { _ in
            defer { generator &*= 11_400_714_785_074_694_797 }
            return UInt8(generator >> 56)
        }
        #expect(Self.hash(bytes, seed: seed) == hash)
    }

    @Test func `the division into pieces does not matter`() {
        let bytes = Array(CacheSample.bytes(1000))
        var random = SeededRandom(5)
        for length in [0, 1, 31, 32, 33, 63, 64, 65, 1000] {
            let whole = Self.hash(Array(bytes.prefix(length)), seed: 9)
            var state = XXH64(seed: 9)
            var rest = bytes.prefix(length)
            while !rest.isEmpty {
                let piece = Array(rest.prefix(Int(random.next() % 70)))
                unsafe state.update(piece.span.bytes)
                rest = rest.dropFirst(piece.count)
            }
            #expect(state.finalize() == whole)
        }
    }
}
