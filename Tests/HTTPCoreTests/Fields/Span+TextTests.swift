import HTTPCore
import TestSupport
import Testing

@Suite struct SpanTextTests {
    @Test func `text of any length is decoded and repaired as String does`() {
        let pieces: [[UInt8]] = [
            [0x61], [0x62, 0x63], Array("é".utf8), Array("😀".utf8), [0xFF], [0xC3], [0xF0, 0x9F],
            [0x80], [0], [0xED, 0xA0, 0x80], Array("xxxxxxxxxxxxxxx".utf8),
        ]
        var random = SeededRandom(9)
        for count in 0...3000 {
            let bytes = (0..<count % 20).flatMap { _ in
                // Mostly ASCII, so that long texts without errors occur.
                pieces[Bool.random(using: &random) ? 0 : Int.random(in: 0..<11, using: &random)]
            }
            #expect(bytes.span.text == String(decoding: bytes, as: UTF8.self), "\(bytes)")
            #expect(
                Array(bytes.span.text.utf8) == Array(String(decoding: bytes, as: UTF8.self).utf8))
        }
    }
}
