import Testing

@testable import HTTPTesting

@Suite struct LoopbackPatternTests {
    @Test func `the table repeats the pattern at every offset`() {
        let count = LoopbackPattern.table.count
        #expect(count % LoopbackPattern.period == 0)
        for offset in [0, 1, 255, 256, 65_535, 65_536, 1 << 32, (1 << 40) + 12_345] {
            #expect(
                LoopbackPattern.byte(at: offset)
                    == LoopbackPattern.table[offset % LoopbackPattern.period])
        }
        #expect(LoopbackPattern.table.prefix(4) == [0, 31, 62, 93])
        #expect(LoopbackPattern.byte(at: 256) == 1)
    }

    @Test func `a shifted, missing or wrong byte is found where it is`() {
        var bytes = LoopbackPattern.bytes(1000..<2000)
        #expect(LoopbackPattern.firstMismatch(in: bytes, from: 1000) == nil)
        #expect(LoopbackPattern.firstMismatch(in: bytes, from: 1001) == 1001)
        bytes[300] ^= 1
        #expect(LoopbackPattern.firstMismatch(in: bytes, from: 1000) == 1300)
    }
}
