import HTTPCore
import Testing
@testable import HTTPCookies
import PortableFoundation

struct NetscapeCookiesTests {
    typealias Cookie = HTTPCookieJar.Cookie

    private func read(_ text: String) throws -> ([Cookie], [HTTPCookieJar.FileFlaw]) {
        try NetscapeCookies.cookies(in: Array(text.utf8), suffixes: .embedded)
    }

    @Test func `cookies are written as curl writes them`() throws {
        let expires = Date(timeIntervalSince1970: 2_000_000_000.75)
        let cookies = [
            try Cookie("a", "1", domain: "example.com", isHostOnly: false, expires: expires),
            try Cookie("b", "", domain: "example.com", path: "/x/", isSecure: true),
            try Cookie("c", "\"3\"", domain: "example.com", isHTTPOnly: true),
            try Cookie("", "4", domain: "::1"),
        ]
        let text = String(decoding: NetscapeCookies.bytes(of: cookies), as: UTF8.self)
        #expect(text.hasPrefix("# Netscape HTTP Cookie File\n"))
        #expect(
            text.split(separator: "\n", omittingEmptySubsequences: false).drop {
                $0.hasPrefix("# ")
            } == [
                "", ".example.com\tTRUE\t/\tFALSE\t2000000000\ta\t1",
                "example.com\tFALSE\t/x/\tTRUE\t0\tb\t",
                "#HttpOnly_example.com\tFALSE\t/\tFALSE\t0\tc\t\"3\"",
                "::1\tFALSE\t/\tFALSE\t0\t\t4", "",
            ])
        let (found, flaws) = try read(text)
        #expect(flaws.isEmpty && found.map(\.key) == cookies.map(\.key))
        #expect(found.map(\.valueBytes) == cookies.map(\.valueBytes))
        #expect(found.map(\.isHTTPOnly) == [false, false, true, false])
        #expect(found.map(\.isSecure) == [false, true, false, false])
        #expect(found.first?.expires == Date(timeIntervalSince1970: 2_000_000_000))
    }

    @Test(arguments: [
        ("example.com\tFALSE\t/\tFALSE\t0\ta\t1", "example.com", true, "/", "1"),
        (".example.com\tTRUE\t/\tFALSE\t0\ta\t1", "example.com", false, "/", "1"),
        ("example.com\ttrue\t/\tfalse\t0\ta\t1", "example.com", false, "/", "1"),
        (".example.com\tFALSE\t/\tFALSE\t0\ta\t1", "example.com", true, "/", "1"),
        ("example.com\tFALSE\t/\tFALSE\t0\ta\t1\r", "example.com", true, "/", "1"),
        ("example.com\tFALSE\t/\tFALSE\t0\ta", "example.com", true, "/", ""),
        ("example.com\tFALSE\tFALSE\t0\ta\t1", "example.com", true, "/", "1"),
        ("example.com\tFALSE\t\"/x\"\tFALSE\t0\ta\t1", "example.com", true, "/x", "1"),
        ("example.com\tFALSE\tx\tFALSE\t0\ta\t1", "example.com", true, "/", "1"),
        ("EXAMPLE.com\tFALSE\t/\tFALSE\t\ta\t1", "example.com", true, "/", "1"),
        ("127.0.0.1\tTRUE\t/\tFALSE\t0\ta\t1", "127.0.0.1", true, "/", "1"),
        ("localhost\tTRUE\t/\tFALSE\t0\ta\t1", "localhost", true, "/", "1"),
        (".localhost\tTRUE\t/\tFALSE\t0\ta\t1", "localhost", true, "/", "1"),
        ("bücher.example\tFALSE\t/\tFALSE\t0\ta\t1", "xn--bcher-kva.example", true, "/", "1"),
    ])
    func `lines of other programs are read`(
        line: String, domain: String, isHostOnly: Bool, path: String, value: String
    ) throws {
        let (cookies, flaws) = try read("# HTTP Cookie File\n\n# comment\n\(line)\n")
        let cookie = try #require(cookies.first)
        #expect(flaws.isEmpty && cookies.count == 1)
        #expect(cookie.domain == domain && cookie.isHostOnly == isHostOnly)
        #expect(cookie.path == path && cookie.name == "a" && cookie.value == value)
        #expect(cookie.expires == nil)
    }

    @Test(arguments: [
        "example.com", "example.com FALSE / FALSE 0 a secret", "a\tb\tc\td\te\tf\tsecret",
        "example.com\tFALSE\t/\tFALSE\tsoon\ta\tsecret",
        "example.com\tFALSE\t/\tFALSE\t-\ta\tsecret",
        "example.com\tFALSE\t/\tFALSE\t0\ta\tsecret\tsecret",
        "co.uk\tTRUE\t/\tFALSE\t0\ta\tsecret", "exa mple.com\tFALSE\t/\tFALSE\t0\ta\tsecret",
        "example.com\tFALSE\t/\tFALSE\t0\ta\tsecret\u{1}",
        "example.com\tFALSE\t/\tFALSE\t0\ta;b\tsecret",
        "example.com\tFALSE\t/\tFALSE\t0\t__Host-a\tsecret",
        "Set-Cookie: a=secret; domain=example.com",
    ])
    func `a broken line is reported by number and without its contents`(line: String) throws {
        let good = "example.com\tFALSE\t/\tFALSE\t0\tgood\t1"
        let (cookies, flaws) = try read("\(good)\n\(line)\n\(good)\n")
        #expect(cookies.map(\.name) == ["good", "good"])
        #expect(flaws.map(\.line) == [2] && !"\(flaws)".contains("secret"))
    }

    @Test(arguments: ["{\"version\":1}", "hello\nworld", "\u{0}\u{1}\u{2}"])
    func `a file of another kind is refused`(text: String) {
        let error = #expect(throws: HTTPError.self) { try read(text) }
        #expect(error?.code == .cookiesNotRead)
    }

    @Test(arguments: ["", "\n\n", "# Netscape HTTP Cookie File\nbroken\n", "# anything\n"])
    func `a file without cookies is one`(text: String) throws {
        #expect(try read(text).0.isEmpty)
    }

    @Test func `a tab cannot be written`() throws {
        #expect(NetscapeCookies.flaw(of: try Cookie("a", "1\t2", domain: "example.com")) != nil)
        #expect(NetscapeCookies.flaw(of: try Cookie("a\tb", "1", domain: "example.com")) != nil)
        #expect(NetscapeCookies.flaw(of: try Cookie("a", "1 2", domain: "example.com")) == nil)
    }

    @Test(arguments: ["-1", "-99999999999999999999999999"])
    func `a negative date is that of an expired cookie`(date: String) throws {
        let (cookies, flaws) = try read("example.com\tFALSE\t/\tFALSE\t\(date)\ta\t1\n")
        #expect(flaws.isEmpty && cookies.count == 1)
        #expect(cookies.first?.isExpired(at: Date(timeIntervalSince1970: 0)) == true)
    }

    @Test(arguments: ["# Netscape HTTP Cookie File\nbroken\n", ""])
    func `a byte order mark is skipped`(head: String) throws {
        let line = "example.com\tFALSE\t/\tFALSE\t0\ta\t1\n"
        let (cookies, flaws) = try read("\u{FEFF}\(head)\(line)")
        #expect(cookies.map(\.domain) == ["example.com"])
        #expect(flaws.map(\.line) == (head.isEmpty ? [] : [2]))
        #expect(try read("\u{FEFF}# Netscape HTTP Cookie File\nbroken\n").0.isEmpty)
    }

    @Test func `a date beyond all integers is read`() throws {
        let (cookies, _) = try read(
            "example.com\tFALSE\t/\tFALSE\t99999999999999999999999999\ta\t1\n")
        #expect(cookies.first?.expires == Date(timeIntervalSince1970: 253_402_300_799))
    }
}
