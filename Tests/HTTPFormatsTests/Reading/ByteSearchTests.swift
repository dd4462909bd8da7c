import HTTPCore
import HTTPFormats
import Testing

@Suite struct ByteSearchTests {
    /// Searches by the definition, byte by byte.
    private func search(_ pattern: [UInt8], in text: [UInt8], from start: Int) -> Int {
        (start..<text.count).first { place in
            pattern.starts(with: text[place...].prefix(pattern.count))
        } ?? text.count
    }

    @Test func `a byte is found from any place on, or the end is`() {
        let text = Array("abcabc".utf8).span
        #expect((0...6).map { text.firstIndex(of: 0x62, from: $0) } == [1, 1, 4, 4, 4, 6, 6])
        #expect([UInt8]().span.firstIndex(of: 0x62) == 0)
    }

    @Test(arguments: ["a", "ab", "ba", "aab", "aba", "abab", "bbba"])
    func `a pattern is found where it is, or where the end cuts it off`(pattern: String) {
        let bytes = Array(pattern.utf8)
        let search = BytePattern(bytes)
        // All texts of up to nine bytes over three letters, one of which no pattern has.
        for length in 0...9 {
            for number in 0..<(0..<length).reduce(1, { power, _ in power * 3 }) {
                var rest = number
                let text = (0..<length).map { _ in
                    defer { rest /= 3 }
                    return UInt8(0x61 + rest % 3)
                }
                for start in [0, length / 2] {
                    let place = search.firstIndex(in: text.span, from: start)
                    #expect(place == self.search(bytes, in: text, from: start), "\(text)")
                }
            }
        }
    }

    @Test func `a pattern of more than 255 bytes is found`() {
        let bytes = [UInt8](repeating: 0x61, count: 300) + [0x62]
        let text = [UInt8](repeating: 0x61, count: 1000) + [0x62, 0x61]
        #expect(BytePattern(bytes).firstIndex(in: text.span, from: 0) == 700)
        #expect(BytePattern(bytes).firstIndex(in: text.span, from: 701) == 1001)
    }
}
