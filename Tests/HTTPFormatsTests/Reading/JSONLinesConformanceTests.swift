import ConformanceVectors
import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite(
    .enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped), .timeLimit(.minutes(5)))
struct JSONLinesConformanceTests {
    struct Case: Decodable {
        struct Line: Decodable {
            var value: HTTPJSON?
            var error: String?

            enum CodingKeys: CodingKey { case value, error }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                // A null is a value, and not the absence of one.
                value =
                    container.contains(.value)
                    ? try container.decode(HTTPJSON.self, forKey: .value) : nil
                error = try container.decodeIfPresent(String.self, forKey: .error)
            }
        }
        var id: String
        var stream_b64: String
        var chunk_lengths: [Int]?
        var expected: [Line]
    }

    @Test func `JSON lines are read as others read them`() async throws {
        var report = ConformanceReport(
            "json-lines",
            differences: [
                "jsonlines/rfc7464":
                    "application/json-seq is another format, whose texts may span lines "
                    + "(RFC 7464 §2.1)"
            ])
        for test in try ConformanceData.cases("json-lines/json-lines.json", as: Case.self) {
            // We skip an empty line, as the ndjson specification allows, and stop at an error.
            var expected: [String] = []
            for line in test.expected where line.error != "empty line" {
                expected.append(line.value.map(\.description) ?? "error")
                if line.value == nil { break }
            }
            let bytes = try #require(Data(base64Encoded: test.stream_b64))
            var ways = Cuts.all(bytes)
            if let lengths = test.chunk_lengths {
                ways.append(Cuts.pieces(of: bytes, lengths: lengths))
            }
            var wrong: [[String]] = []
            for pieces in ways {
                let read = await lines(pieces)
                if read != expected { wrong.append(read) }
            }
            report.record(test.id, wrong.isEmpty, "\(wrong.first ?? []) instead of \(expected)")
        }
        report.finish()
    }

    @Test func `the JSON text sequence among the vectors is read as a sequence`() async throws {
        let cases = try ConformanceData.cases("json-lines/json-lines.json", as: Case.self)
        let test = try #require(cases.first { $0.id == "jsonlines/rfc7464" })
        let bytes = try #require(Data(base64Encoded: test.stream_b64))
        for pieces in Cuts.all(bytes) {
            let body = HTTPBody(source: ScriptedBodySource(pieces.map { .piece($0) }))
            var values: [HTTPJSON] = []
            for try await value in body.jsonSequence(of: HTTPJSON.self) { values.append(value) }
            #expect(values == test.expected.map(\.value))
        }
    }

    private func lines(_ pieces: [Data]) async -> [String] {
        let body = HTTPBody(source: ScriptedBodySource(pieces.map { .piece($0) }))
        var read: [String] = []
        do {
            for try await value in body.jsonLines(of: HTTPJSON.self) {
                read.append(value.description)
            }
        } catch {
            read.append("error")
        }
        return read
    }
}
