import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPRequestURLTests {
    private static func request(_ url: String = "https://h:81/a?q#f") throws -> HTTPRequest {
        try HTTPRequest(.get, url)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var url: String
        var expected: String?
        var change: @Sendable (HTTPRequest) throws -> HTTPRequest
        init(
            _ url: String, _ expected: String?,
            _ change: @escaping @Sendable (HTTPRequest) throws -> HTTPRequest
        ) {
            (self.url, self.expected, self.change) = (url, expected, change)
        }
        var testDescription: String { "\(url) → \(expected ?? "error")" }
    }

    private static let whole = "https://h:81/a?q#f"

    // MARK: Part by part

    @Test(
        .rows("B-2"),
        arguments: [
            Change(whole, "http://h:81/a?q#f") { try $0.with(scheme: "http") },
            Change(whole, nil) { try $0.with(scheme: "ftp") },
            Change(whole, nil) { try $0.with(scheme: "") },
            Change("/a", nil) { try $0.with(scheme: "http") },
            Change(whole, "https://other:81/a?q#f") { try $0.with(host: "other") },
            Change(whole, "https://[::1]:81/a?q#f") { try $0.with(host: "::1") },
            Change(whole, "https://[::1]:81/a?q#f") { try $0.with(host: "[::1]") },
            Change(whole, nil) { try $0.with(host: "\u{2FF0}") },
            Change("https://u:p@h/", "https://o/") { try $0.with(host: "o") },
            Change("a?q", "https://o/a?q") { try $0.with(host: "o") },
            Change("/a", "https://o/a") { try $0.with(host: "o") },
            Change("?q", "https://o?q") { try $0.with(host: "o") },
            Change("a", "http://o:8080/a") {
                try $0.with(host: "o").with(scheme: "http").with(port: 8080)
            },
            Change(whole, nil) { try $0.with(host: "") },
            Change(whole, nil) { try $0.with(host: "user@o") },
            Change(whole, nil) { try $0.with(host: "user:secret@o") },
            Change(whole, nil) { try $0.with(host: "o:82") },
            Change(whole, nil) { try $0.with(host: "o/x") },
            Change(whole, nil) { try $0.with(host: "o?x") },
            Change(whole, nil) { try $0.with(host: "a b") },
            Change(whole, nil) { try $0.with(host: "127.1") },
            Change(whole, "https://xn--9ca:81/a?q#f") { try $0.with(host: "é") },
            Change(whole, nil) { try $0.with(host: "a\0") },
            Change(whole, "https://h:1/a?q#f") { try $0.with(port: 1) },
            Change(whole, "https://h/a?q#f") { try $0.with(port: nil) },
            Change(whole, nil) { try $0.with(port: 0) },
            Change(whole, nil) { try $0.with(port: 65536) },
            Change(whole, nil) { try $0.with(port: -1) },
            Change("/a", nil) { try $0.with(port: 1) },
            Change(whole, "https://h:81/b/c?q#f") { try $0.with(path: "/b/c") },
            Change(whole, "https://h:81/b?q#f") { try $0.with(path: "b") },
            Change(whole, "https://h:81/b:c?q#f") { try $0.with(path: "b:c") },
            Change(whole, "https://h:81?q#f") { try $0.with(path: "") },
            Change(whole, "http://o/x") { try $0.with(path: "http://o/x") },
            Change(whole, nil) { try $0.with(path: "//o/x") },
            Change("a?q", nil) { try $0.with(path: "//o/x") },
            Change(whole, "https://h:81/localhost:80/x?q#f") {
                try $0.with(path: "localhost:80/x")
            },
            Change(whole, "https://h:81/x/a%2Fb?q#f") { try $0.with(path: "/x/\("a/b")") },
            Change(whole, nil) { try $0.with(path: "/x/\("..")") },
            Change(whole, "x/a%2Fb") { try $0.route("x/\("a/b")") },
            Change(whole, nil) { try $0.route("x/\("..")") },
            Change(whole, nil) { try $0.route("x/\("")") },
            Change("a?q", "b?q") { try $0.with(path: "b") },
            Change("a?q", "/b?q") { try $0.with(path: "/b") },
            Change(whole, nil) { try $0.with(path: "/b?x") },
            Change(whole, nil) { try $0.with(path: "/b#x") },
            Change(whole, nil) { try $0.with(path: "/b c") },
            Change(whole, nil) { try $0.with(path: "/%4") },
            Change(whole, nil) { try $0.with(path: "/\0") },
            Change(whole, "https://h:81/a?x=1#f") { try $0.with(query: "x=1") },
            Change(whole, "https://h:81/a?#f") { try $0.with(query: "") },
            Change(whole, "https://h:81/a#f") { try $0.with(query: nil) },
            Change(whole, nil) { try $0.with(query: "a b") },
            Change(whole, nil) { try $0.with(query: "a#b") },
            Change(whole, "https://h:81/a?q#g") { try $0.with(fragment: "g") },
            Change(whole, "https://h:81/a?q") { try $0.with(fragment: nil) },
            Change(whole, nil) { try $0.with(fragment: "a#b") },
            Change(whole, "new/joke") { try $0.route("new/joke") },
            Change(whole, nil) { try $0.route("new joke") },
        ])
    func `a part of the URL changes in a copy, or is refused`(change: Change) throws {
        let request = try HTTPRequest(.get, change.url)
        if let expected = change.expected {
            let changed = try change.change(request)
            #expect(changed.url.absoluteString == expected)
            #expect(changed.id == request.id)
        } else {
            let error = #expect(throws: HTTPError.self) { try change.change(request) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("secret") == false)
        }
        #expect(request.url.absoluteString == change.url)
    }

    // MARK: Templates

    @Test(.rows("S1-3", "S1-5", "B-1"))
    func `a request is made of a template`() throws {
        let request = try HTTPRequest(
            template: "http://www.apple.com/{type}/{value}",
            variables: ["type": "mac", "value": 15])
        #expect(request.method == .get)
        #expect(request.url.absoluteString == "http://www.apple.com/mac/15")
        let relative = try HTTPRequest(
            .post, template: "/a{/id*}{?none}", variables: ["id": [1, 2]])
        #expect(relative.method == .post && relative.url.absoluteString == "/a/1/2")
    }

    @Test(
        .rows("S1-5"),
        arguments: [
            ("users/{id}", "a/b", "users/a%2Fb"), ("users/{id}", "//o", "users/%2F%2Fo"),
            ("users/{id}", "%2e%2e", "users/%252e%252e"), ("users/{id}", "?#", "users/%3F%23"),
            ("{id}/x", "http://o", "http%3A%2F%2Fo/x"), ("users/{id}x", "", "users/x"),
            ("users/{?id}", "", "users/?id="), ("users/{?id}", "..", "users/?id=.."),
            ("users/{#id}", "..", "users/#.."), ("users{/id}", "7", "users/7"),
            ("/{+id}", "a/b", "/a/b"), ("{+id}/x", "https://o", "https://o/x"),
            ("{+id}/x", "", "/x"), ("https://h/{id}", "7", "https://h/7"),
            ("users/{id}", "", nil), ("users/{id}", "..", nil), ("users/{id}", ".", nil),
            ("users/{id}/x", "..", nil), ("users/{id}/x", "a/../b", nil), ("{id}/x", "", nil),
            ("users{/id}", "..", nil), ("users{/id}", "", nil), ("users{/id*}", "", nil),
            ("users/{+id}", "../x", nil), ("users/{+id}", "x/%2e%2e/y", nil),
            ("users/{.id}", ".", nil), ("users/.{id}", ".", nil),
            ("users/{id,id}", "..", "users/..,.."),
            ("https://h/{id}", "..", nil), ("https://h{/id}", "..", nil),
        ] as [(String, String, String?)])
    func `a value stays in its place of a template`(
        template: String, value: String, url: String?
    ) throws {
        let template = URITemplate(template)
        guard let url else {
            let error = #expect(throws: HTTPError.self) {
                try HTTPRequest(.delete, template: template, variables: ["id": value])
            }
            #expect(error?.code == .invalidRequest && error?.message.contains("id") == true)
            return
        }
        let request = try HTTPRequest(.delete, template: template, variables: ["id": value])
        #expect(request.url.absoluteString == url)
    }

    @Test(.rows("S1-5"))
    func `an undefined variable leaves no empty segment`() throws {
        for template in ["users/{id}", "{id}/x", "users/{id}/x"] {
            #expect(throws: HTTPError.self) {
                try HTTPRequest(.delete, template: URITemplate(template), variables: [:])
            }
        }
        for (template, url) in [("users{/id}", "users"), ("users/{?id}", "users/")] {
            let request = try HTTPRequest(template: URITemplate(template), variables: [:])
            #expect(request.url.absoluteString == url)
        }
    }

    @Test(.rows("S1-5"))
    func `a malformed template makes no request`() {
        let error = #expect(throws: HTTPError.self) {
            try HTTPRequest(template: "https://h/{id", variables: ["id": 1])
        }
        #expect(error?.message.contains("byte 10") == true)
    }
}
