import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct ProblemDetailsTests {
    private func response(
        _ text: String, type: String? = "application/problem+json", body: HTTPBody? = nil
    ) throws -> HTTPResponse {
        var headers = HTTPHeaders()
        headers[.contentType] = type
        return HTTPResponse(
            try #require(HTTPStatus(code: 403)), headers: headers, body: body ?? HTTPBody(text),
            to: try HTTPRequest(.get, "https://h/"))
    }

    @Test func `the example of RFC 9457 is read, extensions and all`() async throws {
        let response = try response(
            """
            {"type": "https://example.com/probs/out-of-credit", \
            "title": "You do not have enough credit.",
             "detail": "Your current balance is 30, but that costs 50.",
             "instance": "/account/12345/msgs/abc", "balance": 30,
             "accounts": ["/account/12345", "/account/67890"], "status": 403}
            """, type: "Application/Problem+JSON; charset=utf-8")
        let expected = ProblemDetails(
            type: "https://example.com/probs/out-of-credit",
            title: "You do not have enough credit.",
            status: 403, detail: "Your current balance is 30, but that costs 50.",
            instance: "/account/12345/msgs/abc",
            extensions: ["balance": 30, "accounts": ["/account/12345", "/account/67890"]])
        #expect(try await response.problemDetails() == expected)
        #expect(try await response.problemDetails() == expected)
    }

    @Test(arguments: [
        "{}", #"{"type":1,"title":[],"status":"403","detail":null,"instance":{}}"#,
        #"{"status":99}"#,
    ])
    func `members of the wrong type are passed over`(text: String) async throws {
        #expect(try await response(text).problemDetails() == ProblemDetails())
        #expect(ProblemDetails().type == "about:blank")
    }

    @Test(arguments: ["", "[]", "\"x\"", "{", "{\"a\":\u{1}}"])
    func `what is no JSON object is an error`(text: String) async throws {
        let response = try response(text)
        let error = await #expect(throws: HTTPError.self) { try await response.problemDetails() }
        #expect(error?.code == .decodingFailed && error?.response?.status.code == 403)
        #expect(error?.bodyPrefix == Data(text.utf8))
    }

    @Test(arguments: ["application/json", "text/problem+json", nil])
    func `another type is no problem, and its body is left unread`(type: String?) async throws {
        let body = HTTPBody(source: ScriptedBodySource(["{}"]))
        #expect(try await response("", type: type, body: body).problemDetails() == nil)
        #expect(body.canBeSent)
    }

    @Test func `a problem beyond the limit is an error`() async throws {
        let response = try response(#"{"title":"long"}"#)
        let error = await #expect(throws: HTTPError.self) {
            try await response.problemDetails(upTo: 5)
        }
        #expect(error?.code == .bodyTooLarge)
    }
}
