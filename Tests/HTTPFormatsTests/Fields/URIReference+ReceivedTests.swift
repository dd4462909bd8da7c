import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

@Suite struct URIReferenceReceivedTests {
    @Test(arguments: [
        // What no URL may contain is encoded, and what is encoded stays.
        ("/b c", "https://h/b%20c"), ("b|c", "https://h/a/b%7Cc"),
        ("/%zz%20%", "https://h/%25zz%20%25"),
        ("/\"<>\\^`{}", "https://h/%22%3C%3E%5C%5E%60%7B%7D"),
        ("/é?ü#ß", "https://h/%C3%A9?%C3%BC#%C3%9F"),
        ("/a\tb\u{7F}", "https://h/a%09b%7F"), ("#a#b", "https://h/a/x?q#a%23b"),
        // Brackets, beside an address, too.
        ("/a[1]?b[c]=d#e[f]", "https://h/a%5B1%5D?b%5Bc%5D=d#e%5Bf%5D"),
        ("//[::1]:8/a[1]", "https://[::1]:8/a%5B1%5D"), ("[1]", "https://h/a/%5B1%5D"),
        ("http://[::1]/b c?[d]", "http://[::1]/b%20c?%5Bd%5D"),
        // A colon is no scheme without one.
        (":b", "https://h/a/:b"), ("?a:b", "https://h/a/x?a:b"), ("./c:d", "https://h/a/c:d"),
        ("", "https://h/a/x?q"),
        // Hosts outside ASCII.
        ("http://bücher.example/é", "http://xn--bcher-kva.example/%C3%A9"),
        ("//b%C3%BCcher.example:8080", "https://xn--bcher-kva.example:8080"),
        ("http://u:p@BÜCHER.example?q", "http://u:p@xn--bcher-kva.example?q"),
        ("http://例え.テスト/", "http://xn--r8jz45g.xn--zckzah/"),
        ("http://faß.example/", "http://xn--fa-hia.example/"),
        ("http://ｅｘａｍｐｌｅ。ｃｏｍ/", "http://example.com/"),
        ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
        // Not a host: a path and a query may look like one.
        ("/x//é/", "https://h/x//%C3%A9/"), ("?//é/", "https://h/a/x?//%C3%A9/"),
        ("x://é", "x://xn--9ca"), ("mailto:a@é", "mailto:a@%C3%A9"),
    ])
    func `a reference that a server has written is read liberally`(
        written: String, expected: String
    ) throws {
        let base = try URL(strictly: "https://h/a/x?q#f")
        let url = try base.resolving(received: Array(written.utf8))
        #expect(url.absoluteString == expected)
    }

    @Test func `bytes that are not UTF-8 are encoded as they are`() throws {
        let base = try URL(strictly: "https://h/")
        let url = try base.resolving(received: Array("/b".utf8) + [0xFC, 0xFF])
        #expect(url.absoluteString == "https://h/b%FC%FF")
        // A host needs a meaning.
        #expect(throws: HTTPError.self) {
            _ = try ReceivedTarget(
                Array("http://b".utf8) + [0xFC] + Array("cher.example/".utf8), from: base,
                inheritingFragment: false)
        }
    }

    @Test(arguments: [
        "http://[", "http://[::1", "//h:port/", "//a@b@c/[", "1x:y", "http://xn--é/",
        "http://a\u{200D}b/",
        "http://é%2F/",
    ])
    func `what is no URL even so is refused`(written: String) throws {
        let base = try URL(strictly: "https://h/")
        let error = #expect(throws: HTTPError.self) {
            try ReceivedTarget(Array(written.utf8), from: base, inheritingFragment: true)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test(arguments: [
        "ftp://h/", "mailto:a@b", "http:///", "http://ex%61mple.com/", "http://127.1/",
        "javascript:1",
    ])
    func `only what has an origin is followed`(written: String) throws {
        let base = try URL(strictly: "https://h/")
        #expect(throws: HTTPError.self) {
            try ReceivedTarget(Array(written.utf8), from: base, inheritingFragment: true)
        }
    }

    @Test func `a target is in its normal form`() throws {
        let base = try URL(strictly: "https://h/a#f")
        func target(_ written: String, inherits: Bool = true) throws -> String {
            try ReceivedTarget(
                Array(written.utf8), from: base, inheritingFragment: inherits
            ).url.absoluteString
        }
        #expect(
            try target("HTTP://u:p@BÜCHER.example:80//x/../y")
                == "http://xn--bcher-kva.example//y#f")
        #expect(try target("/b", inherits: false) == "https://h/b")
        #expect(try target("/b#g") == "https://h/b#g")
    }

    @Test func `an enormous reference takes linear time`() throws {
        let base = try URL(strictly: "https://h/")
        let time = try ContinuousClock().measure {
            let written = Array(repeating: UInt8(ascii: "["), count: 1_000_000)
            let url = try base.resolving(received: written)
            #expect(url.absoluteString.utf8.count == 3_000_010)
        }
        #expect(time < .seconds(20))
        let host = "http://" + String(repeating: "é", count: 100_000) + "/"
        #expect(throws: HTTPError.self) { try base.resolving(received: Array(host.utf8)) }
    }
}
