import Foundation
import HTTPCore
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPTransportURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct URLSessionTransportConfigurationPrepareTests {
    private func makeTransport(
        _ prepare: @escaping @Sendable (inout URLRequest) throws -> Void
    ) throws -> URLSessionTransport {
        var configuration = URLSessionTransportConfiguration()
        configuration.prepare = prepare
        return try URLSessionTransport(configuration)
    }

    // MARK: The prepare closure

    @Test(.rows("S1-25"))
    func `the closure sees the request's fields, and those it sets are sent`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let seen = Locked<[[String: String]]>([])
        let transport = try makeTransport { request in
            seen.withLock { [fields = request.allHTTPHeaderFields] in $0.append(fields ?? [:]) }
            request.setValue("1", forHTTPHeaderField: "X-Prepared")
        }
        let request = try HTTPRequest(.get, server.url("/"), headers: ["X-Own": "a"])
        _ = try await transport.response(for: request)
        #expect(try await server.nextRequest()["X-Prepared"] == "1")
        #expect(seen.withLock { $0 } == [["X-Own": "a"]])
    }

    @Test func `fields that the closure leaves alone are sent without change`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let transport = try makeTransport {
            $0.setValue(nil, forHTTPHeaderField: "X-Gone")
            $0.setValue("new", forHTTPHeaderField: "X-Old")
        }
        var headers: HTTPHeaders = ["x-lower": "1", "X-Gone": "2", "x-old": "3"]
        for value in ["a", "b"] { try headers.append("X-Twice", value) }
        let request = try HTTPRequest(.get, server.url("/"), headers: headers)
        _ = try await transport.response(for: request)
        let fields = try await server.nextRequest().fields
            .filter { $0.name.lowercased().hasPrefix("x-") }.map { "\($0.name): \($0.value)" }
        #expect(
            Set(fields) == ["x-lower: 1", "X-Old: new", "X-Twice: a", "X-Twice: b"])
    }

    @Test(.rows("S1-25"))
    func `the closure runs once for each exchange, before the body`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let runs = Locked(0)
        let transport = try makeTransport { _ in runs.withLock { $0 += 1 } }
        for text in ["a", "bc"] {
            let request = try HTTPRequest(.post, server.url("/"), body: HTTPBody(text))
            _ = try await transport.response(for: request)
            let seen = try await server.nextRequest()
            #expect(seen.text == text)
            #expect(seen["Content-Length"] == "\(text.utf8.count)")
        }
        #expect(runs.withLock { $0 } == 2)
    }

    @Test func `taking all fields away does not have URLSession send its own`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let transport = try makeTransport { $0.allHTTPHeaderFields = [:] }
        let request = try HTTPRequest(
            .post, server.url("/"), headers: ["X-Own": "a"], body: HTTPBody("x"))
        _ = try await transport.response(for: request)
        let seen = try await server.nextRequest()
        #expect(
            Set(seen.fields.map(\.name)) == ["Host", "Accept-Encoding", "Content-Length"])
    }

    @Test(.rows("S1-25"))
    func `what the closure throws is the call's error, and nothing is sent`() async throws {
        struct Refusal: Error {}
        let server = try LoopbackServer { _ in .ok() }
        let error = await #expect(throws: HTTPError.self) {
            try await makeTransport { _ in throw Refusal() }.response(for: server.url("/"))
        }
        #expect(error?.code == .preparationFailed)
        #expect(error?.underlyingError is Refusal)
        #expect(error?.mayHaveReachedServer == false)

        let own = await #expect(throws: HTTPError.self) {
            try await makeTransport { _ in throw HTTPError(.fileNotWritten, "as it is") }
                .response(for: server.url("/"))
        }
        #expect(own?.code == .fileNotWritten)
        await #expect(throws: CancellationError.self) {
            try await makeTransport { _ in throw CancellationError() }.response(
                for: server.url("/"))
        }
        #expect(server.connections.accepted == 0)
    }

    struct Trespass: Sendable, CustomTestStringConvertible {
        var name: String
        var prepare: @Sendable (inout URLRequest) -> Void
        var testDescription: String { name }
    }

    static let trespasses: [Trespass] = [
        Trespass(name: "url") { $0.url = URL(string: "file:///etc/passwd") },
        Trespass(name: "url") { $0.url = nil },
        Trespass(name: "httpMethod") { $0.httpMethod = "PUT" },
        Trespass(name: "httpBody") { $0.httpBody = Data("x".utf8) },
        Trespass(name: "httpBodyStream") { $0.httpBodyStream = InputStream(data: Data("x".utf8)) },
        Trespass(name: "cachePolicy") { $0.cachePolicy = .returnCacheDataElseLoad },
        Trespass(name: "timeoutInterval") { $0.timeoutInterval = 1 },
        Trespass(name: "httpShouldHandleCookies") { $0.httpShouldHandleCookies = true },
        Trespass(name: "Content-Length") { $0.setValue("9", forHTTPHeaderField: "Content-Length") },
        Trespass(name: "Transfer-Encoding") {
            $0.setValue("chunked", forHTTPHeaderField: "transfer-encoding")
        },
        Trespass(name: "X-A") { $0.allHTTPHeaderFields = ["X-A": "a\r\nX-B: b"] },
        Trespass(name: "X A") { $0.setValue("a", forHTTPHeaderField: "X A") },
    ]

    @Test(arguments: trespasses)
    func `changing what is the transport's is refused by name`(_ row: Trespass) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let error = await #expect(throws: HTTPError.self) {
            try await makeTransport(row.prepare).response(for: server.url("/"))
        }
        #expect(error?.code == .invalidRequest)
        #expect(
            error?.message.lowercased().contains(row.name.lowercased()) == true,
            "\(error?.message ?? "")")
        #expect(server.connections.accepted == 0)
    }
}
