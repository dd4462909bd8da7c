import HTTPCore
import Testing
import PortableFoundation

@Suite struct HTTPOriginTests {
    private func origin(_ text: String) throws -> HTTPOrigin { try HTTPOrigin(URIReference(text)) }

    @Test(
        arguments: [
            ("http://example.com", "http://example.com", 80),
            ("HTTPS://EXAMPLE.com:443/a?b#c", "https://example.com", 443),
            ("http://example.com:", "http://example.com", 80),
            ("http://example.com:443", "http://example.com:443", 443),
            ("https://example.com:80", "https://example.com:80", 80),
            ("http://h:1", "http://h:1", 1), ("http://h:65535", "http://h:65535", 65_535),
            ("http://h:00080", "http://h", 80), ("http://user:pw@h/", "http://h", 80),
            ("http://my_host.internal", "http://my_host.internal", 80),
            ("http://xn--bcher-kva.example", "http://xn--bcher-kva.example", 80),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", 8080),
            ("http://255.255.255.255", "http://255.255.255.255", 80),
            ("http://1.2.3.4.example", "http://1.2.3.4.example", 80),
            ("http://0x7f.example", "http://0x7f.example", 80), ("http://1e3", "http://1e3", 80),
            ("http://[::1]:81", "http://[::1]:81", 81),
        ])
    func `an origin is scheme, host in lower case, and port`(
        text: String, description: String, port: Int
    ) throws {
        let origin = try origin(text)
        #expect(origin.description == description)
        #expect(origin.port == port)
    }

    @Test(
        arguments: [
            ("", "relative"), ("/a", "relative"), ("//example.com/", "relative"),
            ("a/b.html", "relative"), ("http:/a", "no host: write http://"),
            ("HTTP:a", "no host: write http://"), ("http:user:pw@h", "no host: write http://"),
            ("example.com", "no scheme: write https://example.com/…"),
            ("example.com/a?b=secret", "no scheme: write https://example.com/…"),
            ("localhost/a", "no scheme: write https://localhost/…"),
            ("localhost:8080/a", "no scheme: write http://localhost:8080/…"),
            ("example.com:443", "no scheme: write http://example.com:443/…"),
            ("user:123456@h", "neither"), ("user:12345@h", "neither"),
            ("pass@example.com", "relative"),
            ("ftp://h/", "scheme"), ("file:///etc/passwd", "scheme"), ("ws://h", "scheme"),
            ("http+unix://h", "scheme"), ("http://", "no host"), ("http:///a", "no host"),
            ("http://:80", "no host"), ("http://u@/", "no host"),
            ("http://h:0", "port"), ("http://h:65536", "port"),
            ("http://h:99999999999999999999", "port"), ("http://h:000080", "port"),
            ("http://ex%61mple.com", "percent-encoded"), ("http://%00", "percent-encoded"),
            ("http://a!b", "character"), ("http://a,b", "character"), ("http://a;b", "character"),
            ("http://a..b", "empty label"), ("http://.a", "empty label"),
            ("http://.", "empty label"),
            ("http://a..", "empty label"),
            ("http://\(String(repeating: "a", count: 64)).b", "63"),
            ("http://\(Array(repeating: "abcdefgh", count: 29).joined(separator: "."))", "long"),
            ("http://127.1", "IPv4"), ("http://0x7f.1", "IPv4"), ("http://0X7F000001", "IPv4"),
            ("http://2130706433", "IPv4"), ("http://0177.0.0.1", "IPv4"),
            ("http://1.2.3.04", "IPv4"),
            ("http://256.0.0.1", "IPv4"), ("http://1.2.3", "IPv4"), ("http://1.2.3.4.5", "IPv4"),
            ("http://1.2.3.4.", "IPv4"), ("http://a.0x", "IPv4"), ("http://foo.1", "IPv4"),
            ("http://[]", "IPv6"), ("http://[v1.a]", "IPv6"), ("http://[fe80::1%25eth0]", "IPv6"),
            ("http://[example.com]", "IPv6"), ("http://[127.0.0.1]", "IPv6"),
        ])
    func `what cannot be compared safely is refused, saying which part`(
        text: String, reason: String
    ) {
        let error = #expect(throws: HTTPError.self) { try origin(text) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        for secret in ["secret", "pass", "pw", "12345"] {
            #expect(error?.message.contains(secret) == false)
        }
    }

    @Test func `a port after an address suggests a scheme`() {
        let error = #expect(throws: HTTPError.self) { try HTTPRequest("127.0.0.1:8080/a") }
        #expect(error?.message.contains("write http:// or https://") == true, "\(error as Any)")
    }

    /// RFC 5952 §1, §2, §4 and RFC 4291 §2.2; WHATWG URL for embedded IPv4.
    @Test(
        arguments: [
            ("2001:0db8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("2001:db8::1:0:0:1", "2001:db8::1:0:0:1"),
            ("2001:DB8::0:1", "2001:db8::1"), ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
            ("2001:AAAA::1", "2001:aaaa::1"), ("0:0:0:0:0:0:0:0", "::"), ("::", "::"),
            ("::1", "::1"),
            ("1::", "1::"), ("0:0:0:0:0:0:0:1", "::1"), ("ff01:0:0:0:0:0:0:101", "ff01::101"),
            ("2001:db8::", "2001:db8::"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("::ffff:192.0.2.128", "::ffff:c000:280"), ("::13.1.68.3", "::d01:4403"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("1:2:3:4:5:6:7.8.9.10", "1:2:3:4:5:6:708:90a"),
        ])
    func `an IPv6 address is written as RFC 5952 asks`(text: String, canonical: String) throws {
        #expect(try origin("http://[\(text)]/").host == "[\(canonical)]")
        #expect(try origin("http://[\(text.uppercased())]:80") == origin("http://[\(canonical)]"))
    }

    @Test(
        arguments: [
            ":", ":::", "1:::2", "1::2::3", "::1::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
            "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "12345::", "g::", ":1", "1:", "1::2:",
            "::1.2.3", "::1.2.3.4.5", "::256.1.1.1", "::01.2.3.4", "::1.2.3.4:5", "1.2.3.4::",
            "::1.2..4", "::+1", "::-1", "1:2:3:4:5:6:7:1.2.3.4", "::1 ",
        ])
    func `what is no IPv6 address is refused`(text: String) {
        #expect(throws: (any Error).self) { try origin("http://[\(text)]/") }
    }

    @Test func `URLs of the same server have equal origins, others have not`() throws {
        let same = try ["http://a", "HTTP://A:80/x", "http://u@a:/?q"].map(origin)
        #expect(Set(same).count == 1)
        let others = try ["https://a", "http://a:81", "http://b", "http://a."].map(origin)
        #expect(Set(same + others).count == 5)
    }

    @Test func `a relative URL that knows its base has the base's origin`() throws {
        let relative = try #require(URL(string: "b", relativeTo: URL(string: "http://h/a")))
        #expect(try HTTPOrigin(relative).description == "http://h")
        let other = try #require(URL(string: "//other/b", relativeTo: URL(string: "http://h/a")))
        #expect(try HTTPOrigin(other).description == "http://other")
    }

    @Test(
        arguments: [
            ("Example.COM", nil, "https://example.com"),
            ("bücher.example", 8443, "https://xn--bcher-kva.example:8443"),
            ("127.0.0.1", 443, "https://127.0.0.1"), ("::1", nil, "https://[::1]"),
            ("[2001:DB8::0:1]", 1, "https://[2001:db8::1]:1"), ("a.", nil, "https://a."),
        ] as [(String, Int?, String)])
    func `a host may be given by itself`(host: String, port: Int?, description: String) throws {
        let origin = try HTTPOrigin(host: host, port: port)
        #expect(origin.description == description)
        #expect(try origin == self.origin(description))
        #expect(try HTTPOrigin(scheme: .http, host: host).port == 80)
    }

    @Test(arguments: [
        "", "a:80", "u@a", "a/b", "a?b", "a#b", "a b", "ex%61mple", "127.1", "[::1", "::1]",
        "[::1]:80",
        "ü..b", "ü:secret", "ü:80", "ü/a", "ü/\u{FFFD}", "\u{2FF0}",
    ])
    func `what is no host by itself is refused`(host: String) {
        let error = #expect(throws: HTTPError.self) { try HTTPOrigin(host: host) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(arguments: [0, -1, 65_536]) func `a port is in 1 to 65535`(port: Int) {
        #expect(throws: HTTPError.self) { try HTTPOrigin(host: "a", port: port) }
    }

    @Test func `a URL with a host beyond ASCII is still none`() {
        #expect(throws: HTTPError.self) { try URL(strictly: "https://bücher.example/") }
    }
}
