import HTTPCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct DomainNameTests {
    @Test(arguments: [
        ("Bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example.", "xn--bcher-kva.example."),
        ("straße.de", "xn--strae-oqa.de"), ("STRAẞE.DE", "xn--strae-oqa.de"),
        ("βόλος.com", "xn--nxasmm1c.com"), ("日本語.jp", "xn--wgv71a119e.jp"),
        ("한국.kr", "xn--3e0b707e.kr"), ("موقع.com", "xn--4gbrim.com"), ("भारत", "xn--h2brj9c"),
        ("ශ්\u{200D}රී.com", "xn--10cl1a0b660p.com"), ("paral·lel.cat", "xn--parallel-koa.cat"),
        ("\u{212A}.ü", "k.xn--tda"), ("a.XN--BCHER-KVA.ü", "a.xn--bcher-kva.xn--tda"),
        ("ছবি.com", "xn--v5b8a3c.com"), ("ɛ\u{303}.com", "xn--una05a.com"),
        ("â\u{331}.com", "xn--2ca69i.com"), ("I\u{307}", "xn--i-9bb"),
        ("EXAMPLE.com", "EXAMPLE.com"), ("xn--a.com", "xn--a.com"), ("", ""),
    ])
    func `a name is mapped by lower case and Punycode, ASCII not at all`(
        text: String, ascii: String
    ) throws {
        #expect(try DomainName(text).ascii == ascii)
    }

    @Test(arguments: [
        ("a†.com", 1, "U+2020"), ("ab.♥", 3, "U+2665"), ("ü。com", 2, "U+3002"),
        ("ａ.com", 0, "U+FF41"), ("ﬁ.com", 0, "U+FB01"), ("İ.com", 0, "U+130"),
        ("\u{AD}ü", 0, "U+AD"),
        ("ü\u{202E}", 2, "U+202E"), ("\u{378}", 0, "U+378"), ("\u{2F868}", 0, "U+2F868"),
        ("a.\u{1100}\u{1161}", 2, "U+1100"), ("ü\u{FFFD}", 2, "U+FFFD"),
        ("u\u{308}.com", 0, "Normalization"), ("a.e\u{327}", 2, "Normalization"),
        ("é\u{327}", 0, "Normalization"), ("â\u{323}", 0, "Normalization"),
        ("ȗ\u{328}", 0, "Normalization"), ("ế\u{328}\u{30F}", 0, "Normalization"),
        ("か\u{3099}", 0, "Normalization"), ("ে\u{9BE}", 0, "mark"),
        ("ক\u{9C7}\u{9BE}", 0, "Normalization"), ("ü\u{323}\u{31B}", 0, "Normalization"),
        ("x.\u{301}ü", 2, "mark"), ("ü\u{200D}b", 0, "joiner"), ("ü\u{200C}", 0, "joiner"),
        ("a·ü", 0, "middle dot"), ("l·ül", 0, "middle dot"), ("\u{660}\u{6F0}ا", 0, "digit"),
        ("xn--ü", 0, "xn--"), ("a.xn--a.ü", 2, "xn--"), ("xn--99999.ü", 0, "xn--"),
        ("xn--ab-.ü", 0, "xn--"), ("xn--BCHER-KVA9.ü", 0, "xn--"), ("ü_a", 0, "letters, digits"),
        ("ü!", 0, "letters, digits"), ("ü a", 0, "letters, digits"), ("ü%41", 0, "letters, digits"),
        ("aا", 0, "order"), ("اa", 0, "order"), ("ا.1a", 3, "order"), ("ا.a-", 3, "order"),
        ("1ا", 0, "order"), ("ا-", 0, "order"), ("ا\u{660}1", 0, "order"),
        ("ا.xn--a-0hc", 3, "order"),
    ])
    func `what cannot be mapped for sure is refused, naming the octet`(
        text: String, octet: Int, reason: String
    ) throws {
        let error = #expect(throws: HTTPError.self) { try DomainName(text) }
        let message = try #require(error?.message)
        #expect(error?.code == .invalidRequest)
        #expect(message.contains("at octet \(octet): ") && message.contains(reason), "\(message)")
        #expect(message.contains("xn-- form"))
    }

    @Test(arguments: ["ا.a1", "ا1", "ا\u{64B}", "ا-ب", "אב.com", "a.אב", "ا.xn--mgbh0fb", "ا."])
    func `a name from right to left is one whole`(text: String) throws {
        #expect(try DomainName(text).ascii.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `long labels and names are refused in bounded time`() {
        for text in [
            String(repeating: "ü", count: 64), String(repeating: "ü", count: 1_000_000),
            String(repeating: "ü.", count: 500), "xn--" + String(repeating: "a", count: 900) + ".ü",
            String(repeating: "a", count: 70) + ".ü",
        ] {
            #expect(throws: HTTPError.self) { try HTTPOrigin(host: text) }
        }
    }
}
