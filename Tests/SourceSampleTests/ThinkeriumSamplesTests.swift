import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The samples of the page of thinkerium's HTTP target.
@Suite(.timeLimit(.minutes(5))) struct ThinkeriumSamplesTests {
    private let mock = MockSession {
        HTTPResponse(
            .ok, headers: [.contentType: "application/json"], body: HTTPBody("[1]"), to: $0)
    }
    private let url: URL

    init() throws { url = try #require(URL(string: "https://www.thinkerium.com/")) }

    // MARK: Request and response

    @Test(.rows("S4-1", "S4-2", "S4-5"))
    func `a URL makes a request for any session`() async throws {
        let session: any HTTPSession = mock
        let request = HTTPRequest(url: url)
        let response = try await session.response(for: request)
        #expect(response.status == .ok)
        #expect(try await response.text() == "[1]")
        #expect(response.originalRequest.id == request.id)
        #expect(response.originalRequest.url == url)
        #expect(HTTPRequest(url: url).id != request.id)
    }

    private struct Thought: HTTPRequestConvertible {
        let name: String
        var httpRequest: HTTPRequest {
            get throws { try HTTPRequest("https://www.thinkerium.com/thoughts/\(name)") }
        }
    }

    // MARK: Requests

    @Test(.rows("S4-3", "S4-6"))
    func `a URL and a custom type are sent directly`() async throws {
        let session: any HTTPSession = mock
        _ = try await session.response(for: url)
        _ = try await session.response(for: Thought(name: "first"))
        let urls = mock.requests.map(\.url.absoluteString)
        #expect(
            urls == ["https://www.thinkerium.com/", "https://www.thinkerium.com/thoughts/first"])
    }

    private struct Count: HTTPResponseConvertible {
        let bytes: Int
        static func convert(from response: HTTPResponse) async throws -> Count {
            Count(bytes: try await response.data().count)
        }
    }

    // MARK: Responses

    @Test(.rows("S4-4", "S4-6"))
    func `a response is data or a custom type`() async throws {
        let session: any HTTPSession = mock
        let data = try await session.response(Data.self, for: url)
        #expect(data == Data("[1]".utf8))
        #expect(try await session.response(Count.self, for: url).bytes == 3)
    }

    // MARK: Sessions

    /// A third-party network stack.
    private struct Stack: Sendable {
        func data(for url: URL) async throws -> (Data, status: Int, fields: [(String, String)]) {
            (Data("gr\u{FC}n".utf8), 203, [("Content-Type", "text/plain; charset=utf-8")])
        }
    }

    private struct StackSession: HTTPSession {
        let stack = Stack()

        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            let (body, code, fields) = try await stack.data(for: request.url)
            guard let status = HTTPStatus(code: code) else {
                throw HTTPError(.protocolViolation, "\(code) is no status code")
            }
            let headers = try HTTPHeaders { headers in
                for (name, value) in fields { try headers.append(HTTPHeaderName(name), value) }
            }
            return HTTPResponse(
                HTTPResponse.Head(status: status, headers: headers, url: request.url),
                body: HTTPBody(body), to: request)
        }
    }

    @Test(.rows("S4-2", "S4-7", "S4-16"))
    func `another network stack is a session by one method`() async throws {
        let response = try await StackSession().response(for: url)
        #expect(response.status == .nonAuthoritativeInformation)
        #expect(response.textEncoding == .utf8)
        #expect(try await response.text() == "grün")
        #expect(response.originalRequest.url == url)
    }

    private struct URLClient: HTTPMiddlewareSession {
        let base: any HTTPSession
        var middleware: [any HTTPClientMiddleware] = []
    }

    // MARK: Middleware

    private enum ContentError: Error {
        case invalidContentType
    }

    private struct ContentValidationMiddleware: HTTPRequestInterceptor, HTTPResponseInterceptor {
        func process(request: inout HTTPRequest) async throws {
            if !request.headers.contains(where: { $0.name == .accept }) {
                try request.headers.append(.accept, MediaType.json.description)
            }
        }

        func process(response: inout HTTPResponse) async throws {
            guard let accept = response.originalRequest.headers.accept else { return }
            guard let contentType = response.headers.contentType,
                accept.quality(of: contentType) > .zero
            else { throw ContentError.invalidContentType }
        }
    }

    @Test(.rows("S4-8", "S4-9", "S4-10", "S4-12"))
    func `a client runs its middleware on the request, then on the response`() async throws {
        var client = URLClient(base: mock)
        _ = try await client.response(for: url)
        client.middleware = [ContentValidationMiddleware()]
        let response = try await client.response(for: url)
        #expect(mock.requests.map { $0.headers[.accept] } == [nil, "application/json"])
        #expect(response.originalRequest.headers[.accept] == "application/json")
        #expect(response.status == .ok)
    }

    // MARK: Content-Type against Accept

    @Test(
        .rows("S4-14"),
        arguments: [
            ("application/json", nil, true), ("application/json; charset=utf-8", nil, true),
            ("text/html", nil, false), (nil, nil, false), ("text/html", "text/*", true),
            ("text/html", "*/*", true), ("text/html", "application/json, text/html;q=0.5", true),
        ])
    func `content of a type that was not requested is refused`(
        contentType: String?, accept: String?, isAccepted: Bool
    ) async throws {
        let mock = MockSession { request in
            var headers = HTTPHeaders()
            headers[.contentType] = contentType
            return HTTPResponse(.ok, headers: headers, body: HTTPBody("[1]"), to: request)
        }
        let request = HTTPRequest(url: url).header(.accept, accept)
        let own = URLClient(base: mock, middleware: [ContentValidationMiddleware()])
        let readyMade = URLClient(base: mock, middleware: [AcceptContentType()])
        if isAccepted {
            #expect(try await own.response(for: request).status == .ok)
            #expect(try await readyMade.response(for: request).status == .ok)
        } else {
            await #expect(throws: ContentError.invalidContentType) {
                try await own.response(for: request)
            }
            let error = await #expect(throws: HTTPError.self) {
                try await readyMade.response(for: request)
            }
            #expect(error?.code == .unexpectedContentType)
        }
        #expect(mock.requests.map { $0.headers[.accept] ?? "" }.allSatisfy { !$0.isEmpty })
        #expect(mock.requests.allSatisfy { !$0.headers.contains(.contentType) })
    }

    // MARK: Ready-made

    @Test(.rows("S4-15"))
    func `user agent, token and status are ready-made middleware`() async throws {
        let mock = MockSession { request in
            HTTPResponse(request.url.path == "/missing" ? .notFound : .ok, to: request)
        }
        let client = URLClient(
            base: mock,
            middleware: [
                try UserAgent("thinker/1.0"),
                BearerAuthentication(for: try HTTPOrigin(url)) { "abc" },
                Validation([.allowed(statusCodes: 200..<300)]),
            ])
        _ = try await client.response(for: url)
        let error = await #expect(throws: HTTPError.self) {
            try await client.response(for: "https://www.thinkerium.com/missing")
        }
        #expect(error?.status == .notFound)
        for request in mock.requests {
            #expect(request.headers[.userAgent] == "thinker/1.0")
            #expect(request.headers[.authorization] == "Bearer abc")
        }
    }
}
