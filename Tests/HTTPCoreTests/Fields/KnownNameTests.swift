import HTTPCore
import TestSupport
import Testing

/// Names that are known and others, as fields of a section.
@Suite struct KnownNameTests {
    private static let spellings = [
        "Accept", "Age", "Authorization", "Cache-Control", "Content-Length", "Content-Type",
        "Cookie", "Date", "ETag", "Proxy-Authorization", "Set-Cookie", "Strict-Transport-Security",
        "TE", "Via", "WWW-Authenticate", "X-Api-Key", "X-Request-ID",
    ]

    /// Compares a field with one made from its name without a section.
    private func check(_ spelling: String, _ isMarked: Bool?) throws {
        let name = HTTPHeaderName(spelling)
        var headers = HTTPHeaders()
        try headers.append(name, "v")
        if let isMarked { headers.setSensitive(name, isMarked) }
        let field = try #require(headers.first)
        #expect(field.name == name && field.name.hashValue == name.hashValue)
        #expect(field.name.spelling == spelling && field.name.isToken)
        #expect(field.isSensitive == isMarked ?? name.isSensitive, "\(spelling)")
    }

    @Test func `a field keeps its spelling and is as sensitive as its name or its mark`() throws {
        for spelling in Self.spellings {
            for spelling in [spelling, spelling.lowercased(), spelling.uppercased()] {
                for isMarked in [nil, true, false] { try check(spelling, isMarked) }
            }
        }
    }

    @Test func `a name that differs from a known one in any way is another spelling`() throws {
        var random = SeededRandom(8)
        for _ in 0..<2000 {
            var letters = Array((Self.spellings.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0..<letters.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: letters[place] ^= letters[place] >= 0x41 ? 0x20 : 0
                case 1: letters.insert(UInt8(ascii: "x"), at: place)
                case 2 where letters.count > 1: letters.remove(at: place)
                default: letters[place] = UInt8(ascii: "-")
                }
            }
            let spelling = String(decoding: letters, as: UTF8.self)
            guard HTTPHeaderName(spelling).isToken else { continue }
            try check(spelling, nil)
        }
    }
}
