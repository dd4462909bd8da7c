import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ContentTypeValidatorTests {
    private func isAccepted(
        _ contentType: String?, asked accept: String?,
        by rule: ContentTypeValidator = ContentTypeValidator(), _ status: HTTPStatus = .ok,
        method: HTTPMethod = .get, text: String = "x"
    ) async throws -> Bool {
        var headers: HTTPHeaders = [:]
        if let contentType { headers[.contentType] = contentType }
        do {
            try await MockSession.answering(status, headers: headers, text).validated(by: rule) {
                if let accept { $0.headers[.accept] = accept }
                $0.method = method
            }
            return true
        } catch let error as HTTPError where error.code == .unexpectedContentType {
            #expect(error.response?.status == status)
            return false
        }
    }

    // MARK: Content-Type

    @Test(
        .rows("S4-14"),
        arguments: [
            ("application/json", "application/json"),
            ("application/json; charset=utf-8", "application/json"),
            ("application/json", "application/json;version=1"),
            ("application/json;version=2", "application/json;version=1"),
            ("text/html", "text/html;level=1, text/*;q=0"),
            ("text/html", "text/html, text/html;level=1;q=0"),
            ("Application/JSON", "application/json"),
            ("text/html", "*/*"), ("text/html", "text/*"),
            ("text/html", "application/json, text/html;q=0.1"),
        ])
    func `a type that the request asks for is accepted`(type: String, accept: String) async throws {
        #expect(try await isAccepted(type, asked: accept))
    }

    @Test(
        .rows("S4-14"),
        arguments: [
            ("text/html", "application/json"), ("text/html", "application/*, text/plain"),
            ("text/html", "*/*, text/html;q=0"), ("nonsense", "application/json"),
            ("text/html;level=1", "text/html, text/html;level=1;q=0"),
        ])
    func `another is not`(type: String, accept: String) async throws {
        #expect(try await !isAccepted(type, asked: accept))
    }

    @Test(.rows("S4-14"), arguments: [nil, "nonsense"])
    func `content without a type is accepted where any type is`(type: String?) async throws {
        #expect(try await !isAccepted(type, asked: "application/json"))
        #expect(try await !isAccepted(type, asked: "application/*"))
        #expect(try await !isAccepted(type, asked: "*/*;q=0"))
        #expect(try await isAccepted(type, asked: "*/*"))
        #expect(try await isAccepted(type, asked: "application/json, */*;q=0.1"))
        let any = ContentTypeValidator(.any)
        #expect(try await isAccepted(type, asked: "application/json", by: any))
        let json = ContentTypeValidator(MediaRange(.json))
        #expect(try await !isAccepted(type, asked: "*/*", by: json))
    }

    @Test(.rows("S4-14"))
    func `a response without content has no type to be judged`() async throws {
        #expect(try await isAccepted(nil, asked: "application/json", text: ""))
        #expect(try await isAccepted(nil, asked: "application/json", .noContent))
        #expect(try await isAccepted("text/html", asked: "application/json", method: .head))
    }

    @Test(.rows("S4-14"))
    func `a request without Accept takes any type`() async throws {
        #expect(try await isAccepted("text/html", asked: nil))
        #expect(try await isAccepted(nil, asked: nil))
        #expect(try await isAccepted("text/html", asked: ""))
    }

    @Test(.rows("S4-14"))
    func `an error page is for the status to judge`() async throws {
        #expect(try await isAccepted("text/html", asked: "application/json", .badGateway))
    }

    @Test(.rows("S4-14"))
    func `named types hold whatever the request says`() async throws {
        let rule = ContentTypeValidator(MediaRange(.json))
        #expect(try await isAccepted("application/json", asked: "text/html", by: rule))
        #expect(try await !isAccepted("text/html", asked: "text/html", by: rule))
        #expect(try await !isAccepted("text/html", asked: nil, by: rule))
    }

    @Test(.rows("S4-14"))
    func `what a layer below asked for counts`() async throws {
        struct AskingForJSON: HTTPRequestInterceptor {
            func process(request: inout HTTPRequest) async throws {
                request.headers[.accept] = "application/json"
            }
        }
        let session = MockSession.answering(.ok, headers: ["Content-Type": "text/html"], "x").with(
            Validation([ContentTypeValidator()]), AskingForJSON())
        let error = try await failure { try await session.response(for: try .test()) }
        #expect(error.code == .unexpectedContentType)
    }
}
