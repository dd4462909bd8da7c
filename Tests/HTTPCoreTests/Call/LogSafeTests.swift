import HTTPCore
import Testing

@Suite struct LogSafeTests {
    @Test(
        arguments: [
            ("a", "\"a\""), ("", "\"\""), ("é日本", "\"é日本\""), ("a\"b\\", #""a\"b\\""#),
            ("a\r\nb", #""a\r\nb""#), ("\0", #""\0""#), ("\u{1B}[31m", #""\u{1B}[31m""#),
            ("\u{7F}", #""\u{7F}""#), ("\u{9B}31m", #""\u{009B}31m""#),
            ("\u{85}", #""\u{0085}""#), ("\u{2028}", #""\u{2028}""#),
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
}
