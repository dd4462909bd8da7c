import ConformanceVectors
import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct LinkValueConformanceTests {
    struct Case: Decodable {
        struct Link: Decodable, Equatable {
            var target: String
            var rel: [String]
            var params: [[String?]]
        }
        var id: String
        var value: String
        var links: [Link]
        var base: String?
        var target_uri: String?
        var context_uri: String?
    }

    @Test func `links are read as RFC 8288, Appendix B, says`() throws {
        var report = ConformanceReport("link-header")
        for value in try ConformanceData.cases("link-header/link.json", as: Case.self) {
            let links = LinkValue.links(in: value.value)
            let found = links.map { link in
                Case.Link(
                    target: link.target, rel: link.relations,
                    params: link.parameters.map {
                        $0.name.hasSuffix("*")
                            ? [$0.name, $0.value, $0.language] : [$0.name, $0.value]
                    })
            }
            var isRight = found == value.links
            if let base = try value.base.map({ try #require(URL(string: $0)) }) {
                let link = try #require(links.first)
                if let target = value.target_uri {
                    isRight = isRight && Self.same(link.targetURL(relativeTo: base), target)
                }
                if let context = value.context_uri {
                    isRight = isRight && Self.same(link.contextURL(relativeTo: base), context)
                }
            }
            report.record(value.id, isRight, "\(value.value) gives \(found)")
        }
        report.finish()
    }

    /// The vectors give an empty path as `/` in some cases: the same resource (RFC 3986 §6.2.3).
    private static func same(_ url: URL?, _ expected: String) -> Bool {
        func normal(_ text: String) -> String {
            var text = text[...]
            for prefix in ["https://example.com", "https://context.example.com"]
            where text.hasPrefix(prefix + "#") || text == prefix {
                text = prefix + "/" + text.dropFirst(prefix.count)
            }
            return String(text)
        }
        return url.map { normal($0.absoluteString) } == normal(expected)
    }
}
