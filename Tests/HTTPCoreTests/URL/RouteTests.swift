import HTTPCore
import HTTPFormats
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
            Joint("https://h/api/v2", "../x/./y", "https://h/api/v2/../x/./y"),
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
            Joint("https://h/api", "a/localhost", "https://h/api/a/localhost"),
            // What is.
            Joint("https://h/api", "http://other/x?y", "http://other/x?y"),
            Joint("https://h/api", "HTTP://other", "HTTP://other"),
            Joint("https://h/api", "//other/x", "https://other/x"),
            Joint("http://h/api", "//other:81/x", "http://other:81/x"),
            Joint("http://h/api", "localhost:8080/x", "http://localhost:8080/x"),
            Joint("https://h/api", "localhost", "https://localhost"),
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
            ("https://h/", "//a b/"), ("https://h/", "[x]"),
        ])
    func `what cannot be joined is an error`(base: String, route: String) throws {
        let base = try URL(strictly: base)
        let error = #expect(throws: HTTPError.self) { try base.joining(route) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("u:p") == false)
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
        #expect(try joined("//h/x") == "https://h/x")
        #expect(try joined("localhost:81/x") == "http://localhost:81/x")
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
