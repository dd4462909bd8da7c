import HTTPCore
import HTTPFormats
import Testing

@Suite struct EntityTagTests {
    @Test(
        arguments: [
            ("\"xyzzy\"", "xyzzy", false), ("W/\"xyzzy\"", "xyzzy", true), ("\"\"", "", false),
            ("\"a,b\\\"", "a,b\\", false), ("\"é\"", "é", false),
        ])
    func `a tag is read and written alike`(text: String, opaqueTag: String, isWeak: Bool) {
        let tag = EntityTag(text)
        #expect(tag?.opaqueTag == opaqueTag)
        #expect(tag?.isWeak == isWeak)
        #expect(tag?.description == text)
        #expect(tag == EntityTag(opaqueTag: opaqueTag, isWeak: isWeak))
    }

    @Test(
        arguments: [
            "", "a", "\"", "\"a", "a\"", "w/\"a\"", "W\"a\"", "W/a", "W/", "\"a b\"", "\"a\0\"",
            "\"a\"b\"", "\"a\" ", "\"\u{7F}\"", "*",
        ])
    func `what has no quotes, or a blank in them, is no tag`(text: String) {
        #expect(EntityTag(text) == nil)
    }

    /// The table of RFC 9110 §8.8.3.2.
    @Test(
        arguments: [
            ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
            ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "W/\"1\"", false, true),
            ("\"1\"", "\"1\"", true, true), ("\"\u{E9}\"", "\"e\u{301}\"", false, false),
        ])
    func `tags match strongly or weakly`(
        a: String, b: String, strongly: Bool, weakly: Bool
    ) throws {
        let (a, b) = (try #require(EntityTag(a)), try #require(EntityTag(b)))
        #expect(a.matchesStrongly(b) == strongly)
        #expect(a.matchesWeakly(b) == weakly)
    }
}
