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
