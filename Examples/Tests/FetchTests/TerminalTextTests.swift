import HTTPClientKit
import Testing

@testable import fetch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct TerminalTextTests {
    private func shown(_ bytes: [UInt8], size: Int) -> String {
        var text = TerminalText()
        var shown = Data()
        for start in stride(from: 0, to: bytes.count, by: size) {
            shown += text.add(bytes[start..<min(start + size, bytes.count)])
        }
        return String(decoding: shown + text.end(), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("a\tb\n", "a\tb\n"), ("a\r\nb", "a\r\nb"), ("a\rb\r", #"a\rb\r"#), ("é日😀", "é日😀"),
            ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("\u{9B}2J", #"\u{9B}2J"#),
            ("\u{202E}\u{E0041}", #"\u{202E}\u{E0041}"#), ("", ""),
        ])
    func `text is escaped, however it is cut`(text: String, expected: String) {
        for size in 1...5 { #expect(shown(Array(text.utf8), size: size) == expected) }
    }

    @Test(arguments: [
        [0x9B, 0x32], [0xC2], [0xE2, 0x80], [0xF0, 0x9F, 0x98], [0x80, 0x80, 0x80, 0x80],
    ])
    func `bytes that are no text become none of a terminal's commands`(bytes: [UInt8]) {
        for size in 1...5 {
            let text = shown(bytes + [0x61], size: size)
            #expect(text.hasSuffix("a") && text.contains("\u{FFFD}"))
            #expect(!text.utf8.contains(0x9B))
        }
    }
}
