import HTTPCore
import HTTPFormats
import TestSupport
import Testing
@testable import HTTPTesting
import PortableFoundation

@Suite struct StubMatcherTests {
    private func matches(
        _ matcher: StubMatcher, _ method: HTTPMethod = .get, _ url: String = "https://h/",
        headers: HTTPHeaders = [:], body: String = ""
    ) throws -> Bool {
        let request = try HTTPRequest(method, url, headers: headers, body: HTTPBody(body))
        switch matcher.judge(StubbedRequest(request, body: Data(body.utf8))) {
        case .match: return true
        case .mismatch(let differences):
            #expect(!differences.isEmpty)
            return false
        }
    }

    // MARK: Matchers

    @Test(.rows("B-17"))
    func `a method is any of those named`() throws {
        #expect(try matches(.method(.get, .head), .head))
        #expect(try !matches(.method(.get, .head), .put))
    }

    @Test(
        .rows("B-17"),
        arguments: [
            ("https://h/a", "HTTPS://H:443/a", true), ("https://h", "https://h/", true),
            ("https://h/a?b=1", "https://h/a?b=1#c", true),
            ("https://h/a?b=1", "https://h/a?b=2", false),
            ("https://h/a", "https://h/a?", false), ("https://h/a", "http://h/a", false),
            ("https://h/a", "https://h/A", false), ("/a", "https://h/a", false),
            ("%", "https://h/", false),
        ])
    func `URLs are equal by origin, path and query`(expected: String, url: String, isEqual: Bool)
        throws
    {
        #expect(try matches(.url(expected), .get, url) == isEqual)
    }

    @Test(.rows("B-17"))
    func `a query is left out when that is wanted`() throws {
        #expect(try matches(.url("https://h/a?b", ignoringQuery: true), .get, "https://h/a?c=1"))
        #expect(try !matches(.url("https://h/a", ignoringQuery: true), .get, "https://h/b?c=1"))
    }

    @Test(
        .rows("B-17"),
        arguments: [
            ("https://h/users/{id}", "https://h/users/7", true),
            ("https://h/users/{id}", "https://h:443/users/7?page=1", true),
            ("/users/{id}", "https://h/users/7", true),
            ("/users/{id}", "https://h/users/7/posts", false),
            ("/users{?page}", "https://h/users?page=1", true),
            ("/users?page=1", "https://h/users", false),
            ("https://h/", "https://h", true), ("https://h", "https://h", true),
            ("/", "https://h", true),
            ("https://h/{+path}", "https://h/a/b", true), ("/{bad", "https://h/{bad", false),
        ])
    func `a template stands for the whole URL or what follows its host`(
        template: String, url: String, isMatch: Bool
    ) throws {
        let url = url.replacing("{", with: "%7B")
        #expect(try matches(.template(URITemplate(template)), .get, url) == isMatch)
    }

    @Test(.rows("B-17"))
    func `query pairs and fields match by value, or by being there`() throws {
        let url = "https://h/?a=1%202&b="
        #expect(try matches(.query("a", "1 2"), .get, url))
        #expect(try matches(.query("b"), .get, url))
        #expect(try !matches(.query("a", "1"), .get, url))
        #expect(try !matches(.query("c"), .get, url))
        let headers: HTTPHeaders = ["A": "1", "a": "2"]
        #expect(try matches(.header("a", "2"), headers: headers))
        #expect(try matches(.header("A"), headers: headers))
        #expect(try !matches(.header("a", "3"), headers: headers))
        #expect(try !matches(.header("b"), headers: headers))
    }

    @Test(.rows("B-17"))
    func `bodies match as JSON, by a type of their own, or byte for byte`() throws {
        let body = #"{"b": 1.0, "a": [true]}"#
        #expect(try matches(.json(["a": [true], "b": 1]), body: body))
        #expect(try !matches(.json(["a": [true], "b": 2]), body: body))
        #expect(try !matches(.json(["a": 1]), body: "no JSON"))
        struct Named: Decodable { var b: Double }
        #expect(try matches(.json(as: Named.self), body: body))
        #expect(try matches(.json(as: Named.self) { $0.b == 1 }, body: body))
        #expect(try !matches(.json(as: Named.self) { $0.b == 2 }, body: body))
        #expect(try !matches(.json(as: Named.self), body: "{}"))
        #expect(try matches(.body("text"), body: "text"))
        #expect(try !matches(.body("text"), body: "texT"))
        #expect(try matches(.body(Data([0x61])), body: "a"))
    }

    @Test(.rows("B-17"))
    func `any closure is a matcher, and so is what another is not`() throws {
        let long = StubMatcher.custom("a long body") { $0.body.count > 3 }
        #expect(try matches(long, body: "long"))
        #expect(try !matches(long, body: "sho"))
        #expect(try !matches(.not(long), body: "long"))
        #expect(try matches(.not(long), body: "sho"))
        #expect(StubMatcher.not(long).description == "not a long body")
    }
}
