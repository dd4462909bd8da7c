import HTTPCore
import HTTPFormats
import TestSupport
import Testing

@Suite struct MediaRangeTests {
    // MARK: Ranges

    @Test(
        .rows("S4-14"),
        arguments: [
            ("*/*", "a/b", true), ("text/*", "text/html", true), ("text/*", "image/png", false),
            ("Text/HTML", "text/html;charset=x", true), ("text/html", "text/plain", false),
            ("text/html;level=1", "text/html;x=y;level=1", true),
            ("text/html;level=1", "text/html", false),
            ("text/html;level=1", "text/html;level=2", false),
            ("text/html;charset=UTF-8", "text/html;charset=utf-8", true),
            ("text/html;a=B", "text/html;a=b", false),
        ])
    func `a range matches what has its type and parameters`(
        range: String, mediaType: String, matches: Bool
    ) throws {
        let mediaType = try #require(MediaType(mediaType))
        #expect(MediaRange(range)?.matches(mediaType) == matches)
    }

    @Test(arguments: [
        "", "*", "*/html", "text", "text/", "text/html;q=1", "text/html, a/b", "a/b;c",
    ])
    func `what is no range is none`(text: String) { #expect(MediaRange(text) == nil) }

    @Test func `a media type is a range without its q`() throws {
        let mediaType = try #require(MediaType("text/html;level=1;q=2"))
        #expect(MediaRange(mediaType).description == "text/html;level=1")
        #expect(MediaRange.any.description == "*/*")
    }
}
