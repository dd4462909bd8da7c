import HTTPClientKit
import HTTPTesting
import Testing
import TransportChoice

@testable import fetch

@Suite(.timeLimit(.minutes(5))) struct ComparisonTests {
    private func compare(
        _ url: String, over sessions: [(String, any HTTPSession)]
    ) async throws -> Comparison {
        var answers: [Comparison.Answer] = []
        for (name, session) in sessions {
            let client = HTTPClient(transport: session, validators: [])
            answers.append(
                try await Comparison.Answer(name, to: HTTPRequest(.get, url), of: client))
        }
        return Comparison(answers)
    }

    private func values(_ name: String, _ comparison: Comparison) -> [String]? {
        comparison.rows.first { $0.name == name }?.values
    }

    @Test func `both transports give the same result`() async throws {
        let server = try LoopbackServer(script: LoopbackRoutes.standard)
        let sessions = try TransportName.allCases.map { ($0.rawValue, try $0.makeSession()) }
        let comparison = try await compare(server.url("/redirect/2"), over: sessions)
        #expect(!comparison.differs && comparison.failure == nil)
        #expect(values("status", comparison) == ["200 OK", "200 OK"])
        #expect(values("redirects", comparison) == ["2", "2"])
        #expect(values("exchanges", comparison) == ["3", "3"])
        #expect(values("Content-Type", comparison) == ["application/json", "application/json"])
        let bytes = try #require(values("bytes", comparison)?.compactMap { Int($0) })
        #expect(bytes.allSatisfy { $0 > 0 })
    }

    @Test func `differences are marked, and failures are reported`() async throws {
        let one = MockSession {
            HTTPResponse(
                .ok, headers: ["X": "1", "Set-Cookie": "a=b"], body: HTTPBody("ab"), to: $0)
        }
        let other = MockSession {
            HTTPResponse(.ok, headers: ["x": "2"], body: HTTPBody("ba"), to: $0)
        }
        let closed = MockSession { _ in throw HTTPError(.cannotConnect, "no") }
        let comparison = try await compare(
            "http://h/", over: [("one", one), ("other", other), ("closed", closed)])
        #expect(comparison.differs && comparison.failure?.code == .cannotConnect)
        #expect(values("status", comparison) == ["200 OK", "200 OK", "cannotConnect"])
        #expect(values("X", comparison) == ["1", "2", ""])
        #expect(values("Set-Cookie", comparison) == ["<redacted>", "", ""])
        let marked = comparison.description.split(separator: "\n").filter { $0.hasPrefix("≠ X ") }
        #expect(marked.count == 1)
    }
}
