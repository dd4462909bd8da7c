import HTTPClientKit
import Testing

@testable import fetch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct IndentedJSONTests {
    private func shown(_ pieces: String...) -> String { shown(pieces.map { Data($0.utf8) }) }

    private func shown(_ pieces: [Data], _ palette: Palette = .plain) -> String {
        var json = IndentedJSON(palette: palette)
        var shown = Data()
        for piece in pieces { shown += json.add(piece) }
        return String(decoding: shown + json.end(), as: UTF8.self)
    }

    @Test func `each member is on its own line, in the original order`() {
        #expect(
            shown(#"{"b":[1.0,{"x":n"#, #"ull}],"a":{},"c":[],"d":"\u001b\""}"#) == #"""
                {
                  "b": [
                    1.0,
                    {
                      "x": null
                    }
                  ],
                  "a": {},
                  "c": [],
                  "d": "\u001b\""
                }

                """#)
    }

    @Test(
        arguments: [
            ("", ""), ("nonsense", "nonsense"), ("\u{FEFF}nonsense", "nonsense"), ("{", "{"),
            ("[1,]", "[\n  1,\n  ]"), ("{1}", "{1}"), (#"{"a" 1}"#, "{\n  \"a\"1}"),
            ("[1}", "[\n  1}"),
            ("tru", "tru"), ("trux [1]", "trux [1]"), ("\"a\nb", "\"a\nb"),
            ("\"\u{1B}", "\"\\u{1B}"),
            ("]", "]"), ("1 x \u{9B}y", "1\nx \\u{9B}y"), ("<a>\n </a>", "<a>\n </a>"),
        ])
    func `from a mistake on, the rest is text without a terminal's commands`(
        text: String, expected: String
    ) {
        #expect(shown(text) == expected)
    }

    @Test func `escapes stay, and characters that steer a terminal become escapes`() {
        #expect(shown(#""\u009b\u202e""#) == #""\u009b\u202e""# + "\n")
        #expect(
            shown("\"\u{9B}2J\u{85}\u{2028}\u{202E}é😀\u{7F}\"")
                == #""\u009b2J\u0085\u2028\u202eé😀\u007f""# + "\n")
        #expect(shown("{\"\u{9B}\":1}").contains(#""\u009b": 1"#))
    }

    @Test func `texts that follow one another are shown one after the other`() {
        #expect(shown("1\n[]\n{\"a\":1} true") == "1\n[]\n{\n  \"a\": 1\n}\ntrue\n")
    }

    /// A reader that takes what is shown as it was, however the bytes are cut.
    @Test func `what is shown is the same JSON, however it is cut`() throws {
        let text =
            #"{"b":[1.0,-2e3,{"x":null,"é\u{9B}日本":"a\"\\b"}],"a":{},"c":[true,false,[[]]]} "#
            .replacing(#"\u{9B}"#, with: "\u{9B}")
        let bytes = Data(text.utf8)
        let whole = shown([bytes])
        #expect(try HTTPJSON(parsing: Data(whole.utf8)) == HTTPJSON(parsing: bytes))
        for size in 1...7 {
            let pieces = stride(from: 0, to: bytes.count, by: size).map { start in
                Data(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(shown(pieces) == whole)
        }
        let painted = shown([bytes], .coloured)
        var plain = painted
        while let start = plain.firstRange(of: "\u{1B}["),
            let end = plain[start.upperBound...].firstIndex(of: "m")
        {
            plain.removeSubrange(start.lowerBound...end)
        }
        #expect(plain == whole)
    }

    @Test func `each piece is shown when it comes`() {
        var json = IndentedJSON()
        #expect(json.add(Data("[1,".utf8)) == Data("[\n  1,\n  ".utf8))
        #expect(json.add(Data("\"日本".utf8)) == Data("\"日本".utf8))
        #expect(json.add(Data([0xE6])).isEmpty)
    }

    @Test(arguments: [1, 40, 500, 40_000])
    func `the output of nested JSON is proportional to it`(depth: Int) {
        let nest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let text =
            "[" + Array(repeating: nest, count: max(1, 250_000 / depth)).joined(separator: ",")
            + "]"
        var json = IndentedJSON()
        var count = 0
        let bytes = Data(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: 16 << 10) {
            count += json.add(Data(bytes[start..<min(start + (16 << 10), bytes.count)])).count
        }
        count += json.end().count
        let most = 2 * IndentedJSON.deepestMargin + 2
        #expect(count >= bytes.count && count <= most * bytes.count + 1)
    }

    @Test func `beyond all levels, the rest is text`() {
        let text = String(repeating: "[", count: IndentedJSON.deepest + 5)
        #expect(shown(text).hasSuffix("  [[[[["))
    }
}
