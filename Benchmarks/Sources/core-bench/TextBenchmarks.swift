import FoundationEssentials
import HTTPCore
import HTTPFormats

/// The text of a body whose bytes are in memory, compared with the standard library.
enum TextBenchmarks {
    static var all: [Comparison] {
        [
            ("text, ASCII", "The quick brown fox jumps over the lazy dog. "),
            (
                "text, a fifth not ASCII",
                "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. 日本語"
            ),
        ].map { name, sentence in Comparison(name: name, benchmarks: benchmarks(of: sentence)) }
    }

    private static func benchmarks(of sentence: String) -> [Benchmark] {
        let bytes = Data(String(repeating: sentence, count: (4 << 20) / sentence.utf8.count).utf8)
        return [
            Benchmark("String(decoding:)", .bytes(bytes.count)) { passes in
                var sum = 0
                for _ in 0..<passes { sum &+= String(decoding: bytes, as: UTF8.self).utf8.count }
                return sum
            },
            Benchmark("response.text()", .bytes(bytes.count)) {
                let request = try HTTPRequest(.get, "https://example.com/")
                return try await HTTPResponse(.ok, body: HTTPBody(bytes), to: request)
                    .text().utf8.count
            },
        ]
    }
}
