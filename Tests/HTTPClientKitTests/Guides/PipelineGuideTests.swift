import Dispatch
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

/// The code of Docs/Guides/Pipeline.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct PipelineGuideTests {
    private struct User: Codable, Sendable { var name: String }
    private struct Page: Codable, Sendable { var users: [User] }

    struct Vault {
        func refresh() async throws -> String { "fresh" }
    }

    private struct Tokens: HTTPRequestInterceptor {
        func process(request: inout HTTPRequest) async throws {
            guard request.headers[.authorization] == nil else { return }
            try request.headers.set(.authorization, "Bearer stale")
        }
    }

    struct Refresh: RetryDeciding {
        let vault: Vault

        func decision(about attempt: RetryAttempt) async throws -> RetryDecision {
            guard attempt.failure?.status == .unauthorized else { return .drop }
            let token = try await vault.refresh()
            return .retryWithRequest(attempt.request.header(.authorization, "Bearer \(token)"))
        }
    }

    private let lines = Record<String>()
    private let url: URL
    private let request: HTTPRequest
    private let tokens = Tokens()
    private let refresh = Refresh(vault: Vault())

    init() throws {
        url = try #require(URL(string: "https://h/"))
        request = HTTPRequest(url: url)
    }

    private func show<Value: Sendable>(_ value: Value) { lines.add("\(value)") }
    private func log<Value: Sendable>(_ value: Value) { lines.add("\(value)") }

    private var users: MockSession {
        MockSession { request in
            guard request.headers[.authorization] == "Bearer fresh" else {
                return HTTPResponse(.unauthorized, to: request)
            }
            return HTTPResponse(
                .ok, body: HTTPBody(#"{"users":[{"name":"ada"},{"name":"bob"}]}"#), to: request)
        }
    }

    @Test func `a task`() async throws {
        let session = MockSession {
            HTTPResponse(.ok, body: HTTPBody(#"{"name":"ada"}"#), to: $0)
        }
        let task = HTTPRequest(url: url).run(User.self, in: session)
            .onProgress { progress in show(progress.fraction) }
            .onResponse { outcome in log(try? outcome.get().status) }
            .onResult { result in show(try? result.get().name) }
        let user = try await task.value
        #expect(user.name == "ada")
        try await lines.wait(for: 3)
        #expect(lines.entries.last?.contains("ada") == true)
    }

    @Test func `a task is cancelled`() async throws {
        let session = HeldSession()
        let task = request.run(in: session)
        task.cancel()
        let resumeData = await task.cancelProducingResumeData()
        #expect(resumeData == nil)
    }

    private func blocking(_ session: any HTTPSession) throws -> HTTPStatus {
        let response = try request.runSync(in: session)
        return response.status
    }

    @Test func `a thread waits`() async throws {
        let session = MockSession { HTTPResponse(.ok, to: $0) }
        let status = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "script").async {
                continuation.resume(with: Result { try blocking(session) })
            }
        }
        #expect(status == .ok)
    }

    @Test func `a pipeline`() async throws {
        let session = users.with(Coalescing())
        let names = session.pipeline(
            for: request, adapter: tokens, coalescing: .useCurrentIfPossible
        )
        .allowed(statusCodes: 200..<300)
        .validate { data, response in
            data.isEmpty ? .invalid(reason: "no content") : .valid
        }
        .retrier(using: refresh)
        .decode(type: Page.self)
        .retry(2)
        .map { $0.decoded.users.map(\.name) }

        let all = try await names.value()
        #expect(all == ["ada", "bob"])

        switch try await names.outcome() {
        case .success(let names): show(names)
        case .failure(.invalid(let reason, _, _)): show("refused: \(reason)")
        case .failure(.decoding(let data, _, _)): show("\(data.count) bytes of something else")
        case .failure(let failure): show("\(failure)")
        }
        #expect(lines.entries == [#"["ada", "bob"]"#])
    }

    @Test func `a decision in a closure`() async throws {
        let session = users
        let patient = session.pipeline(for: request)
            .retryDecision(maxRetries: 3, delay: .seconds(1)) { failure, request in
                switch failure {
                case .exchange: .retry
                case .invalid(let reason, _, let head): .dropWithReason("\(head.status): \(reason)")
                default: .drop
                }
            }
        #expect(try await patient.value().response.status == .unauthorized)
    }

    @Test func `a file`() async throws {
        let folder = try DownloadFolder()
        let path = folder.file()
        let session = MockSession { HTTPResponse(.ok, body: HTTPBody("abc"), to: $0) }
        @Sendable func isComplete(_ path: String) -> Bool {
            (try? String(contentsOfFile: path, encoding: .utf8)) == "abc"
        }
        let image = session.pipeline(for: request, downloadingTo: path, adapter: tokens)
            .allowed(statusCode: 200)
            .validate { file in
                isComplete(file.path) ? .valid : .invalid(reason: "a broken image")
            }
            .retry(2)

        let file = try await HTTPDeadline.within(.seconds(60)) { try await image.value() }
        #expect(file.path == path)
        #expect(try folder.bytes() == Array("abc".utf8))
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Pipeline")
        #expect(page.blocks.count == 8)
        #expect(page.untested == [])
    }
}
