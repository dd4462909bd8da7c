import HTTPCore
import Testing
@testable import HTTPCookies
import PortableFoundation

struct CookieLocationTests {
    private func location(_ url: String) throws -> CookieLocation {
        try CookieLocation(URL(strictly: url))
    }

    @Test(arguments: [
        ("", "/"), ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"),
        ("//a", "/"), ("/a?b=/c/d", "/"), ("/a%2Fb/c", "/a%2Fb"), ("?/x/y", "/"),
    ])
    func `the default path ends before the last slash`(path: String, expected: String) throws {
        let found = try location("https://example.com\(path)").defaultPath
        #expect(found == Array(expected.utf8))
    }

    @Test(arguments: [
        ("/", "/", true), ("/a", "/", true), ("/a", "/a", true), ("/ab", "/a", false),
        ("/a/b", "/a", true), ("/a/b", "/a/", true), ("/a", "/a/", false), ("/", "/a", false),
        ("/A", "/a", false),
    ])
    func `a path matches its prefixes at slashes`(path: String, cookie: String, matches: Bool) {
        #expect(Array(path.utf8).pathMatches(Array(cookie.utf8)) == matches)
    }

    @Test(arguments: [
        ("example.com", "example.com", true), ("www.example.com", "example.com", true),
        ("wwwexample.com", "example.com", false), ("example.com", "www.example.com", false),
        ("1.2.3.4", "3.4", false), ("1.2.3.4", "1.2.3.4", true), ("[::1]", "1]", false),
        ("example.com.", "example.com", false), ("example.com", "", false),
        ("example.com.", "", false),
    ])
    func `a host matches itself and the domains above it`(
        host: String, domain: String, matches: Bool
    ) {
        #expect(host.domainMatches(domain) == matches)
    }

    @Test(arguments: [
        ("https://example.com/", true), ("http://example.com/", false),
        ("http://localhost/", true), ("http://LOCALHOST:8080/", true),
        ("http://app.localhost/", true), ("http://localhost./", true),
        ("http://127.0.0.1/", true), ("http://127.1.2.3:1/", true), ("http://[::1]/", true),
        ("http://128.0.0.1/", false), ("http://[::2]/", false),
        ("http://127.example.com/", false), ("http://localhost.example.com/", false),
        ("http://notlocalhost/", false),
    ])
    func `https and loopback hosts are secure`(url: String, isSecure: Bool) throws {
        #expect(try location(url).isSecure == isSecure)
    }

    @Test(arguments: [
        ("www.example.com", "example.com", false), ("a.b.co.uk", "b.co.uk", false),
        ("co.uk", "co.uk", true), ("localhost", "localhost", true), ("a.test", "a.test", false),
        ("127.0.0.1", "127.0.0.1", true), ("[::1]", "[::1]", true),
        ("www.example.com.", "example.com.", false), ("user.github.io", "user.github.io", false),
        ("github.io", "github.io", true), ("a..b", "a..b", true),
    ])
    func `a site is a registrable domain or a single host`(
        host: String, name: String, isSingle: Bool
    ) {
        let site = CookieSite(of: host)
        #expect(site.name == name && site.isSingleHost == isSingle)
    }

    @Test(arguments: ["relative", "ftp://example.com/", "https://exa%6Dple.com/"])
    func `a URL without an origin has no location`(url: String) {
        #expect(throws: HTTPError.self) { try location(url) }
    }
}
