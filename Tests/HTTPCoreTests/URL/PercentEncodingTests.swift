import HTTPCore
import TestSupport
import Testing

@Suite struct PercentEncodingTests {
    @Test func `a set holds the bytes it was made of and no others`() {
        let set = ByteSet("\0/?@~\u{7F}")
        let held = (0...255).filter { set.contains(UInt8($0)) }
        #expect(held == [0, 0x2F, 0x3F, 0x40, 0x7E, 0x7F])
        #expect((ByteSet("a") + ByteSet("b")).contains(UInt8(ascii: "b")))
        #expect(ByteSet([0xE9 as UInt8]) == ByteSet(""))
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("%41", "%2541"), ("%", "%25"), ("é\0", "%C3%A9%00"), ("", ""),
        ("\u{1F600}", "%F0%9F%98%80"),
    ])
    func `text is encoded byte by byte`(text: String, expected: String) {
        var encoded = "<"
        encoded.appendPercentEncoded(text, allowed: .unreserved)
        #expect(encoded == "<" + expected)
        let decoded = Array(expected.utf8).percentDecoded()
        #expect(decoded == Array(text.utf8))
    }

    @Test(arguments: [
        ("%41", "%41"), ("%4", "%254"), ("%", "%25"), ("%%41", "%25%41"), ("%zz", "%25zz"),
    ])
    func `triplets can be kept`(text: String, expected: String) {
        var encoded = ""
        encoded.appendPercentEncoded(text, allowed: .unreserved, keepingTriplets: true)
        #expect(encoded == expected)
    }

    @Test func `what is no triplet is decoded as it stands`() {
        #expect(Array("%4%zz%%41+".utf8).percentDecoded() == Array("%4%zz%A+".utf8))
        #expect(Array("a+%2B".utf8).percentDecoded(plusAsSpace: true) == Array("a +".utf8))
        #expect(Array("%20%2F".utf8).percentDecoded { $0 == 0x20 } == Array(" %2F".utf8))
        // Slices keep their indices.
        #expect(Array("x%41y".utf8)[1...3].percentDecoded() == [0x41])
        #expect(Array("x%41y".utf8)[1...2].percentDecoded() == Array("%4".utf8))
    }

    @Test func `texts of any bytes are encoded by the definition`() {
        let letters = [
            "a", "~", "%", "4", "F", "%41", "%g", " ", "+", "/", "é", "😀", "\0", "\u{7F}",
        ]
        let sets = [ByteSet.unreserved, .queryPart, .whatwgForm, .unreservedAndReserved]
        var random = SeededRandom(11)
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? ""
            }.joined()
            let allowed = sets.randomElement(using: &random) ?? .unreserved
            let (keeps, isForm) = (Bool.random(using: &random), Bool.random(using: &random))
            let bytes = Array(text.utf8)
            let expected = bytes.indices.map { index in
                let byte = bytes[index]
                if allowed.contains(byte) || (keeps && bytes.hasTriplet(at: index)) {
                    return String(Unicode.Scalar(byte))
                }
                if isForm, byte == 0x20 { return "+" }
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count == 1 ? "0" : "") + digits
            }.joined()
            var encoded = "<"
            encoded.appendPercentEncoded(
                text, allowed: allowed, keepingTriplets: keeps, spaceAsPlus: isForm)
            #expect(encoded == "<" + expected, "\(text)")
            if isForm { continue }
            var fromBytes = ""
            fromBytes.appendPercentEncoded(bytes: bytes, allowed: allowed, keepingTriplets: keeps)
            #expect(fromBytes == expected, "\(text)")
        }
    }
}
