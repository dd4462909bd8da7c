import ConformanceVectors
import HTTPCore
import HTTPHashing
import HTTPTesting
import HTTPTransportURLSession
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// Tests of third-party responses, served unchanged, over both transports.
@Suite(
    .timeLimit(.minutes(10)), .serialized,
    .enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct WireConformanceTests {
    // MARK: Framing

    @Test(arguments: ConformanceData.files(of: "http1-response"), [nil, 7])
    func `a response is taken, or refused, as RFC 9112 says`(file: String, piece: Int?) async throws
    {
        var configuration = CurlConfiguration()
        configuration.decodesContent = false
        var report = ConformanceReport(
            "http1-response/\(file) (CurlTransport\(piece.map { ", in pieces of \($0)" } ?? ""))",
            differences: try curlDifferences(.response))
        for vector in try ConformanceData.cases("http1-response/\(file).json", as: WireVector.self)
        {
            // Large responses would take too long in small pieces.
            if let piece, vector.bytes.count > 2000 * piece { continue }
            let outcome = try await vector.outcome(
                inPiecesOf: piece, over: try CurlTransport(configuration))
            report.record(
                vector.id, vector.allows(outcome), "(\(vector.rfc.verdict)): \(outcome)")
        }
        report.finish()
    }

    /// Runs each file in its own process. URLSession on Linux ends the process at some responses,
    /// and another process then continues after that vector.
    @Test(arguments: ConformanceData.files(of: "http1-response"))
    func `over URLSession a response is taken, or refused, but for what corelibs makes of it`(
        file: String
    ) async throws {
        var report = ConformanceReport("http1-response/\(file) (URLSessionTransport)")
        let vectors = try ConformanceData.cases(
            "http1-response/\(file).json", as: WireVector.self)
        var next = 0
        while next < vectors.count {
            let results = try await URLSessionVectorRun(file: file, from: next).results()
            for vector in vectors[next...].prefix(results.count) {
                let result = results[vector.id]
                report.record(
                    vector.id, result?.isRight == true,
                    reasonToDiffer: vector.corelibsReason(result),
                    "(\(vector.rfc.verdict)): \(result?.text ?? "ended the process")")
            }
            try #require(!results.isEmpty, "nothing ran from \(next) on")
            next += results.count
        }
        report.finish()
    }

    // MARK: Coding

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

    private static let framings: [LoopbackResponse.Framing] = [
        .contentLength, .chunked, .untilClose,
    ]

    @Test(arguments: framings)
    func `a coded body is decoded, or refused`(framing: LoopbackResponse.Framing) async throws {
        var configuration = CurlConfiguration()
        // Some bodies are a thousand times as long as their coded form.
        configuration.maximumExpansion = nil
        try await judgeCodings("CurlTransport", framing, [:]) {
            try CurlTransport(configuration)
        }
    }

    @Test(arguments: framings)
    func `over URLSession a coded body is decoded, or refused`(
        framing: LoopbackResponse.Framing
    ) async throws {
        let severalCodings = "several codings are refused, since libcurl decodes all in one step"
        try await judgeCodings(
            "URLSessionTransport", framing, ["curl/test230": severalCodings]
        ) {
            URLSessionTransport()
        }
    }

    private func judgeCodings(
        _ transport: String, _ framing: LoopbackResponse.Framing, _ differences: [String: String],
        _ makeSession: () throws -> any HTTPSession
    ) async throws {
        var report = ConformanceReport(
            "content-coding (\(transport), \(framing))", differences: differences)
        for vector in try ConformanceData.cases(
            "content-coding/content-coding.json", as: Coded.self)
        {
            let server = try LoopbackServer { _ in
                LoopbackResponse(
                    fields: [("Content-Encoding", vector.content_encoding)],
                    content: .bytes(Array(Data(base64Encoded: vector.body_b64) ?? Data())),
                    framing: framing)
            }
            do {
                let body = try await makeSession().response(for: server.url).body
                    .collect(upTo: 64 << 20)
                let isWhole =
                    body.count == vector.expected.length
                    && (body.count > 1 << 20
                        || SHA256.hash(body).hexadecimal == vector.expected.sha256)
                report.record(
                    vector.id, vector.expected.outcome != "error" && isWhole,
                    "(\(vector.expected.outcome)): \(body.count) bytes")
            } catch let error as HTTPError {
                report.record(
                    vector.id, vector.expected.outcome != "decoded",
                    "(\(vector.expected.outcome)): \(error)")
            }
        }
        report.finish()
    }
}

extension WireVector {
    /// Returns the outcome of the vector over a session. An `HTTPError` is an outcome, and is not
    /// thrown.
    func outcome(
        inPiecesOf size: Int? = nil, over session: any HTTPSession
    ) async throws -> Outcome {
        let bytes = bytes
        var steps: [LoopbackScript.Step] = [.awaitHead]
        if let size {
            // Sends each piece in a separate packet, as far as a script can control this.
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            steps.append(.drip(pieces, every: .microseconds(50)))
        } else {
            steps.append(.send(bytes))
        }
        let server = try LoopbackServer(scripts: [LoopbackScript(steps + [.close])])
        do {
            let request = try HTTPRequest(HTTPMethod(request_method), server.url)
            let response = try await session.response(for: request)
            let body = try await response.body.collect(upTo: 64 << 20)
            return .answer(
                status: response.status.code, fields: Self.pairs(response.headers), body: body,
                trailers: Self.pairs(response.body.trailers))
        } catch let error as HTTPError {
            return .error(error)
        }
    }

    private static func pairs(_ headers: HTTPHeaders?) -> [[String]] {
        guard let headers else { return [] }
        func text(_ bytes: some Sequence<UInt8>) -> String {
            String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
        return headers.indices.map { headers.withBytes(at: $0) { [text($0), text($1)] } }
    }
}

/// Returns the cases in which CurlTransport differs from the vectors of a kind, each with the
/// reason.
///
/// Either the library decides before the transport sees the bytes, or the transport decides
/// otherwise.
func curlDifferences(_ kind: LibcurlDifference.Kind) throws -> [String: String] {
    let library = LibcurlDifference.reasons(kind, in: try CurlLibrary.loaded.get().number)
    return library.merging(ownDifferences[kind] ?? [:]) { first, _ in first }
}

private let ownDifferences: [LibcurlDifference.Kind: [String: String]] = [
    .response: [
        "derived/1xx/storm-100":
            "more than 20 interim responses are refused: a storm is an attack",
        "derived/1xx/storm-103": "the same",
    ]
]
