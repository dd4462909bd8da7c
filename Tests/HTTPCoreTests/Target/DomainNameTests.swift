import HTTPCore
import InternationalDomainNames
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DomainNameTests {
    @Test(arguments: [
        ("Bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example.", "xn--bcher-kva.example."),
        ("straße.de", "xn--strae-oqa.de"), ("STRAẞE.DE", "xn--strae-oqa.de"),
        ("βόλος.com", "xn--nxasmm1c.com"), ("日本語.jp", "xn--wgv71a119e.jp"),
        ("한국.kr", "xn--3e0b707e.kr"), ("موقع.com", "xn--4gbrim.com"), ("भारत", "xn--h2brj9c"),
        ("paral·lel.cat", "xn--parallel-koa.cat"), ("ছবি.com", "xn--v5b8a3c.com"),
        ("\u{212A}.ü", "k.xn--tda"), ("a.XN--BCHER-KVA.ü", "a.xn--bcher-kva.xn--tda"),
        ("ａ.com", "a.com"), ("ﬁ.com", "fi.com"), ("İ.com", "xn--i-9bb.com"), ("①.ü", "1.xn--tda"),
        ("ü。com", "xn--tda.com"), ("ü．com｡", "xn--tda.com."), ("\u{AD}ü", "xn--tda"),
        ("u\u{AD}\u{308}", "xn--tda"), ("a†.com", "xn--a-xhn.com"),
        ("☕.example", "xn--53h.example"), ("ü_a", "xn--_a-wka"),
        ("-ü-", "xn-----xka"), ("ab--ü", "xn--ab---3ra"), ("x..ü", "x..xn--tda"),
        ("ü.", "xn--tda."),
        ("１２７.0.0.1", "127.0.0.1"), ("㎏.com", "kg.com"), ("=\u{338}", "xn--1ch"),
    ])
    func `a name is mapped by UTS 46 and written in Punycode`(text: String, ascii: String) throws {
        #expect(try DomainName(text).ascii == ascii)
    }

    @Test(arguments: ["EXAMPLE.com", "xn--a.com", "XN--1ug.example", "", "a b", "x..y", "-"])
    func `a name in ASCII is taken as it is`(text: String) throws {
        #expect(try DomainName(text).ascii == text)
    }

    @Test(arguments: [
        ("u\u{308}.com", "ü.com"), ("ɛ\u{303}.com", "ɛ\u{303}.com"),
        ("â\u{331}", "a\u{331}\u{302}"),
        ("é\u{327}", "ȩ\u{301}"), ("â\u{323}", "ậ"), ("u\u{328}\u{302}", "ų\u{302}"),
        ("か\u{3099}", "が"), ("ক\u{9C7}\u{9BE}", "কো"), ("\u{1B05}\u{1B35}", "\u{1B06}"),
        ("ü\u{323}\u{31B}", "u\u{31B}\u{323}\u{308}"), ("\u{1100}\u{1161}", "가"),
        ("\u{1100}\u{1161}\u{11A8}", "각"), ("가\u{11A8}", "각"), ("각\u{11A8}", "각\u{11A8}"),
        ("look\u{341}out", "look\u{301}out"), ("\u{1E9B}\u{323}", "ṩ"),
    ])
    func `canonically equivalent names are one name`(text: String, other: String) throws {
        #expect(try DomainName(text).ascii == DomainName(other).ascii)
    }

    @Test(arguments: [
        ("ü\u{202E}", "U+202E, at byte 2"), ("\u{378}", "U+0378, at byte 0"),
        ("a.\u{FFFD}", "U+FFFD, at byte 2"), ("ab.\u{2FF0}", "U+2FF0, at byte 3"),
        ("look\u{6DD}", "U+06DD, at byte 4"), ("x\u{E0001}", "U+E0001, at byte 1"),
        ("x.\u{301}ü", "label 2 begins with a combining mark"), ("ে\u{9BE}", "combining mark"),
        ("ü\u{200D}b", "joiner"), ("ü\u{200C}", "joiner"), ("a.b\u{200C}", "label 2 has a joiner"),
        ("ا\u{200C}ب", "joiner"), ("ب\u{200D}ب", "joiner"), ("ب\u{200C}", "joiner"),
        ("xn--ü", "xn--"), ("a.xn--a.ü", "label 2 decodes to a scalar that no label"),
        ("xn--99999.ü", "xn--"),
        ("xn--ab-.ü", "xn--"), ("xn--.ü", "xn--"), ("xn--BCHER-KVA9.ü", "xn--"),
        // What these stand for: BÜCHER, u and a diaeresis, a dot, xn--ü.
        ("xn--bcher-2pa.ü", "xn--"), ("xn--u-ccb.ü", "Normalization Form C"),
        ("xn--1ug.ü", "joiner"), ("xn--a-yoc.ü", "order"), ("xn--xn---3ra.ü", "no label may hold"),
        ("xn--zn7c.ü", "no label may hold"), ("xn--a.-yka.ü", "no label may hold"),
        ("aا", "order"), ("اa", "order"), ("a!\u{301}.א", "label 1 would be"),
        ("ا.1a", "label 2 would be shown in another order"),
        ("ا.a-", "order"), ("1ا", "order"), ("ا-", "order"), ("ا\u{660}1", "order"),
        ("ü a", "U+0020"), ("ü%41", "U+0025"), ("ü\u{A0}a", "U+0020"), ("a℀b", "U+002F"),
        ("ü\u{7F}", "U+007F"), ("a\u{FF1A}80", "U+003A"), ("\u{AD}", "nothing"),
        ("ü\u{0}", "U+0000"), ("a\u{FF05}41", "U+0025"),
    ])
    func `a name that cannot be mapped is refused with the reason`(
        text: String, reason: String
    ) throws {
        let error = #expect(throws: HTTPError.self) { try DomainName(text) }
        let message = try #require(error?.message)
        #expect(error?.code == .invalidRequest)
        #expect(message.contains(reason) && message.contains("xn-- form"), "\(message)")
    }

    @Test(arguments: [
        "ශ්\u{200D}රී", "نامه\u{200C}ای", "क्\u{200D}ष", "क्\u{200C}ष", "ب\u{200C}ا",
        "ب\u{64B}\u{200C}\u{64B}ب", "\u{A872}\u{200C}\u{A840}",
    ])
    func `a joiner stands behind a virama or between letters that join`(text: String) throws {
        let ascii = try DomainName(text).ascii
        let decoded = try #require(Punycode.decode(ascii.utf8.dropFirst(4)))
        #expect(decoded == Array(text.unicodeScalars))
        #expect(try DomainName(ascii + ".ü").ascii == ascii + ".xn--tda")
    }

    @Test(arguments: [
        "ا.a1", "ا1", "ا\u{64B}", "ا-ب", "אב.com", "a.אב", "ا.xn--mgbh0fb", "ا.", "ا..a",
        "א\u{660}",
        "א☕א", "a-b.א",
    ])
    func `a name from right to left is one whole`(text: String) throws {
        #expect(try DomainName(text).ascii.utf8.allSatisfy { $0 < 0x80 })
    }

    /// Names of letters, marks, joiners and separators, from a fixed seed.
    @Test func `what a name is mapped to is mapped to itself`() throws {
        var random = SeededRandom(46)
        let pieces: [Unicode.Scalar] = [
            "a", "A", "1", "-", ".", "ü", "ß", "ẞ", "\u{301}", "\u{323}", "\u{308}", "\u{AD}", "か",
            "\u{3099}", "ا", "ب", "\u{64B}", "א", "\u{200C}", "\u{200D}", "क", "्", "ﬁ", "Ⅷ", "①",
            "가",
            "\u{11A8}", "\u{1100}", "\u{1161}", "☕", "\u{1F600}", "。", "\u{660}", "\u{20000}",
        ]
        var mapped = 0
        for _ in 0..<TestCounts.scaled(20_000) {
            let scalars = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                pieces[Int.random(in: pieces.indices, using: &random)]
            }
            let text = String(String.UnicodeScalarView(scalars))
            guard let ascii = try? DomainName(text).ascii else { continue }
            mapped += 1
            // The dot beyond ASCII has the labels read.
            #expect(try DomainName(ascii + "。").ascii == ascii.asciiLowercased + ".", "\(text)")
            // A form of the same text.
            let composed = String(String.UnicodeScalarView(Normalization.composed(scalars)))
            #expect(try DomainName(composed).ascii == ascii, "\(text)")
        }
        #expect(mapped > TestCounts.scaled(2_000))
    }

    @Test func `long labels and names are refused in bounded time`() {
        for text in [
            String(repeating: "ü", count: 64), String(repeating: "ü", count: 1_000_000),
            String(repeating: "ü.", count: 500), "xn--" + String(repeating: "a", count: 900) + ".ü",
            String(repeating: "a", count: 70) + ".ü", String(repeating: "\u{FDFA}", count: 338),
            "a" + String(repeating: "\u{301}", count: 500),
            String(repeating: "\u{323}\u{301}", count: 254),
        ] {
            #expect(throws: HTTPError.self) { try HTTPOrigin(host: text) }
        }
    }
}
