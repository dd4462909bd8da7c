import HTTPCore
import HTTPTesting
import Testing

@testable import HTTPTransportCurl

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Third-party responses, served octet by octet as they are: see the README of the vectors.
@Suite(.timeLimit(.minutes(5)), .enabled(if: WireVectors.folder != nil, WireVectors.whySkipped))
struct WireConformanceTests {
    struct Case: Decodable, Sendable {
        struct RFC: Decodable, Sendable {
            var verdict: String
            var message: Message?
        }
        struct Message: Decodable, Sendable {
            var status: Int
            var fields: [[String]]?
            var body_length: Int?
            var body_b64: String?
            var trailers: [[String]]?
        }
        var id: String
        var request_method: String
        var raw_b64: String?
        var raw_segments: [Segment]?
        var rfc: RFC

        struct Segment: Decodable, Sendable {
            var octets: [UInt8]
            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                let piece = Array(Data(base64Encoded: try values.decode(String.self)) ?? Data())
                let times = try values.decode(Int.self)
                octets = Array((0..<times).map { _ in piece }.joined())
            }
        }

        var octets: [UInt8] {
            raw_b64.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
                ?? (raw_segments ?? []).flatMap(\.octets)
        }
    }

    private enum Outcome {
        case answer(status: Int, fields: [[String]], body: Data, trailers: [[String]])
        case error(HTTPError)

        var text: String {
            switch self {
            case .answer(let status, _, let body, _): "answered \(status), \(body.count) octets"
            case .error(let error): "\(error)"
            }
        }

        func isRight(_ message: Case.Message) -> Bool {
            guard case .answer(let status, let fields, let body, let trailers) = self else {
                return false
            }
            func normal(_ fields: [[String]]) -> [[String]] {
                fields.map { [$0[0].lowercased(), $0[1]] }
            }
            let isBodyRight =
                message.body_b64.map { Data(base64Encoded: $0) == body }
                ?? (message.body_length == body.count)
            return status == message.status && normal(fields) == normal(message.fields ?? [])
                && isBodyRight && normal(trailers) == normal(message.trailers ?? [])
        }
    }

    private static func pairs(_ headers: HTTPHeaders?) -> [[String]] {
        guard let headers else { return [] }
        func text(_ octets: some Sequence<UInt8>) -> String {
            String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
        }
        return headers.indices.map { headers.withOctets(at: $0) { [text($0), text($1)] } }
    }

    private static func outcome(
        _ vector: Case, inPiecesOf size: Int?, _ session: CurlTransport
    ) async throws -> Outcome {
        let octets = vector.octets
        var steps: [LoopbackScript.Step] = [.awaitHead]
        if let size {
            // Each piece in a packet of its own, as far as a script can tell.
            let pieces = stride(from: 0, to: octets.count, by: size).map {
                Array(octets[$0..<min($0 + size, octets.count)])
            }
            steps.append(.drip(pieces, every: .microseconds(50)))
        } else {
            steps.append(.send(octets))
        }
        let server = try LoopbackServer(scripts: [LoopbackScript(steps + [.close])])
        do {
            let request = try HTTPRequest(HTTPMethod(vector.request_method), server.url)
            let response = try await session.response(for: request)
            let body = try await response.body.collect(upTo: 64 << 20)
            return .answer(
                status: response.status.code, fields: pairs(response.headers), body: body,
                trailers: pairs(response.body.trailers))
        } catch let error as HTTPError {
            return .error(error)
        }
    }

    @Test(arguments: WireVectors.files, [nil, 7])
    func `a response is taken, or refused, as RFC 9112 says`(file: String, piece: Int?) async throws
    {
        var configuration = CurlConfiguration()
        configuration.decodesContent = false
        let differences = try WireVectors.differences(.response)
        var failed: [String] = []
        var count = 0
        for vector in try WireVectors.cases("http1-response/\(file)", as: Case.self) {
            count += 1
            if let piece, vector.octets.count > 2000 * piece { continue }
            let session = try CurlTransport(configuration)
            let outcome = try await Self.outcome(vector, inPiecesOf: piece, session)
            let isRight: Bool
            switch (vector.rfc.verdict, outcome) {
            case ("accept", _): isRight = vector.rfc.message.map(outcome.isRight) ?? false
            case ("reject", .error), ("incomplete", .error), ("either", .error): isRight = true
            case ("either", _): isRight = vector.rfc.message.map(outcome.isRight) ?? false
            default: isRight = false
            }
            switch (isRight, differences[vector.id]) {
            case (true, nil), (false, _?): break
            case (true, _?): failed.append("\(vector.id) is listed as different but is right")
            case (false, nil):
                failed.append("\(vector.id) (\(vector.rfc.verdict)): \(outcome.text)")
            }
        }
        #expect(count > 0)
        #expect(failed.isEmpty, "\(failed.joined(separator: "\n"))")
    }

    struct Coded: Decodable, Sendable {
        struct Expected: Decodable, Sendable {
            var outcome: String
            var length: Int?
            var sha256: String?
        }
        var id: String
        var content_encoding: String
        var body_b64: String
        var expected: Expected
    }

    @Test(arguments: [LoopbackResponse.Framing.contentLength, .chunked, .untilClose])
    func `a coded body is decoded, or refused`(framing: LoopbackResponse.Framing) async throws {
        let differences = try WireVectors.differences(.coding)
        var failed: [String] = []
        for vector in try WireVectors.cases("content-coding/content-coding", as: Coded.self) {
            let octets = Array(Data(base64Encoded: vector.body_b64) ?? Data())
            let server = try LoopbackServer { _ in
                LoopbackResponse(
                    fields: [("Content-Encoding", vector.content_encoding)],
                    content: .bytes(octets), framing: framing)
            }
            let isRight: Bool
            let text: String
            do {
                var configuration = CurlConfiguration()
                // Some are as long as a thousand of their coded form.
                configuration.maximumExpansion = nil
                let body = try await CurlTransport(configuration).response(for: server.url).body
                    .collect(upTo: 64 << 20)
                text = "\(body.count) octets"
                isRight =
                    vector.expected.outcome != "error" && body.count == vector.expected.length
                    && (body.count > 1 << 20
                        || SHA256.hash(body).hexadecimal == vector.expected.sha256)
            } catch let error as HTTPError {
                text = "\(error)"
                isRight = vector.expected.outcome != "decoded"
            }
            if isRight == (differences[vector.id] != nil) {
                failed.append("\(vector.id) (\(vector.expected.outcome)): \(text)")
            }
        }
        #expect(failed.isEmpty, "\(failed.joined(separator: "\n"))")
    }
}

/// Vectors that are not part of the project: in the folder that `HTTP_CONFORMANCE_DATA` names.
enum WireVectors {
    static let whySkipped: Comment = "no conformance data: set HTTP_CONFORMANCE_DATA"

    static let folder: String? = {
        let named = ProcessInfo.processInfo.environment["HTTP_CONFORMANCE_DATA"]
        let checkout = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        let beside = checkout.dropLast().joined(separator: "/") + "/shared/conformance"
        return [named, beside].compactMap(\.self).first {
            FileManager.default.fileExists(atPath: "\($0)/http1-response")
        }
    }()

    static let files = [
        "aiohttp", "curl", "derived", "h11", "httparse", "llhttp", "picohttpparser", "wpt",
    ]

    private struct File<Case: Decodable>: Decodable { var cases: [Case] }

    static func cases<Case: Decodable>(_ file: String, as type: Case.Type) throws -> [Case] {
        let path = "\(try #require(folder))/\(file).json"
        let octets = try Data(contentsOf: URL(filePath: path))
        return try JSONDecoder().decode(File<Case>.self, from: octets).cases
    }

    /// What is not as the vectors say, by case, with the reason: ours, and the library's.
    static func differences(_ kind: LibcurlDifference.Kind) throws -> [String: String] {
        var differences = LibcurlDifference.reasons(
            kind, in: try CurlLibrary.loaded.get().number)
        switch kind {
        case .response:
            differences["derived/1xx/storm-100"] =
                "more than 20 interim responses are refused: a storm is an attack"
            differences["derived/1xx/storm-103"] = "the same"
        case .coding:
            differences["curl/test230"] =
                "several codings are refused: each multiplies what the one around it has become"
        case .head, .urlSession: break
        }
        return differences
    }
}
