import HTTPCore
import TestSupport
import Testing
@testable import HTTPCookies
import PortableFoundation

/// Every reader of the target with random text of its own alphabet. A trap would end the tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPCookiesTextInputsTests {
    private static let words = [
        "a", "=", ";", " ", "\t", "\n", "\r", ",", ".", "..", "/", "\"", "#HttpOnly_", "#", "\u{0}",
        "__Host-", "Domain", "Path", "Max-Age", "Expires", "Secure", "SameSite=None", "example.com",
        "com", "TRUE", "FALSE", "0", "99999999999999999999", "-1", "Jan", "1:2:3", "2020", "31",
        "{", "}", "[", "]", ":", "\"version\":1", "\"cookies\":", "null", "ü", "xn--", "[::1]",
    ]

    private static func text(using random: inout SeededRandom) -> [UInt8] {
        (0..<Int.random(in: 0..<12, using: &random)).flatMap { _ -> [UInt8] in
            guard Int.random(in: 0..<10, using: &random) > 0 else {
                return [UInt8.random(in: 0...255, using: &random)]
            }
            return Array((words.randomElement(using: &random) ?? "").utf8)
        }
    }

    @Test(arguments: 0..<8) func `no text ends a program`(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let jar = HTTPCookieJar()
        let location = try CookieLocation(URL(strictly: "https://www.example.com/a/b"))
        for _ in 0..<TestCounts.scaled(5_000) {
            let bytes = Self.text(using: &random)
            _ = CookieDate(bytes)
            if let field = try? SetCookie(bytes: bytes),
                let cookie = try? HTTPCookieJar.Cookie(field, from: location, now: testDate)
            {
                // What a response sets can be written and read, unless it has a tab.
                let json = try JSONCookies.bytes(of: [cookie])
                let read = try JSONCookies.cookies(in: json, suffixes: .embedded)
                #expect(read.cookies.map(\.key) == [cookie.key], "\(read.flaws)")
                if NetscapeCookies.flaw(of: cookie) == nil, !cookie.isExpired(at: testDate) {
                    let lines = NetscapeCookies.bytes(of: [cookie])
                    let read = try NetscapeCookies.cookies(in: lines, suffixes: .embedded)
                    #expect(read.cookies.map(\.key) == [cookie.key], "\(read.flaws)")
                }
                jar.set(cookie)
            }
            _ = try? NetscapeCookies.cookies(in: bytes, suffixes: .embedded)
            _ = try? JSONCookies.cookies(in: bytes, suffixes: .embedded)
            let name = bytes.cookieText
            _ = (
                PublicSuffixList.embedded.registrableDomain(of: name), CookieSite(of: name),
                PublicSuffixList(rules: [name]),
                try? HTTPCookieJar.Cookie(name, name, domain: name, path: name, isHostOnly: false)
            )
        }
        _ = "\(jar.cookies)"
    }
}
