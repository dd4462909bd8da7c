import ConformanceVectors
import HTTPCore
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(
    .enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped), .timeLimit(.minutes(5)))
struct RedirectsConformanceTests {
    struct Case: Decodable {
        struct Request: Decodable {
            var method: String
            var url: String
            var headers: [[String]]
            var body: String?
            var body_is_stream: Bool?
        }
        struct Response: Decodable {
            var status: Int
            var headers: [[String]]
            var location_b64: String?
        }
        struct Expected: Decodable {
            struct Hop: Decodable {
                var method: String?
                var url: String?
                var body: String?
                var headers_present: [[String]]?
                var headers_absent: [String]?
            }
            var outcome: String
            var final_url: String?
            var final_status: Int?
            var requests: [Hop]?
            var request_count: Int?
        }
        var id: String
        var request: Request
        var responses: [Response]
        var mode: String?
        var limit: Int?
        var expected: Expected
    }

    private static let bodyIsDropped =
        "the next request is a GET without a body, so that nothing has to be sent twice "
        + "(RFC 9110 §15.4)"
    private static let differences = [
        "wpt/redirect-upload/301": bodyIsDropped, "wpt/redirect-upload/302": bodyIsDropped,
    ]

    // MARK: Following

    @Test(
        .rows("B-6"), arguments: ["count", "credentials", "fragment", "location", "method", "mode"])
    func `redirects are followed as Fetch and RFC 9110 want it`(file: String) async throws {
        let cases = try ConformanceData.cases("redirects/\(file).json", as: Case.self)
        var report = ConformanceReport("redirects/\(file)", differences: Self.differences)
        for value in cases {
            let outcome = try await Outcome(of: value)
            report.record(value.id, outcome.isRight(value.expected), "\(outcome)")
        }
        report.finish()
    }

    /// The outcome of a case.
    private struct Outcome: CustomStringConvertible {
        var result: Result<HTTPResponse, any Error>
        var requests: [HTTPRequest]
        var bodies: [String]

        var description: String { "\(result), \(requests)" }

        init(of value: Case) async throws {
            let answers = Locked(value.responses)
            let bodies = Locked([String]())
            let mock = MockSession { request in
                let body = String(decoding: try await request.body.collect(), as: UTF8.self)
                bodies.withLock { $0.append(body) }
                let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                return try answer?.response(to: request) ?? HTTPResponse(.ok, to: request)
            }
            var request = try HTTPRequest(HTTPMethod(value.request.method), value.request.url)
            for field in value.request.headers {
                try request.headers.append(HTTPHeaderName(field[0]), field[1])
            }
            let body = Data((value.request.body ?? "").utf8)
            request.body =
                value.request.body_is_stream == true
                ? HTTPBody(
                    AsyncStream<Data> {
                        $0.yield(body)
                        $0.finish()
                    }) : HTTPBody(body)
            let modes: [String: RedirectMode] = ["manual": .manual, "error": .error]
            let redirects = Redirects(
                modes[value.mode ?? ""] ?? .follow, limit: value.limit ?? 20, allowsDowngrade: true)
            do {
                result = .success(try await mock.with(redirects).response(for: request))
            } catch {
                result = .failure(error)
            }
            requests = mock.requests
            self.bodies = bodies.withLock { $0 }
        }

        func isRight(_ expected: Case.Expected) -> Bool {
            switch (expected.outcome, result) {
            case ("error", .failure(let error as HTTPError)):
                return error.code == .redirectRefused || error.code == .tooManyRedirects
            case ("not-followed", .success(let response)):
                return response.status.code == expected.final_status && requests.count == 1
            case ("followed", .success(let response)):
                let hops = expected.requests ?? []
                return (expected.final_url.map { $0 == response.url.absoluteString } ?? true)
                    && (expected.request_count.map { $0 == requests.count } ?? true)
                    && (hops.isEmpty || hops.count == requests.count - 1)
                    && zip(hops, zip(requests, bodies).dropFirst()).allSatisfy { hop, sent in
                        isRight(hop, sent.0, sent.1)
                    }
            default: return false
            }
        }

        private func isRight(
            _ hop: Case.Expected.Hop, _ request: HTTPRequest, _ body: String
        ) -> Bool {
            (hop.method.map { $0 == request.method.rawValue } ?? true)
                && (hop.url.map { $0 == request.url.absoluteString } ?? true)
                && (hop.body.map { $0 == body } ?? true)
                && (hop.headers_present ?? []).allSatisfy {
                    request.headers[values: HTTPHeaderName($0[0])].contains($0[1])
                }
                && (hop.headers_absent ?? []).allSatisfy {
                    !request.headers.contains(HTTPHeaderName($0))
                }
        }
    }
}

extension RedirectsConformanceTests.Case.Response {
    fileprivate func response(to request: HTTPRequest) throws -> HTTPResponse {
        var fields = HTTPHeaders()
        for field in headers { try fields.append(HTTPHeaderName(field[0]), field[1]) }
        if let location_b64 {
            let bytes = try #require(Data(base64Encoded: location_b64))
            let line = Array("Location: ".utf8) + bytes
            let isField = fields.append(line: line.span)
            try #require(isField)
        }
        return HTTPResponse(try #require(HTTPStatus(code: status)), headers: fields, to: request)
    }
}
