import HTTPCore
import HTTPFormats
import Testing

@Suite struct ExtendedValueTests {
    /// The first three are of RFC 8187 §3.2.3.
    @Test(
        arguments: [
            ("iso-8859-1'en'%A3%20rates", "£ rates", "en"),
            ("UTF-8''%c2%a3%20and%20%e2%82%ac%20rates", "£ and € rates", ""),
            ("utf-8'de-AT'a", "a", "de-AT"), ("UTF-8''", "", ""),
            ("utf8''%E2%82%AC", "€", ""), ("UTF8'en'%c2%a3", "£", "en"),
        ])
    func `a value is decoded by its charset`(text: String, value: String, language: String) throws {
        #expect(
            try ExtendedValue(parsing: text) == ExtendedValue(text: value, language: language))
    }

    @Test(
        arguments: [
            ("", .malformed), ("a", .malformed), ("UTF-8'a", .malformed), ("''a", .malformed),
            ("UTF-8''%", .malformed), ("UTF-8''%4", .malformed), ("UTF-8''%zz", .malformed),
            ("UTF-8''a b", .malformed), ("UTF-8''é", .malformed), ("UTF-8''a'b", .malformed),
            ("UTF-8''\0", .malformed), ("UTF-8''%E4", .undecodable),
            ("UTF-8''%ED%A0%80", .undecodable), ("UTF-16''a", .undecodable),
            ("utf8''%E4", .undecodable), ("utf_8''a", .undecodable), ("utf88''a", .undecodable),
        ] as [(String, ExtendedValue.SyntaxError)])
    func `what is broken is told from what we cannot decode`(
        text: String, expected: ExtendedValue.SyntaxError
    ) {
        #expect(throws: expected) { try ExtendedValue(parsing: text) }
    }

    @Test(arguments: ["", "a b", "€'%*\"", "\u{0}\r\n", "日本語.txt", "a-b_c.~"])
    func `what is written is read again`(text: String) throws {
        let written = ExtendedValue(text: text, language: "en").serialized
        #expect(written.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(
            try ExtendedValue(parsing: written) == ExtendedValue(text: text, language: "en"))
    }
}
