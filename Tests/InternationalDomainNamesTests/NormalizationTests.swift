import InternationalDomainNames
import TestSupport
import HTTPCore
import Testing

@Suite struct NormalizationTests {
    /// The standard library compares strings by their canonical equivalence, and so judges here.
    @Test func `two texts are composed to one if and only if they are canonically equivalent`() {
        var random = SeededRandom(15)
        let pieces: [Unicode.Scalar] = [
            "a", "e", "u", "â", "é", "ü", "ậ", "ǖ", "\u{300}", "\u{301}", "\u{302}", "\u{304}",
            "\u{308}",
            "\u{31B}", "\u{323}", "\u{327}", "\u{328}", "\u{331}", "か", "が", "\u{3099}", "\u{1100}",
            "\u{1161}", "\u{11A7}", "\u{11A8}", "가", "각", "\u{9C7}", "\u{9BE}", "\u{9CB}",
            "\u{1B05}",
            "\u{1B35}", "\u{5D0}", "\u{5B0}", "\u{5B7}", "\u{110D2}", "\u{1F600}",
        ]
        var (equivalent, others) = (0, 0)
        for _ in 0..<TestCounts.scaled(50_000) {
            let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                pieces[Int.random(in: pieces.indices, using: &random)]
            }
            let composed = Normalization.composed(text)
            #expect(string(composed) == string(text), "\(text)")
            #expect(Normalization.composed(composed) == composed, "\(text)")
            var other = text
            let (first, second) = (
                Int.random(in: text.indices, using: &random),
                Int.random(in: text.indices, using: &random)
            )
            other.swapAt(first, second)
            if Bool.random(using: &random) {
                other[first] = pieces[Int.random(in: pieces.indices, using: &random)]
            }
            let isEquivalent = string(other) == string(text)
            #expect((Normalization.composed(other) == composed) == isEquivalent, "\(text) \(other)")
            if isEquivalent, other != text { equivalent += 1 } else { others += 1 }
        }
        #expect(equivalent > TestCounts.scaled(1_000) && others > TestCounts.scaled(10_000))
    }

    @Test(arguments: [
        ("a\u{302}\u{323}", "ậ"), ("ậ", "ậ"), ("a\u{323}\u{302}", "ậ"), ("â\u{323}", "ậ"),
        ("\u{302}a", "\u{302}a"), ("a\u{327}\u{327}\u{301}", "á\u{327}\u{327}"),
        ("a\u{331}\u{302}", "â\u{331}"), ("か\u{3099}\u{3099}", "が\u{3099}"),
        ("\u{1100}\u{1161}\u{11A7}", "가\u{11A7}"), ("\u{1100}\u{1161}\u{11A8}", "각"), ("", ""),
    ])
    func `a text is composed as UAX 15 says`(text: String, composed: String) {
        let found = Normalization.composed(Array(text.unicodeScalars))
        #expect(found == Array(composed.unicodeScalars))
    }

    private func string(_ scalars: [Unicode.Scalar]) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
