import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPRequestQueryTests {
    private func request(_ url: String = "https://h/p") throws -> HTTPRequest {
        try HTTPRequest(.post, url)
    }

    // MARK: Sets and additions

    @Test(
        .rows("S1-15"),
        arguments: [
            ("https://h/p", "https://h/p?a=1&b=x%20y"),
            ("https://h", "https://h?a=1&b=x%20y"),
            ("https://h/p?", "https://h/p?a=1&b=x%20y"),
            ("https://h/p?z=0", "https://h/p?z=0&a=1&b=x%20y"),
            ("https://h/p?z=0&", "https://h/p?z=0&a=1&b=x%20y"),
            ("https://h/p?z=%20%41", "https://h/p?z=%20%41&a=1&b=x%20y"),
            ("https://h/p#f?x", "https://h/p?a=1&b=x%20y#f?x"),
            ("https://h/p?z#f", "https://h/p?z&a=1&b=x%20y#f"),
            ("p?a=1&b=x%20y", "p?a=1&b=x%20y&a=1&b=x%20y"),
        ])
    func `parameters follow the query that is there`(url: String, expected: String) throws {
        let request = try request(url)
        let changed = request.query(["b": "x y", "a": 1])
        #expect(changed.url.absoluteString == expected)
        #expect(request.url.absoluteString == url)
        #expect(changed.method == .post && changed.body.isEmpty && changed.id == request.id)
        #expect(changed.query(["b": "x y", "a": 1]).url.absoluteString == expected)
        #expect(request.query([:]).url.absoluteString == url)
        let emptied = changed.query([:]).url.absoluteString
        #expect(emptied == (url == "https://h/p?" ? "https://h/p" : url))
    }

    @Test(.rows("S1-15"))
    func `the golden query of a request`() throws {
        let date = Date(timeIntervalSince1970: 1_628_862_942)
        let changed = try request().query([
            "type": "poi", "max": 5, "date": date, "disabled": false,
        ])
        #expect(
            changed.url.absoluteString
                == "https://h/p?date=2021-08-13%2013%3A55%3A42%20%2B0000&disabled=0&max=5&type=poi")
        #expect(try changed.checkedTarget().originForm.hasSuffix("type=poi"))
    }

    @Test(.rows("S1-15"))
    func `a set replaces, an addition adds`() throws {
        let request = try request("https://h/p?z=0").query(["a": 1, "b": 2])
        #expect(request.query(["c": 3]).url.query() == "z=0&c=3")
        #expect(request.query("b", 9).query("0", true).url.query() == "z=0&0=1&a=1&b=9")
        #expect(request.query("a", nil).url.query() == "z=0&b=2")
        #expect(request.query("a", nil).query("b", nil).url.query() == "z=0")
        #expect(request.addingQuery("a", 5).addingQuery("a", nil).url.query() == "z=0&a=1&b=2&a=5")
        #expect(request.addingQuery(["y": 1, "x": [1]]).url.query() == "z=0&a=1&b=2&x%5B%5D=1&y=1")
        #expect(request.addingQuery("d", 1).query(["c": 3]).url.query() == "z=0&c=3")
        #expect(request.addingQuery("d", 1).query("c", 3).url.query() == "z=0&a=1&b=2&c=3&d=1")
        let items = [
            URLQueryItem(name: "k y", value: "%20"), URLQueryItem(name: "flag", value: nil),
            URLQueryItem(name: "b", value: ""),
        ]
        #expect(
            request.addingQuery(items: items).url.absoluteString
                == "https://h/p?z=0&a=1&b=2&k%20y=%2520&flag&b=")
        #expect(request.url.query() == "z=0&a=1&b=2")
    }

    private struct Page: Encodable {
        var size = 10
        var sorted = true
    }

    @Test(.rows("S1-15"))
    func `properties are parameters`() throws {
        let request = try request().query(["old": 1]).query(propertiesOf: Page())
        #expect(request.url.query() == "size=10&sorted=1")
        #expect(throws: HTTPError.self) { try request.query(propertiesOf: 3) }
    }

    // MARK: Styles

    @Test(.rows("S1-18"))
    func `it does not matter when the encoding is chosen`() throws {
        let parameters: [String: Any?] = [
            "a": [1, 2], "b": true, "d": Date(timeIntervalSince1970: 0),
        ]
        let style = QueryEncoding(array: .noBrackets, bool: .asLiterals)
        let first = try request("https://h/p?z=0").queryEncoding(style)
            .query(parameters).addingQuery("c", false)
        let last = try request("https://h/p?z=0").query(parameters).addingQuery("c", false)
            .queryEncoding(style)
        let date = "d=1970-01-01%2000%3A00%3A00%20%2B0000"
        #expect(first.url.absoluteString == "https://h/p?z=0&a=1&a=2&b=true&\(date)&c=false")
        #expect(last.url == first.url)
        let encoding = QueryEncoding(array: .noBrackets, date: .secondsSince1970)
        #expect(last.queryEncoding(encoding).url.query() == "z=0&a=1&a=2&b=1&d=0&c=0")
        #expect(first.query(["b": false]).url.query() == "z=0&b=false")
    }

    // MARK: Escaping

    @Test(.rows("S1-17"))
    func `nothing is encoded twice`() throws {
        var request = try request("https://h/p?z=a%20b")
        for index in 0..<5 { request = request.addingQuery("k\(index)", "ü %") }
        let once = (0..<5).map { "k\($0)=%C3%BC%20%25" }.joined(separator: "&")
        #expect(request.url.absoluteString == "https://h/p?z=a%20b&" + once)
    }

    // MARK: Other URLs

    @Test(.rows("S1-15"))
    func `another URL takes the parameters along only through the methods`() throws {
        let request = try request().query(["a": 1])
        #expect(try request.route("new?x=1#f").url.absoluteString == "new?x=1&a=1#f")
        #expect(try request.route("new").query(["b": 2]).url.absoluteString == "new?b=2")
        #expect(
            try request.with(path: "/q").query(["b": 2]).url.absoluteString == "https://h/q?b=2")
        #expect(try request.with(path: "https://o/q").url.absoluteString == "https://o/q?a=1")
        #expect(try request.with(query: "c").addingQuery("d", 1).url.query() == "c&d=1")
        var redirected = request
        redirected.url = try URL(strictly: "https://other/?ba=1")
        #expect(redirected.addingQuery("t", 1).url.absoluteString == "https://other/?ba=1&t=1")
        #expect(try redirected.route("x").url.absoluteString == "x")
    }

    // MARK: Bad input

    @Test func `the parameters are no text of a log`() throws {
        let request = try request().query(["token": "secret"])
        #expect(!"\(request)".contains("secret"))
        #expect(!"\(request.options)".contains("secret"))
        #expect(!String(reflecting: request.options).contains("secret"))
    }

    @Test func `NUL and enormous values stay one pair`() throws {
        let request = try request()
        #expect(request.query(["a": "\0&=#"]).url.query(percentEncoded: true) == "a=%00%26%3D%23")
        let long = String(repeating: "x", count: 1_000_000)
        #expect(request.query(["a": long]).url.absoluteString.utf8.count == 1_000_000 + 13 + 1)
    }
}
