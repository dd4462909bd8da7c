import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct RouteTests {
    struct Joint: Sendable, CustomTestStringConvertible {
        var base: String
        var route: String
        var url: String
        init(_ base: String, _ route: String, _ url: String) {
            (self.base, self.route, self.url) = (base, route, url)
        }
        var testDescription: String { "\(base) + \(route)" }
    }

    // MARK: Base and route

    @Test(
        .rows("S0-2", "S1-4"),
        arguments: [
            // The four joints, with a path, with a slash and with nothing.
            Joint("https://h/api", "x", "https://h/api/x"),
            Joint("https://h/api/", "x", "https://h/api/x"),
            Joint("https://h/api", "/x", "https://h/api/x"),
            Joint("https://h/api/", "/x", "https://h/api/x"),
            Joint("https://h/", "login", "https://h/login"),
            Joint("https://h/", "/login", "https://h/login"),
            Joint("https://h", "login", "https://h/login"),
            Joint("https://h", "/login", "https://h/login"),
            Joint(
                "https://official-joke-api.appspot.com", "new/joke",
                "https://official-joke-api.appspot.com/new/joke"),
            // Slashes elsewhere must not be changed.
            Joint("https://h/api//", "x", "https://h/api//x"),
            Joint("https://h/api", "x//y/", "https://h/api/x//y/"),
            Joint("https://h/api", "/", "https://h/api/"),
            Joint("https://h/api/", "/", "https://h/api/"),
            Joint("https://h/api", "", "https://h/api"),
            Joint("https://h/api/", "", "https://h/api/"),
            Joint("https://h/api/v2", "x/../y/./z", "https://h/api/v2/x/../y/./z"),
            // The query and fragment come from the route.
            Joint("https://h/api?a=1#f", "x", "https://h/api/x"),
            Joint("https://h/api?a=1#f", "?b=2", "https://h/api?b=2"),
            Joint("https://h/api", "x?b=2#g", "https://h/api/x?b=2#g"),
            Joint("https://h/api/", "#g", "https://h/api/#g"),
            // Routes that only look absolute.
            Joint(
                "https://h/api", "/redirect?target=http://x",
                "https://h/api/redirect?target=http://x"),
            Joint("https://h/api", "go?u=http://x", "https://h/api/go?u=http://x"),
            Joint("https://h/api", "users:batchGet", "https://h/api/users:batchGet"),
            Joint("https://h/api", ":x", "https://h/api/:x"),
            Joint("https://h/api", "localhosts/1", "https://h/api/localhosts/1"),
            Joint("https://h/api", "localhost:x/1", "https://h/api/localhost:x/1"),
            Joint("https://h/api", "localhost", "https://h/api/localhost"),
            Joint("https://h/api", "LOCALHOST:80/x", "https://h/api/LOCALHOST:80/x"),
            Joint("https://h/api", "localhost:6379/x", "https://h/api/localhost:6379/x"),
            Joint("https://h/api", "other:80/x", "https://h/api/other:80/x"),
            Joint("https://h/api", "other.example/x", "https://h/api/other.example/x"),
            Joint("https://h/api", "mailto:a@b", "https://h/api/mailto:a@b"),
            Joint("https://h/api", "user:p@other/", "https://h/api/user:p@other/"),
            Joint("https://h/api", "/:80//other", "https://h/api/:80//other"),
            Joint("https://h/api", "/.//other", "https://h/api/.//other"),
            Joint("https://h/api", "/%2Fother", "https://h/api/%2Fother"),
            Joint("https://h/api", "?://other", "https://h/api?://other"),
            Joint("https://h/api", "...", "https://h/api/..."),
            Joint("https://h/api", "a..b/..c", "https://h/api/a..b/..c"),
            Joint("https://h/api", "a/localhost", "https://h/api/a/localhost"),
            // What is.
            Joint("https://h/api", "http://other/x?y", "http://other/x?y"),
            Joint("https://h/api", "HTTP://other", "HTTP://other"),
            Joint("https://[::1]:8443/api", "x", "https://[::1]:8443/api/x"),
        ])
    func `a base and a route meet in one slash`(joint: Joint) throws {
        let base = try URL(strictly: joint.base)
        #expect(try base.joining(joint.route).absoluteString == joint.url)
        guard !joint.route.isEmpty, !joint.route.hasPrefix(":"),
            !joint.route.hasPrefix("localhost:x")
        else { return }
        let request = try HTTPRequest(.get, joint.route)
        #expect(try request.joined(to: base).url.absoluteString == joint.url)
        #expect(request.url.absoluteString == joint.route)
    }

    @Test(
        .rows("S1-4"),
        arguments: [
            ("https://u:p@h/", "x"), ("/api", "x"), ("mailto:a@b", "x"), ("https://h/", "a b"),
            ("https://h/", "http:x"), ("https://h/", "HTTPS:/x"), ("https://h/", "é"),
            ("https://h/", "\0"), ("https://h/", "%4"), ("https://h/", "//h:x/"),
            ("https://h/", "//a b/"), ("https://h/", "[x]"), ("https://h/", "//other/x"),
            ("https://h/", "//other@h/x"), ("https://h/", "///other"), ("https://h/", "//"),
            ("https://h/", "/\\other"), ("https://h/", "\\\\other"), ("https://h/", "\\/other"),
            ("https://h/", "/\t/other"), ("https://h/", "\n//other"), ("https://h/", " //other"),
            ("https://h/", " http://other"), ("https://h/", "http:/other"),
            ("https://h/", "http:///other\\@h"), ("https://h/", "/\u{301}/other"),
        ])
    func `what cannot be joined is an error`(base: String, route: String) throws {
        let base = try URL(strictly: base)
        let error = #expect(throws: HTTPError.self) { try base.joining(route) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("u:p") == false)
    }

    /// Servers differ in what they decode, and in what they take for a separator.
    @Test(arguments: [
        "..", "../", "../x", "/..", "/../x", "x/../..", "x/../../y", "./../x", "x//../../y",
        "%2e%2e/x", "%2E./x", ".%2e", "x/%2e%2E/..", "..%2Fx", "..%2fx", "%2e%2e%2fx", "..%5Cx",
        "x%2F../../y", "x%5c..%5c..%5cy", "..;/x", "..;a=b/x", "%2e%2e;/x", "..?q", "..#f",
    ])
    func `a route that leads above its base is refused, however it is written`(
        route: String
    ) throws {
        for base in ["https://h/api/v2", "https://h/", "https://h"] {
            let error = #expect(throws: HTTPError.self) {
                try URL(strictly: base).joining(route)
            }
            #expect(error?.code == .invalidRequest && error?.message.contains("above") == true)
        }
        // An absolute URL is the caller's own.
        let whole = "https://o/" + route
        #expect(try URL(strictly: "https://h/").joining(whole).absoluteString == whole)
    }

    @Test func `the error says where the route ends being one`() throws {
        let base = try URL(strictly: "https://h/")
        for route in ["ab c", "/b c"] {
            let error = #expect(throws: HTTPError.self) { try base.joining(route) }
            #expect(error?.message.contains("byte 2:") == true)
        }
    }

    @Test(.rows("S1-4"))
    func `without a base only an absolute route has a URL`() throws {
        func joined(_ route: String) throws -> String {
            try HTTPRequest(.get, route).joined(to: nil).url.absoluteString
        }
        #expect(try joined("http://h/x") == "http://h/x")
        let host = #expect(throws: HTTPError.self) { try joined("//h/x") }
        #expect(host?.message.contains("begins with //") == true)
        for (route, url) in [
            ("localhost:81/x", "http://localhost:81/"), ("localhost", "https://localhost/"),
            ("example.com/x", "https://example.com/"), ("db:5432", "http://db:5432/"),
        ] {
            let error = #expect(throws: HTTPError.self) { try joined(route) }
            #expect(error?.message.contains("write \(url)") == true)
        }
        for route in ["new/joke", "/x", "users:batchGet", "?q"] {
            let error = #expect(throws: HTTPError.self) { try joined(route) }
            #expect(error?.message.contains("relative") == true)
        }
    }

    @Test(.rows("S0-2"))
    func `parameters survive the join and can still change`() throws {
        let request = try HTTPRequest(.get, "x#f").query(["a": true])
            .joined(to: URL(strictly: "https://h/api"))
        #expect(request.url.absoluteString == "https://h/api/x?a=1#f")
        let literal = request.queryEncoding(QueryEncoding(bool: .asLiterals))
        #expect(literal.url.absoluteString == "https://h/api/x?a=true#f")
    }
}

extension URL {
    fileprivate func joining(_ route: String) throws(HTTPError) -> URL {
        try Route(route).joined(to: self)
    }
}
