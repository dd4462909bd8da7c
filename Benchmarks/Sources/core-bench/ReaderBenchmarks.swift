import CReference
import FoundationEssentials
import HTTPCore
import HTTPFormats

/// Lines, JSON lines and server-sent events of a body that arrives in pieces, compared with a scan
/// of the same bytes for line ends.
enum ReaderBenchmarks {
    private static let size = 4 << 20

    static var all: [Comparison] { lines + events + jsonLines }

    private static var lines: [Comparison] {
        [10, 80, 1000].map { length in
            let line = Array(repeating: UInt8(ascii: "x"), count: length - 1) + [UInt8(ascii: "\n")]
            return comparison("lines of \(length)", of: line) { body in
                var sum = 0
                for try await line in body.lines { sum &+= line.utf8.count }
                return sum
            }
        }
    }

    private static var events: [Comparison] {
        let token =
            #"data: {"id":"chatcmpl-9x","object":"chunk","#
            + #""choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}]}"#
        return [("events of 120", token), ("events of 20", "data: 0123456789ab")].map {
            name, line in
            comparison(name, of: Array("\(line)\n\n".utf8)) { body in
                var sum = 0
                for try await event in body.serverSentEvents { sum &+= event.data.utf8.count }
                return sum
            }
        }
    }

    private static var jsonLines: [Comparison] {
        let line =
            #"{"id":123456,"name":"sensor-17","tags":["a","b"],"#
            + #""at":"2026-11-21T05:00:00Z","value":21.5}"#
        let bytes = Array("\(line)\n".utf8)
        return [
            comparison("JSON lines of 90, HTTPJSON", of: bytes) { body in
                var sum = 0
                for try await _ in body.jsonLines { sum &+= 1 }
                return sum
            },
            comparison("JSON lines of 90, Decodable", of: bytes, others: [decoder(of: line)]) {
                body in
                var sum = 0
                for try await reading in body.jsonLines(of: Reading.self) { sum &+= reading.id }
                return sum
            },
        ]
    }

    /// The cost of decoding the lines without searching for them.
    private static func decoder(of line: String) -> Benchmark {
        let line = Data(line.utf8)
        let decoder = JSONDecoder()
        return Benchmark("JSONDecoder alone", .bytes(line.count + 1)) { passes in
            var sum = 0
            for _ in 0..<passes { sum &+= try decoder.decode(Reading.self, from: line).id }
            return sum
        }
    }

    private struct Reading: Decodable, Sendable {
        let id: Int
        let name: String
        let tags: [String]
        let at: String
        let value: Double
    }

    private static func repeated(_ line: [UInt8]) -> [UInt8] {
        Array(repeatElement(line, count: size / line.count).joined())
    }

    private static func comparison(
        _ name: String, of line: [UInt8], others: [Benchmark] = [],
        reading: @escaping @Sendable (HTTPBody) async throws -> Int
    ) -> Comparison {
        Comparison(
            name: name, benchmarks: benchmarks(of: repeated(line), reading: reading) + others)
    }

    private static func benchmarks(
        of bytes: [UInt8], reading: @escaping @Sendable (HTTPBody) async throws -> Int
    ) -> [Benchmark] {
        let (small, large) = (Pieces(bytes, size: 16 << 10), Pieces(bytes, size: 64 << 10))
        return [
            Benchmark("memchr", .bytes(bytes.count)) { passes in
                var sum = 0
                for _ in 0..<passes {
                    for piece in large.pieces {
                        sum &+= unsafe piece.withUnsafeBytes { bytes in
                            unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes in
                                guard let start = bytes.baseAddress else { return 0 }
                                return unsafe reference_count_lines(start, bytes.count)
                            }
                        }
                    }
                }
                return sum
            },
            Benchmark("body in 16 KiB", .bytes(bytes.count)) {
                try await reading(small.body)
            },
            Benchmark("body in 64 KiB", .bytes(bytes.count)) {
                try await reading(large.body)
            },
        ]
    }
}
