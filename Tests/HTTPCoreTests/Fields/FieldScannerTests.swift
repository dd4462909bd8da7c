import HTTPCore
import Testing

@Suite struct FieldScannerTests {
    @Test(
        arguments: [
            ("abc", "abc", ""), ("a b", "a", " b"), ("a,b", "a", ",b"), ("", nil, ""),
            (" a", nil, " a"), ("é", nil, "é"), ("\"a\"", nil, "\"a\""), ("a\0", "a", "\0"),
        ] as [(String, String?, String)])
    func `a token ends before what is no tchar`(text: String, token: String?, rest: String) {
        var scanner = FieldScanner(text)
        #expect(scanner.token() == token)
        #expect(scanner.take { _ in true } == rest)
    }

    @Test(
        arguments: [
            ("\"\"", ""), ("\"a b\"", "a b"), (#""a\"b\\c""#, #"a"b\c"#), (#""\a""#, "a"),
            ("\"é日\"", "é日"), ("\"\t\"", "\t"), ("\"", nil), ("\"a", nil), (#""a\"#, nil),
            (#""a\""#, nil), ("\"\0\"", nil), ("\"\\\0\"", nil), ("\"\r\n\"", nil), ("a", nil),
            ("", nil),
        ] as [(String, String?)])
    func `a quoted string is unescaped, or nothing is taken`(text: String, contents: String?) {
        var scanner = FieldScanner(text)
        #expect(scanner.quotedString() == contents)
        #expect(scanner.position == (contents == nil ? 0 : text.utf8.count))
    }

    @Test(
        arguments: [
            (";a=b", ["a=b"]), ("; A=\"b c\" ;d=e", ["a=b c", "d=e"]), ("", []), (" ", []),
            (";", []), (";;; ;", []), (";a=b;", ["a=b"]), (";a=b,c", ["a=b"]), (";a", nil),
            (";a=", nil), (";a =b", nil), (";a= b", nil), ("a=b", nil), (";a=b c", nil),
            (";a=\"b", nil),
        ] as [(String, [String]?)])
    func `parameters end at a comma or the end`(text: String, expected: [String]?) {
        var scanner = FieldScanner(text)
        #expect(scanner.parameters()?.map { "\($0.name)=\($0.value)" } == expected)
        let isAtMemberEnd = scanner.isAtMemberEnd()
        #expect(isAtMemberEnd)
    }

    @Test(
        arguments: [
            ("a,b", ["a", "b"]), (" , a ,, b ,", ["a ", "b "]), ("\"a,b\",c", ["\"a,b\"", "c"]),
            (#""a\",b",c"#, [#""a\",b""#, "c"]), ("\"a,b", ["\"a,b"]), ("\"a\\", ["\"a\\"]),
            ("", []), (",,", []),
        ])
    func `a member ends at the comma outside of quotes`(text: String, members: [String]) {
        var scanner = FieldScanner(text)
        var found: [String] = []
        scanner.skipSeparators()
        while !scanner.isAtEnd {
            let start = scanner.position
            scanner.skipMember()
            found.append(scanner.text(from: start))
            scanner.skipSeparators()
        }
        #expect(found == members)
    }

    @Test(
        arguments: [
            ("0", 0), ("007", 7), ("9223372036854775807", .max), ("9223372036854775808", .max),
            ("99999999999999999999999999", .max), ("", nil), ("-1", nil), ("+1", nil), ("x", nil),
        ] as [(String, Int?)])
    func `a number too large is the largest`(text: String, number: Int?) {
        var scanner = FieldScanner(text)
        #expect(scanner.number() == number)
    }

    @Test(
        arguments: [
            ("5", 5), ("2147483649", 2_147_483_648), ("99999999999999999999", 2_147_483_648),
            ("5 ", nil), ("1.5", nil), ("", nil),
        ] as [(String, Int?)])
    func `delta-seconds stop at 2^31`(text: String, seconds: Int?) {
        #expect(text.deltaSeconds == seconds.map { .seconds($0) })
    }

    @Test(
        arguments: [
            ("a", "a"), ("", "\"\""), ("a b", "\"a b\""), (#"a"\"#, #""a\"\\""#), ("é", "\"é\""),
        ])
    func `a parameter's value is quoted where it must be`(text: String, written: String) {
        #expect(text.asParameterValue == written)
        var scanner = FieldScanner(written)
        #expect(scanner.tokenOrQuotedString() == text)
    }

    @Test(arguments: [("", ""), (" ", ""), (" a\t", "a"), ("a b", "a b"), ("\u{A0}a", "\u{A0}a")])
    func `only space and tab are blanks`(text: String, trimmed: String) {
        #expect(text.trimmingBlanks == trimmed)
    }
}
