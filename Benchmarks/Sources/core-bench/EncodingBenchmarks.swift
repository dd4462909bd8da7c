import FoundationEssentials
import HTTPCore
import HTTPFormats

/// Queries and URI templates, compared with handwritten code that uses Foundation.
enum EncodingBenchmarks {
    private static let parameters: [(name: String, value: String)] = [
        ("q", "swift http client"), ("page", "3"), ("sort", "-updated"),
        ("filter[state]", "open & closed"), ("lang", "español"),
        ("redirect", "https://example.com/a?b=c"),
    ]

    static var all: [Comparison] {
        [
            Comparison(name: "query of 6 parameters", benchmarks: queries),
            Comparison(name: "URI template, one variable", benchmarks: simpleTemplates),
            Comparison(name: "URI template, level 4", benchmarks: levelFour),
        ]
    }

    private static var queries: [Benchmark] {
        let values = Dictionary(uniqueKeysWithValues: parameters.map { ($0, $1 as Any?) })
        nonisolated(unsafe) let untyped = values
        let encoding = QueryEncoding()
        return [
            Benchmark(operation: "URLComponents") {
                var components = URLComponents()
                components.queryItems = parameters.map { URLQueryItem(name: $0, value: $1) }
                return components.percentEncodedQuery?.utf8.count ?? 0
            },
            Benchmark(operation: "QueryEncoding") { unsafe encoding.encode(untyped).utf8.count },
        ]
    }

    private static var simpleTemplates: [Benchmark] {
        let template = URITemplate("/repos/{owner}/issues")
        return [
            Benchmark(operation: "interpolation") {
                "/repos/\(percentEncoded("swift server"))/issues".utf8.count
            },
            Benchmark(operation: "URITemplate.expand") {
                template.expand(["owner": .string("swift server")]).utf8.count
            },
            Benchmark(operation: "URITemplate parsed and expanded") {
                URITemplate("/repos/{owner}/issues")
                    .expand(["owner": .string("swift server")]).utf8.count
            },
        ]
    }

    private static var levelFour: [Benchmark] {
        let text = "{+base}/search{/path*}{?q,list*,keys*,short:3}{#fragment}"
        let template = URITemplate(text)
        let variables: [String: URITemplate.Value] = [
            "base": .string("https://example.com/v1"), "path": .list(["a", "b c"]),
            "q": .string("swift http client"), "list": .list(["red", "green", "blue"]),
            "keys": .associative([.init("semi", ";"), .init("dot", ".")]),
            "short": .string("abcdef"), "fragment": .string("top"),
        ]
        return [
            Benchmark(operation: "interpolation") {
                var text = "https://example.com/v1/search/a/\(percentEncoded("b c"))?q="
                text += percentEncoded("swift http client")
                for color in ["red", "green", "blue"] { text += "&list=\(percentEncoded(color))" }
                text += "&semi=\(percentEncoded(";"))&dot=\(percentEncoded("."))"
                text += "&short=\(percentEncoded(String("abcdef".prefix(3))))#top"
                return text.utf8.count
            },
            Benchmark(operation: "URITemplate.expand") { template.expand(variables).utf8.count },
            Benchmark(operation: "URITemplate parsed and expanded") {
                URITemplate(text).expand(variables).utf8.count
            },
        ]
    }

    /// Encodes a text as careful handwritten code would.
    private static func percentEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                encoded += byte < 16 ? "%0" : "%"
                encoded += String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
