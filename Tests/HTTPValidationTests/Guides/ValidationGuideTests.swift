import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPValidation
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

private struct User: Decodable { let name: String }

private struct Problem: Decodable, Error { let reason: String }

/// The code of Docs/Guides/Validation.md that is no sample (see GuideSamples), and what the page
/// says of it.
@Suite(.timeLimit(.minutes(5))) struct ValidationGuideTests {
    private struct Tokens {
        func refresh(over session: any HTTPSession) async throws -> String {
            try await session.response(String.self, for: "https://api.example/token")
        }
    }

    private let tokens = Tokens()

    @Test func `validators and a policy go around any session`() async throws {
        let transport = MockSession {
            HTTPResponse(.ok, body: HTTPBody(#"{"name": "Ada"}"#), to: $0)
        }
        let session = transport.with(Validation([HTTPDefaultValidator()]), Retry(.standard))
        let user = try await session.response(User.self, for: "https://api.example/user/1")
        #expect(user.name == "Ada")
    }

    @Test func `a task brings what the next attempt needs`() async throws {
        let refresh = HTTPAltTaskValidator { session in
            try await tokens.refresh(over: session)
        } prepare: { request, token in
            request.headers[.authorization] = "Bearer \(token)"
        }
        let session = MockSession {
            if $0.url.path() == "/token" {
                return HTTPResponse(.ok, body: HTTPBody("fresh"), to: $0)
            }
            let isFresh = $0.headers[.authorization] == "Bearer fresh"
            return HTTPResponse(isFresh ? .ok : .unauthorized, to: $0)
        }.with(Validation([refresh]))
        let response = try await session.response(for: HTTPRequest(.get, "https://api.example/"))
        #expect(response.status == .ok)
    }

    @Test func `a service's errors have a type`() async throws {
        let session = MockSession {
            HTTPResponse(.badRequest, body: HTTPBody(#"{"reason": "no"}"#), to: $0)
        }
        let request = try HTTPRequest(.get, "https://api.example/user/1")

        do {
            let user = try await session.response(User.self, orError: Problem.self, for: request)
            print(user.name)
        } catch let error as HTTPError where error.underlyingError is Problem {
            print(error)  // error.status and error.bodyPrefix say more
        }

        switch await session.answer(User.self, orError: Problem.self, for: request) {
        case .success(let user): print(user.name)
        case .errorResponse(let problem, let error): print(problem.reason, error)
        case .failure(let error): print(error)
        }
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage(
            "Validation", others: ["Tests/HTTPValidationTests/Guides/GuideSamples.swift"])
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.count > 3)
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }
}
