import InternationalDomainNames
import Testing

@Suite(.timeLimit(.minutes(5))) struct PunycodeTests {
    /// RFC 3492 §7.1.
    private static let samples = [
        ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
        ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
        ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
        ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        (
            "PorquénopuedensimplementehablarenEspañol",
            "PorqunopuedensimplementehablarenEspaol-fmd56a"
        ),
        ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"),
        ("安室奈美恵-with-SUPER-MONKEYS", "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"),
        ("Hello-Another-Way-それぞれの場所", "Hello-Another-Way--fc4qua05auwb3674vfr0b"),
        ("ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"), ("MajiでKoiする5秒前", "MajiKoi5-783gue6qz075azm5e"),
        ("パフィーdeルンバ", "de-jg4avhby1noc0d"), ("そのスピードで", "d9juau41awczczp"),
        ("-> $1.00 <-", "-> $1.00 <--"), ("", ""), ("a", "a-"), ("\u{10FFFF}", "dn32g"),
    ]

    @Test(arguments: samples)
    func `text is written and read as the RFC shows`(text: String, encoded: String) {
        #expect(Punycode.encode(Array(text.unicodeScalars)) == encoded)
        #expect(Punycode.decode(encoded.utf8) == Array(text.unicodeScalars))
    }

    @Test func `digits are read in either case`() {
        #expect(
            Punycode.decode("IHQWCRB4CV8A8DQG056PQJYE".utf8) == Array("他们为什么不说中文".unicodeScalars))
    }

    @Test(arguments: [
        "b", "-b", "9", "999999999999999999999", "zzzzzzzz", "ä-b", "a-ä", "a-b!", "dn33g", "ih-",
        "-",
    ])
    func `what nothing is written as is none, or writes itself`(text: String) {
        // `9` could be read if a sequence were longer; `ih-` is plain.
        guard let decoded = Punycode.decode(text.utf8) else { return }
        #expect(decoded.allSatisfy(\.isASCII) && Punycode.encode(decoded) == text)
    }

    @Test func `surrogates and what lies beyond Unicode are none`() {
        #expect(Punycode.decode("dn32g".utf8) != nil)
        #expect(Punycode.decode("en32g".utf8) == nil)  // U+110000
        #expect(Punycode.decode("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz99999".utf8) == nil)
    }
}
