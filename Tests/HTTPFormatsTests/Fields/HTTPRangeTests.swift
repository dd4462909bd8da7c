import HTTPCore
import HTTPFormats
import Testing

@Suite struct HTTPRangeTests {
    /// RFC 9110 §14.1.2, for a representation of 10000 bytes.
    @Test(
        arguments: [
            ("bytes=0-499", [0..<500]), ("bytes=-500", [9500..<10000]),
            ("bytes=9500-", [9500..<10000]),
            ("bytes=0-0,-1", [0..<1, 9999..<10000]), ("bytes= 0-0, 5-6 ,,", [0..<1, 5..<7]),
            ("bytes=9999-99999999999999999999", [9999..<10000]), ("bytes=10000-", [nil]),
            ("bytes=99999999999999999999-", [nil]), ("bytes=-0", [nil]),
            ("bytes=-99999999999999999999", [0..<10000]), ("BYTES=1-2", [1..<3]),
        ] as [(String, [Range<Int>?])])
    func `parts are resolved against the length`(text: String, expected: [Range<Int>?]) {
        let range = HTTPRange(text)
        #expect(range?.parts.map { $0.resolved(inLength: 10_000) } == expected)
        #expect(range?.unit == "bytes")
    }

    @Test(
        arguments: [
            "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=1", "bytes=2-1", "bytes=a-b",
            "bytes=0-1;", "bytes=0-1 2-3", "=0-1", "bytes 0-1", "bytes=0--1", "bytes=0-1, x",
        ])
    func `what is no range is refused whole`(text: String) { #expect(HTTPRange(text) == nil) }

    @Test func `a range is written as it is read`() {
        #expect(HTTPRange.bytes(0...499).description == "bytes=0-499")
        #expect(HTTPRange.bytes(500...).description == "bytes=500-")
        #expect(HTTPRange.lastBytes(5).description == "bytes=-5")
        #expect(HTTPRange.lastBytes(-5).description == "bytes=-0")
        #expect(HTTPRange.bytes(-5...3).description == "bytes=0-3")
        #expect(HTTPRange("bytes=0-1,-5")?.description == "bytes=0-1, -5")
    }

    @Test(
        arguments: [
            .closed(-5 ... -1), .closed(-5...5), .closed(0...Int.max), .from(-1), .last(-5),
            .last(Int.max), .from(Int.max), .closed(Int.min...Int.max),
        ] as [HTTPRange.Part])
    func `odd parts and lengths give nothing or a range inside`(part: HTTPRange.Part) {
        for length in [Int.min, -1, 0, 1, Int.max] {
            if let range = part.resolved(inLength: length) {
                #expect(range.lowerBound >= 0 && range.upperBound <= length && !range.isEmpty)
            } else {
                #expect(length < 1 || part != .closed(0...Int.max))
            }
        }
    }
}
