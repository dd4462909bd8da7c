import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct AcceptContentTypeTests {
    private func answer(
        _ contentType: String?, status: HTTPStatus = .ok, accept: String? = nil,
        method: HTTPMethod = .get
    ) async throws -> HTTPResponse {
        let mock = MockSession { request in
            var headers = HTTPHeaders()
            headers[.contentType] = contentType
            return HTTPResponse(status, headers: headers, body: HTTPBody("x"), to: request)
        }
        var request = try HTTPRequest(method, "http://h/")
        request.headers[.accept] = accept
        return try await mock.with(AcceptContentType()).response(for: request)
    }

    // MARK: Content-Type against Accept

    @Test(
        .rows("S4-14"),
        arguments: [
            ("application/json", nil), ("application/json; charset=utf-8", nil),
            ("APPLICATION/JSON", nil), ("text/html", "*/*"), ("text/html", "text/*;q=0.1"),
            ("text/html", "a/b, text/html"), (nil, "*/*"), ("nonsense", "a/b, */*;q=0.1"),
        ] as [(String?, String?)])
    func `what was asked for passes`(type: String?, accept: String?) async throws {
        #expect(try await answer(type, accept: accept).status == .ok)
    }

    @Test(
        .rows("S4-14"),
        arguments: [
            ("text/html", nil), (nil, nil), ("nonsense", nil), ("text/html", "text/html;q=0"),
            ("application/json", "text/html"), (nil, "text/*"), (nil, "*/*;q=0"),
        ] as [(String?, String?)])
    func `another type is refused, with the head inside`(type: String?, accept: String?)
        async throws
    {
        let error = await #expect(throws: HTTPError.self) {
            try await answer(type, accept: accept)
        }
        #expect(error?.code == .unexpectedContentType)
        #expect(error?.response?.status == .ok)
    }

    @Test(.rows("S4-14"))
    func `errors, and what can have no body, are not compared`() async throws {
        #expect(try await answer("text/html", status: .internalServerError).status.code == 500)
        #expect(try await answer(nil, status: .noContent).status.code == 204)
        #expect(try await answer(nil, method: .head).status == .ok)
    }

    @Test(.rows("S4-14"))
    func `the request asks for the type`() async throws {
        #expect(
            try await answer("application/json").originalRequest.headers[.accept]
                == "application/json")
    }
}
