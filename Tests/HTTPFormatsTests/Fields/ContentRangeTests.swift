import HTTPCore
import HTTPFormats
import Testing

@Suite struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-499/1234", 0...499, 1234), ("bytes 734-1233/1234", 734...1233, 1234),
            ("bytes 42-1233/*", 42...1233, nil), ("bytes */1234", nil, 1234), ("bytes */0", nil, 0),
        ] as [(String, ClosedRange<Int>?, Int?)])
    func `a part is read and written alike`(
        text: String, range: ClosedRange<Int>?, length: Int?
    ) {
        let contentRange = ContentRange(text)
        #expect(contentRange?.range == range)
        #expect(contentRange?.completeLength == length)
        #expect(contentRange?.description == text)
    }

    @Test(
        arguments: [
            "", "bytes", "bytes ", "bytes */*", "bytes 0-1", "bytes 0-1/", "bytes 1-0/5",
            "bytes 0-5/5", "bytes=0-1/5", "bytes 0-1/5x", "bytes -1/5", "bytes 0-/5", "0-1/5",
            "bytes 0-99999999999999999999/*", "bytes 0-1/99999999999999999999", "bytes 100-foo/200",
        ])
    func `what contradicts itself or is too large is refused`(text: String) {
        #expect(ContentRange(text) == nil)
    }
}
