/// SHA-512/256 (FIPS 180-4 §6.7): the first 32 bytes of a SHA-512 with other initial values.
package struct SHA512_256: Hashing {
    private var state = SHA2<SHA512.Variant>(initial: initial)

    package init() {}

    package mutating func update(_ bytes: RawSpan) { state.update(bytes) }

    package func finalize() -> [UInt8] { Array(state.finalize().prefix(32)) }

    private static let initial: [UInt64] = [
        0x2231_2194_fc2b_f72c, 0x9f55_5fa3_c84c_64c2, 0x2393_b86b_6f53_b151, 0x9638_7719_5940_eabd,
        0x9628_3ee2_a88e_ffe3, 0xbe5e_1e25_5386_3992, 0x2b01_99fc_2c85_b8aa, 0x0eb7_2ddc_81c5_2ca2,
    ]
}
