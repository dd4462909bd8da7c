import CHTTPCodings
import Testing

@testable import HTTPCodings

@Suite struct DecodingStageTests {
    @Test func `a header of zlib is told from bare data by two bytes`() {
        for level in [0x01, 0x5E, 0x9C, 0xDA] as [UInt8] {
            #expect(DecodingStage.format(0x78, level) == CHTTP_FORMAT_ZLIB)
        }
        // A window of 256 bytes, and a dictionary.
        #expect(DecodingStage.format(0x08, 0x1D) == CHTTP_FORMAT_ZLIB)
        #expect(DecodingStage.format(0x78, 0xBB) == CHTTP_FORMAT_ZLIB)
        // A last block, stored, with fixed and with dynamic codes; a block that is not the last.
        for first in [0x01, 0x03, 0x05, 0x4B, 0xED, 0x00, 0x02, 0x04] as [UInt8] {
            for second in 0...255 as ClosedRange<UInt8> {
                #expect(DecodingStage.format(first, second) == CHTTP_FORMAT_DEFLATE)
            }
        }
    }
}
