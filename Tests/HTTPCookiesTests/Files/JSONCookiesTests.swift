import HTTPCore
import Testing
@testable import HTTPCookies
import PortableFoundation

struct JSONCookiesTests {
    typealias Cookie = HTTPCookieJar.Cookie

    private func read(_ text: String) throws -> ([Cookie], [HTTPCookieJar.FileFlaw]) {
        try JSONCookies.cookies(in: Array(text.utf8), suffixes: .embedded)
    }

    @Test func `everything is kept`() throws {
        var cookie = try Cookie(
            checking: Cookie.Parts(
                name: [0xE4], value: Array("1\t\"2\" ü".utf8) + [0xFF], domain: "example.com",
                path: Array("/\u{E9}".utf8), isHostOnly: false, isSecure: true, isHTTPOnly: true,
                sameSite: .unrestricted, expires: Date(timeIntervalSince1970: 2_000_000_000.5)))
        cookie.creationDate = Date(timeIntervalSince1970: 1_700_000_000.125)
        cookie.lastAccessDate = Date(timeIntervalSince1970: 1_800_000_000)
        let plain = try Cookie("n", "e\u{301} / \u{E9}", domain: "::1")
        let bytes = try JSONCookies.bytes(of: [cookie, plain])
        let (found, flaws) = try JSONCookies.cookies(in: bytes, suffixes: .embedded)
        #expect(flaws.isEmpty && found == [cookie, plain])
        #expect(found.map(\.valueBytes) == [cookie.valueBytes, plain.valueBytes])
        #expect(String(decoding: bytes, as: UTF8.self).split(separator: "\n").count == 4)
        #expect(try read(String(decoding: JSONCookies.bytes(of: []), as: UTF8.self)).0.isEmpty)
    }

    @Test func `a broken cookie is reported by its position and without its contents`() throws {
        let text = """
            {"version":1,"cookies":[
            {"name":"a","value":"1","domain":"example.com","path":"/","hostOnly":true,\
            "secure":false,"httpOnly":false,"created":0,"accessed":0,"more":[]},
            {"name":"b","value":"secret"},
            "secret", null,
            {"name":"c","value":{"base64":"se cret"},"domain":"example.com","path":"/",\
            "hostOnly":true,"secure":false,"httpOnly":false,"created":0,"accessed":0},
            {"name":"d","value":"secret","domain":"com","path":"/",\
            "hostOnly":false,"secure":false,"httpOnly":false,"created":0,"accessed":0}
            ]}
            """
        let (cookies, flaws) = try read(text)
        #expect(cookies.map(\.name) == ["a"])
        #expect(flaws.map(\.line) == [2, 3, 4, 5, 6])
        #expect(!"\(flaws)".contains("secret"))
    }

    @Test(arguments: [
        "hello", "[]", "{\"version\":2,\"cookies\":[]}", "{\"cookies\":[]}", "{\"version\":1}",
        "{\"version\":1,\"cookies\":{}}", "{\"version\":1,\"cookies\":[\"secret\"",
        "# Netscape HTTP Cookie File\n",
    ])
    func `a file of another kind or version is refused`(text: String) {
        let error = #expect(throws: HTTPError.self) { try read(text) }
        #expect(error?.code == .cookiesNotRead && error?.underlyingError == nil)
    }

    @Test func `an empty file has no cookies`() throws { #expect(try read("").0.isEmpty) }
}
