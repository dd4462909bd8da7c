import HTTPCore
import Testing
@testable import HTTPCodings
import PortableFoundation

@Suite struct HTTPContentCodingTests {
    @Test(arguments: [0, 1, 255, 256, 1000, 65_791, 65_792, 300_000])
    func `content announces its length in gzip, and in zstd if it is made at once`(
        count: Int
    ) throws {
        let content = Data(CodedSamples.mixed.prefix(count)) + Data(count: max(0, count - 98_240))
        for coding in [HTTPContentCoding.gzip, .deflate, .br] {
            let bytes = try CodedSamples.coded(content, coding)
            let isKnown = coding == .gzip && bytes.count >= 18
            #expect(coding.announcedLength(in: bytes) == (isKnown ? content.count : nil))
        }
    }

    @Test func `a length of zstd is in its head, in one to eight bytes`() {
        func frame(_ head: [UInt8]) -> Data {
            Data([0x28, 0xB5, 0x2F, 0xFD] + head) + Data(count: 18)
        }
        let zstd = HTTPContentCoding.zstd
        #expect(zstd.announcedLength(in: frame([0x00, 0x58])) == nil)
        #expect(zstd.announcedLength(in: frame([0x20, 7])) == 7)
        #expect(zstd.announcedLength(in: frame([0x40, 0x58, 1, 2])) == 0x0201 + 256)
        #expect(zstd.announcedLength(in: frame([0x60, 1, 2])) == 0x0201 + 256)
        #expect(zstd.announcedLength(in: frame([0xA3, 9, 9, 9, 9, 1, 2, 3, 0])) == 0x030201)
        // More than is believed.
        #expect(zstd.announcedLength(in: frame([0xA0, 1, 2, 3, 4])) == nil)
        #expect(zstd.announcedLength(in: frame([0xE0, 1, 0, 0, 0, 0, 0, 0, 0])) == nil)
        #expect(zstd.announcedLength(in: Data([0x28, 0xB5])) == nil)
    }
}
