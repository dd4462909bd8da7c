import HTTPCore
import HTTPTesting
import Testing
@testable import HTTPCookies
import PortableFoundation

struct HTTPCookieJarCookieTests {
    typealias Cookie = HTTPCookieJar.Cookie

    @Test func `a cookie made by hand has its parts`() throws {
        let cookie = try Cookie(
            "näme", "vä lue", domain: "Bücher.Example", path: "/x", isHostOnly: false,
            isSecure: true, isHTTPOnly: true, sameSite: .lax, expires: testDate)
        #expect(cookie.name == "näme" && cookie.value == "vä lue" && cookie.path == "/x")
        #expect(cookie.domain == "xn--bcher-kva.example" && !cookie.isHostOnly)
        #expect(cookie.isSecure && cookie.isHTTPOnly && cookie.sameSite == .lax)
        #expect(cookie.expires == testDate && cookie.creationDate == .distantPast)
    }

    @Test(arguments: [
        (".example.com", "example.com", false), ("EXAMPLE.com", "example.com", false),
        ("127.0.0.1", "127.0.0.1", true), ("::1", "[::1]", true), ("[::1]", "[::1]", true),
    ])
    func `the domain is a host in its canonical form`(
        domain: String, canonical: String, isHostOnly: Bool
    ) throws {
        let cookie = try Cookie("a", "b", domain: domain, isHostOnly: false)
        #expect(cookie.domain == canonical && cookie.isHostOnly == isHostOnly)
    }

    @Test(arguments: [
        ("a;b", "v", "example.com", "/"), ("a=b", "v", "example.com", "/"),
        (" a", "v", "example.com", "/"), ("a\n", "v", "example.com", "/"),
        ("a", "v;w", "example.com", "/"), ("a", "v\r", "example.com", "/"),
        ("a", "v ", "example.com", "/"), ("a", "\u{0}", "example.com", "/"),
        ("", "", "example.com", "/"), ("", "__Host-v", "example.com", "/"),
        ("a", String(repeating: "v", count: 4_096), "example.com", "/"),
        ("a", "v", "", "/"), ("a", "v", "exa mple.com", "/"), ("a", "v", "example.com:80", "/"),
        ("a", "v", "..example.com", "/"), ("a", "v", "example.com/x", "/"),
        ("a", "v", "com", "/"), ("a", "v", "co.uk", "/"), ("a", "v", "localhost", "/"),
        ("a", "v", "example.com", ""), ("a", "v", "example.com", "x"),
        ("a", "v", "example.com", "/x;y"), ("a", "v", "example.com", "/\n"),
        ("a", "v", "example.com", "/" + String(repeating: "p", count: 1_024)),
        ("__Secure-a", "v", "example.com", "/"), ("__Host-a", "v", "example.com", "/"),
    ])
    func `an invalid part is refused`(name: String, value: String, domain: String, path: String) {
        let error = #expect(throws: HTTPError.self) {
            try Cookie(name, value, domain: domain, path: path, isHostOnly: false)
        }
        #expect(error?.code == .invalidCookie)
    }

    @Test func `a single host may have a cookie of its own`() throws {
        #expect(try Cookie("a", "b", domain: "localhost").isHostOnly)
        #expect(try Cookie("a", "b", domain: "github.io").isHostOnly)
        #expect(try Cookie("__Host-a", "b", domain: "example.com", isSecure: true).isSecure)
        #expect(try Cookie("", "b", domain: "example.com").name == "")
        #expect(throws: HTTPError.self) {
            try Cookie("a", "b", domain: "example.com", sameSite: .unrestricted)
        }
    }

    @Test func `bytes that are not UTF-8 are kept, and read as ISO 8859-1`() throws {
        let jar = HTTPCookieJar()
        var headers = HTTPHeaders()
        let isField = headers.append(line: (Array("Set-Cookie: a=".utf8) + [0xE4, 0xFF]).span)
        #expect(isField)
        let url = try URL(strictly: "https://example.com/")
        jar.store(headers, from: url)
        #expect(jar.cookies.first?.value == "äÿ")
        #expect(jar.cookieField(for: url) { _ in true } == Array("a=".utf8) + [0xE4, 0xFF])
    }
}
