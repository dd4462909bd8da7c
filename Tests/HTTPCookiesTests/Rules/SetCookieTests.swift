import HTTPCore
import Testing

@testable import HTTPCookies

struct SetCookieTests {
    private func parse(_ field: String) throws -> SetCookie {
        try SetCookie(bytes: Array(field.utf8))
    }

    @Test(arguments: [
        ("a=b", "a", "b"), (" a\t= b ", "a", "b"), ("a=b=c", "a", "b=c"), ("=b", "", "b"),
        ("b", "", "b"), ("==b", "", "=b"), ("a=", "a", ""), ("a=b;c=d", "a", "b"),
        ("a=\"b c\"", "a", "\"b c\""), ("a b=c\td", "a b", "c\td"), ("a=b,c=d", "a", "b,c=d"),
        ("ä=ö", "ä", "ö"),
    ])
    func `the first pair is name and value without the blanks around them`(
        field: String, name: String, value: String
    ) throws {
        let parsed = try parse(field)
        #expect(parsed.name == Array(name.utf8) && parsed.value == Array(value.utf8))
    }

    @Test(arguments: ["", "=", ";", " = ; Path=/", "; a=b", "\t"])
    func `a field without name and value is refused`(field: String) {
        #expect(throws: HTTPCookieJar.Refusal.Reason.empty) { try parse(field) }
    }

    @Test(arguments: Array(0...0x1F) + [0x7F])
    func `a control character other than tab refuses the field`(byte: UInt8) {
        let control = [byte]
        for field in [control + "a=b".utf8, "a=b; Path=/".utf8 + control, "a=".utf8 + control] {
            let isRefused = (try? SetCookie(bytes: Array(field))) == nil
            #expect(isRefused == (byte != 0x09 || field == Array("a=\t".utf8) && false))
        }
    }

    /// A control character at a place of a `Set-Cookie` field, and what is left of it.
    struct Place: CustomTestStringConvertible {
        var before: String
        var after: String
        /// A check of the cookie with a tab there. At an end of a name or a value it is a blank,
        /// elsewhere a part of it (RFC 6265bis §5.6).
        var afterTab: @Sendable (SetCookie) -> Bool
        var testDescription: String { "\(before)…\(after)" }

        init(_ before: String, _ after: String, tab: @escaping @Sendable (SetCookie) -> Bool) {
            (self.before, self.after, afterTab) = (before, after, tab)
        }
    }

    @Test(
        arguments: [
            Place("a", "b=c") { $0.name == Array("a\tb".utf8) },
            Place("", "a=b") { $0.name == Array("a".utf8) },
            Place("a=b", "c") { $0.value == Array("b\tc".utf8) },
            Place("a=b", "") { $0.value == Array("b".utf8) },
            Place("a=b; SameSite=St", "rict") { $0.sameSite == nil },
            Place("a=b; SameSite=Lax; SameSite=No", "ne") { $0.sameSite == nil },
            Place("a=b; SameSite=No", "ne; SameSite=None; Secure") {
                $0.sameSite == .unrestricted && $0.isSecure
            },
            Place("a=b; SameSite=", "Strict") { $0.sameSite == .strict },
            Place("a=b; SameSite=Strict", "") { $0.sameSite == .strict },
            Place("a=b; Same", "Site=Strict") { $0.sameSite == nil },
            Place("a=b; SameSite", "=Strict") { $0.sameSite == .strict },
            Place("a=b;", "SameSite=Strict") { $0.sameSite == .strict },
            Place("a=b; Path=/x", "y") { $0.path == Array("/x\ty".utf8) },
            Place("a=b; Path=", "/x") { $0.path == Array("/x".utf8) },
            Place("a=b; Path=/x", "; HttpOnly") { $0.path == Array("/x".utf8) && $0.isHTTPOnly },
            Place("a=b; Pa", "th=/x") { $0.path == nil },
            Place("a=b; Domain=h.exa", "mple") { $0.domain == Array("h.exa\tmple".utf8) },
            Place("a=b; Domain=", ".h.example") { $0.domain == Array("h.example".utf8) },
            Place("a=b; Domain=h.example", "") { $0.domain == Array("h.example".utf8) },
            Place("a=b; Do", "main=h.example") { $0.domain == nil },
            Place("a=b; Max-Age=1", "0") { $0.maxAge == nil },
            Place("a=b; Max-Age=5; Max-Age=1", "0") { $0.maxAge == 5 },
            Place("a=b; Max-Age=", "10") { $0.maxAge == 10 },
            Place("a=b; Max-Age=10", "") { $0.maxAge == 10 },
            Place("a=b; Max", "-Age=10") { $0.maxAge == nil },
            Place("a=b; Expires=Sun, 06 Nov 1994", "08:49:37 GMT") {
                $0.expires?.secondsSince1970 == 784_111_777
            },
            Place("a=b; Expires=Sun, 06 Nov 19", "94 08:49:37 GMT") {
                $0.expires?.secondsSince1970 == 1_573_030_177
            },
            Place("a=b; Exp", "ires=Sun, 06 Nov 1994 08:49:37 GMT") { $0.expires == nil },
            Place("a=b; Sec", "ure") { !$0.isSecure }, Place("a=b; Secure", "") { $0.isSecure },
            Place("a=b; Secure=", "no") { $0.isSecure },
            Place("a=b; Http", "Only") { !$0.isHTTPOnly },
            Place("a=b; HttpOnly", "") { $0.isHTTPOnly },
        ])
    func `of control characters, only a tab may be in an attribute`(place: Place) throws {
        for byte in Array(UInt8(0)...0x1F) + [0x7F] {
            let field = Array(place.before.utf8) + [byte] + Array(place.after.utf8)
            guard byte == 0x09 else {
                #expect(throws: HTTPCookieJar.Refusal.Reason.controlCharacter, "\(byte)") {
                    try SetCookie(bytes: field)
                }
                continue
            }
            #expect(place.afterTab(try SetCookie(bytes: field)))
        }
    }

    @Test func `name and value may have 4096 bytes together`() throws {
        let value = String(repeating: "v", count: 4_094)
        #expect(try parse("na=\(value)").value.count == 4_094)
        #expect(throws: HTTPCookieJar.Refusal.Reason.tooLong) { try parse("nam=\(value)") }
        #expect(throws: HTTPCookieJar.Refusal.Reason.tooLong) { try parse("vvv\(value)") }
    }

    @Test func `the last attribute of a name counts`() throws {
        let parsed = try parse(
            "a=b; Path=/x; path=/y; Domain=one.example; DOMAIN=.Two.Example; Max-Age=1; max-age=2")
        #expect(parsed.path == Array("/y".utf8))
        #expect(parsed.domain == Array("two.example".utf8))
        #expect(parsed.maxAge == 2)
        #expect(try parse("a=b; Path=/x; Path=y").path == nil)
        #expect(try parse("a=b; Domain=x.example; Domain=").domain == nil)
        #expect(try parse("a=b; SameSite=Lax; SameSite=other").sameSite == nil)
    }

    @Test func `an attribute value of more than 1024 bytes is ignored`() throws {
        let long = "/" + String(repeating: "p", count: 1_024)
        #expect(try parse("a=b; Path=/x; Path=\(long)").path == Array("/x".utf8))
        #expect(try parse("a=b; Path=\(long.dropLast())").path?.count == 1_024)
        #expect(try !parse("a=b; Secure=\(long)").isSecure)
    }

    @Test(arguments: [
        ("0", 0), ("-1", -1), ("10", 10), ("007", 7), ("-", nil), ("", nil), ("1.5", nil),
        ("+1", nil), ("1s", nil), ("--1", nil), ("99999999999999999999", .max),
        ("-99999999999999999999", -.max),
    ])
    func `Max-Age is a number of seconds or ignored`(value: String, seconds: Int?) throws {
        #expect(try parse("a=b; Max-Age=\(value)").maxAge == seconds)
        #expect(try parse("a=b; Max-Age=5; Max-Age=\(value)").maxAge == seconds ?? 5)
    }

    @Test func `flags need no value and take any`() throws {
        let parsed = try parse("a=b;secure; HTTPONLY=no ;SameSite = STRICT")
        #expect(parsed.isSecure && parsed.isHTTPOnly && parsed.sameSite == .strict)
        #expect(try parse("a=b; SameSite=none").sameSite == .unrestricted)
        #expect(try parse("a=b; Secured; unknown=1").isSecure == false)
    }

    @Test func `an invalid date leaves the one before`() throws {
        let parsed = try parse("a=b; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Expires=tomorrow")
        #expect(parsed.expires?.secondsSince1970 == 784_111_777)
    }
}
