import HTTPCore
import Testing

@Suite struct LogSafeTests {
    @Test(
        arguments: [
            ("a", "\"a\""), ("", "\"\""), ("é日本", "\"é日本\""), ("a\"b\\", #""a\"b\\""#),
            ("a\r\nb", #""a\r\nb""#), ("\0", #""\0""#), ("\u{1B}[31m", #""\u{1B}[31m""#),
            ("\u{7F}", #""\u{7F}""#), ("\u{9B}31m", #""\u{9B}31m""#),
            ("\u{85}", #""\u{85}""#), ("\u{2028}", #""\u{2028}""#),
            ("\u{202E}x", #""\u{202E}x""#),
        ])
    func `text is quoted so that it stays on one line and steers nothing`(
        text: String, expected: String
    ) {
        #expect(text.logSafe == expected)
    }

    @Test func `long text is cut`() {
        #expect(String(repeating: "a", count: 80).logSafe.count == 82)
        let cut = String(repeating: "a", count: 1_000_000).logSafe
        #expect(cut == "\"" + String(repeating: "a", count: 80) + "…\"")
    }

    @Test(
        arguments: [
            ("", "", ""), ("a", "a", "a"), (#"a"b\"#, #"a"b\"#, #"a"b\"#), ("é日本", "é日本", "é日本"),
            ("a\nb", #"a\nb"#, "a\nb"), ("a\r\nb\t", #"a\r\nb\t"#, "a\r\nb\t"),
            ("a\rb", #"a\rb"#, #"a\rb"#), ("\r", #"\r"#, #"\r"#), ("\r\r\n", #"\r\r\n"#, "\\r\r\n"),
            ("\u{1B}[2J", #"\u{1B}[2J"#, #"\u{1B}[2J"#), ("\u{9B}2J", #"\u{9B}2J"#, #"\u{9B}2J"#),
            ("\u{85}\u{2028}\u{2029}", #"\u{85}\u{2028}\u{2029}"#, #"\u{85}\u{2028}\u{2029}"#),
            ("\u{B}\u{C}\0", #"\u{B}\u{C}\0"#, #"\u{B}\u{C}\0"#),
            (
                "\u{202E}\u{2066}\u{E0041}", #"\u{202E}\u{2066}\u{E0041}"#,
                #"\u{202E}\u{2066}\u{E0041}"#
            ),
        ])
    func `text is escaped for one line, or for several`(
        text: String, line: String, lines: String
    ) {
        #expect(text.escapingControls() == line)
        #expect(text.escapingControls(keepingLines: true) == lines)
        #expect(text.dropFirst(0).escapingControls() == line)
    }

    @Test func `every character that stays is printed`() {
        for value in UInt32(0)...0x2100 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar)
            #expect((text.escapingControls() == text) == !scalar.misleadsLogs)
        }
    }
}
