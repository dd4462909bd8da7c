import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

@Suite struct URIReferenceResolvingTests {
    @Test(arguments: [
        ("https://h/a/b?q#f", "", "https://h/a/b?q"),
        ("https://h/a/b?q#f", "?", "https://h/a/b?"),
        ("https://h/a/b?q#f", "#g", "https://h/a/b?q#g"),
        ("https://h/a/b", "//other/../x", "https://other/x"),
        ("https://h/a/b", "HTTP://o/./x", "HTTP://o/x"),
        ("https://h", "x", "https://h/x"),
        ("https://h", "..", "https://h/"),
        ("https://h?q", "x", "https://h/x"),
        ("https://h/a/b/", "../../../../x", "https://h/x"),
        ("https://h/a//b", "../c", "https://h/a/c"),
        ("https://h/a", "b//../c", "https://h/b/c"),
        ("https://h/a", "%2e%2e/c", "https://h/%2e%2e/c"),
        ("https://h/a", "...", "https://h/..."),
        ("https://u:p@h:81/a", "/b", "https://u:p@h:81/b"),
        ("https://h/a", ":b", "https://h/:b"),
        ("https://h/a/b", "./c:d", "https://h/a/c:d"),
        ("file:a/b", "..//c", "file:/.//c"),
    ])
    func `a reference is seen from its base`(base: String, reference: String, expected: String)
        throws
    {
        #expect(try URL(strictly: base).resolving(reference).absoluteString == expected)
    }

    @Test(arguments: ["a b", "\0", "é", "%", "%4g", "[x]", "a#b#c", "1x:y", "//h:port/", "//a@b@c"])
    func `what is no reference is refused, not repaired`(reference: String) throws {
        let base = try URL(strictly: "https://h/")
        let error = #expect(throws: HTTPError.self) { try base.resolving(reference) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `only an absolute URL is a base`() throws {
        let relative = try URL(strictly: "/a")
        #expect(throws: HTTPError.self) { try relative.resolving("https://h/") }
    }

    /// RFC 3986 §5.2.4, and the corners of its steps.
    @Test(arguments: [
        ("/a/b/c/./../../g", "/a/g"), ("mid/content=5/../6", "mid/6"), ("", ""), (".", ""),
        ("..", ""), ("/", "/"), ("/.", "/"), ("/..", "/"), ("./a", "a"), ("../a", "a"),
        ("a/..", "/"), ("/a/.", "/a/"), ("/a/..", "/"), ("/./", "/"), ("//..", "/"),
        ("/a/b/..;x/c", "/a/b/..;x/c"), ("/.a/..b", "/.a/..b"), ("/a/../../b", "/b"),
    ])
    func `dots are removed from paths`(path: String, expected: String) {
        #expect(URIReference.removingDotSegments(path[...]) == expected[...])
    }

    @Test func `an enormous path takes linear time`() throws {
        let base = try URL(strictly: "https://h/")
        let clock = ContinuousClock()
        let time = try clock.measure {
            let up = String(repeating: "a/../", count: 100_000)
            let top = try base.resolving(up).absoluteString
            #expect(top == "https://h/")
            let deep = String(repeating: "a/", count: 100_000)
            let back = String(repeating: "../", count: 100_000)
            let bottom = try base.resolving(deep + back + "x").absoluteString
            #expect(bottom == "https://h/x")
        }
        #expect(time < .seconds(20))
    }
}
