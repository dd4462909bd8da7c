import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPRouteTests {
    /// Values that would leave a segment, and the text that keeps them in it.
    static let values = [
        ("7", "7"), ("a b", "a%20b"), ("/", "%2F"), ("/other/x", "%2Fother%2Fx"), ("a/b", "a%2Fb"),
        ("//169.254.169.254/latest", "%2F%2F169.254.169.254%2Flatest"), ("\\other", "%5Cother"),
        ("?q=1", "%3Fq%3D1"), ("#f", "%23f"), ("a&b=c", "a%26b%3Dc"), ("%2e%2e", "%252e%252e"),
        ("%2F", "%252F"), ("localhost:6379", "localhost%3A6379"), ("user@host", "user%40host"),
        ("x\0y", "x%00y"), ("x\r\ny", "x%0D%0Ay"), ("é", "%C3%A9"), ("...", "..."),
        ("a..b", "a..b"), (";v=1", "%3Bv%3D1"), ("{id}", "%7Bid%7D"), ("\u{301}", "%CC%81"),
    ]

    private func url(_ route: HTTPRoute) throws -> String {
        try HTTPRequest(route).url.absoluteString
    }

    @Test(arguments: values)
    func `a value is a part of its segment, wherever the segment is`(
        value: String, encoded: String
    ) throws {
        #expect(try url("users/\(value)/posts") == "users/\(encoded)/posts")
        #expect(try url("/\(value)") == "/\(encoded)")
        #expect(try url("\(value)/x") == "\(encoded)/x")
        #expect(try url("x-\(value).json") == "x-\(encoded).json")
        #expect(try url("https://h/\(value)#f") == "https://h/\(encoded)#f")
        #expect(try url("x?q=\(value)&r=1") == "x?q=\(encoded)&r=1")
        #expect(try url("?\(value)") == "?\(encoded)")
        #expect(try url("x#\(value)") == "x#\(encoded)")
        let base = try URL(strictly: "https://h/api")
        for route in ["/\(value)", "\(value)", "\(value)//x", "\(value)\(value)"] as [HTTPRoute] {
            let request = try HTTPRequest(.delete, route)
            let joined = try request.joined(to: base).url
            #expect(try HTTPOrigin(joined) == HTTPOrigin(base))
            #expect(joined.absoluteString.hasPrefix("https://h/api/\(encoded)"))
        }
    }

    @Test(arguments: [
        "", ".", "..", "../x", "x/..", "x/../y", "..\\x", "x\\..", "./x", "/..", "..;x", ".;",
    ])
    func `a value that makes an empty or a dot segment is refused`(value: String) throws {
        let routes: [HTTPRoute] = [
            "users/\(value)", "users/\(value)/posts", "/\(value)", "\(value)", "\(value)/x",
            "https://h/\(value)", "https://h/a/\(value)?q", "users/\(value)#f",
        ]
        for route in routes {
            let error = #expect(throws: HTTPError.self) { try HTTPRequest(.delete, route) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("variable") == true)
            #expect(throws: HTTPError.self) { try route.httpRequest }
            #expect(throws: HTTPError.self) { try HTTPRequest(.get, "/").route(route) }
        }
    }

    @Test func `values and text make a dot segment together, and are refused`() {
        let (dot, empty) = (".", "")
        let routes: [HTTPRoute] = [
            "a/.\(dot)", "a/\(dot).", "a/\(dot)\(dot)/b", "a/%2e\(dot)", "a/.\(empty)./b",
            "a/.\(empty)", "a/\(empty)\(empty)/b",
        ]
        for route in routes { #expect(throws: HTTPError.self) { try HTTPRequest(route) } }
    }

    @Test func `a value may be empty where it is not the whole segment`() throws {
        let empty = ""
        #expect(try url("users\(empty)/7") == "users/7")
        #expect(try url("users/7\(empty)") == "users/7")
        #expect(try url("users/?q=\(empty)") == "users/?q=")
        #expect(try url("users/#\(empty)") == "users/#")
    }

    @Test func `a value in the host is the host or a part of it, and nothing behind it`() throws {
        let port = 8080
        #expect(try url("http://127.0.0.1:\(port)/x") == "http://127.0.0.1:8080/x")
        for host in ["h", "h:81", "[::1]", "[::1]:81", "a.b.example"] {
            #expect(try url("http://\(host)/x") == "http://\(host)/x")
        }
        let scheme = "https"
        #expect(try url("\(scheme)://h/x") == "https://h/x")
        for value in [
            "evil.example/", "evil.example?", "evil.example#", "evil.example\\", "u@h", "",
        ] {
            let request = try? HTTPRequest("https://\(value).example.com/x")
            #expect(throws: HTTPError.self) { try HTTPOrigin(try #require(request).url) }
        }
    }

    @Test func `a URL or an origin at the beginning is not encoded`() throws {
        let base = try URL(strictly: "https://h:81/api")
        #expect(try url("\(base)/x") == "https://h:81/api/x")
        #expect(try url("\(HTTPOrigin(base))/x") == "https://h:81/x")
        #expect(try url("proxy/\(base)") == "proxy/https%3A%2F%2Fh%3A81%2Fapi")
        let relative = try #require(URL(string: "b", relativeTo: base))
        #expect(try url("\(relative)/x") == "https://h:81/b/x")
    }

    @Test func `text that begins with a URL is refused, unless it is said to be one`() throws {
        let text = "https://other/api"
        let error = #expect(throws: HTTPError.self) { try HTTPRequest("\(text)/x") }
        #expect(error?.message.contains("unescaped") == true)
        #expect(error?.message.contains("other") == false)
        #expect(try url("\(unescaped: text)/x") == "https://other/api/x")
        let path = "a/b?c"
        #expect(try url("/\(unescaped: path)&d=\(path)") == "/a/b?c&d=a%2Fb%3Fc")
    }

    @Test func `a literal is a route, and a string is taken as it is`() throws {
        let value = "a/b"
        let text = "x/\(value)"
        #expect(try HTTPRequest(text).url.absoluteString == "x/a/b")
        #expect(try HTTPRequest(.get, text).url.absoluteString == "x/a/b")
        #expect(try HTTPRequest("x/\(value)").url.absoluteString == "x/a%2Fb")
        #expect(try HTTPRequest(.get, "x/\(value)").url.absoluteString == "x/a%2Fb")
        #expect(try HTTPRequest(.get, "x/" + value).url.absoluteString == "x/a/b")
        #expect(try HTTPRequest(.get, "x/\(value)") { _ in }.url.absoluteString == "x/a%2Fb")
        #expect(try HTTPRequest(.get, text) { _ in }.url.absoluteString == "x/a/b")
        #expect(try HTTPRequest(.get, "").url.absoluteString == "#")
        #expect(try url("a/\(1)/\(true)/\(2.5)/\("s"[...])") == "a/1/true/2.5/s")
    }

    @Test func `a description shows no query`() {
        let secret = "s3cret"
        for route in ["x?key=\(secret)", "x#\(secret)", "?\(secret)"] as [HTTPRoute] {
            var dumped = ""
            dump(route, to: &dumped)
            for text in ["\(route)", route.debugDescription, dumped] {
                #expect(!text.contains(secret))
            }
        }
        #expect("\("users/\(7)?a" as HTTPRoute)" == "users/7…")
    }
}
