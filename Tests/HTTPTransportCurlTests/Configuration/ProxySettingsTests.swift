import HTTPCore
import HTTPTransportCurl
import Testing

@Suite struct ProxySettingsTests {
    private static func origin(_ text: String) throws -> HTTPOrigin {
        try HTTPRequest(.get, text).checkedTarget().origin
    }

    @Test(
        arguments: [
            ("proxy.test:3128", "http://proxy.test:3128"), ("proxy.test", "http://proxy.test:80"),
            ("http://proxy.test", "http://proxy.test:80"),
            ("HTTP://PROXY.test/", "http://proxy.test:80"),
            ("https://proxy.test", "https://proxy.test:443"),
            ("https://proxy.test:80", "https://proxy.test:80"),
            ("socks4://proxy.test", "socks4://proxy.test:1080"),
            ("socks4a://proxy.test:9", "socks4a://proxy.test:9"),
            ("socks5://127.0.0.1", "socks5://127.0.0.1:1080"),
            ("socks5h://[::1]:1081", "socks5h://[::1]:1081"), ("[::1]", "http://[::1]:80"),
            ("u:p@proxy.test:1", "http://proxy.test:1"),
            ("socks5://u@p.test", "socks5://p.test:1080"),
        ])
    func `a proxy is read`(text: String, description: String) throws {
        #expect(try ProxyServer(text).description == description)
    }

    @Test(
        arguments: [
            ("http://u:p@h.test", "u", "p"), ("u@h.test", "u", ""), ("u:@h.test", "u", ""),
            ("u%40x:p%3Aq%2F@h.test", "u@x", "p:q/"), ("u:p:q@h.test", "u", "p:q"),
            ("u:p@q@h.test", "u", "p@q"), ("%C3%A9:%E2%82%AC@h.test", "é", "€"),
        ])
    func `credentials are decoded`(text: String, user: String, password: String) throws {
        let expected = ProxyServer.Credentials(user: user, password: password)
        #expect(try ProxyServer(text).credentials == expected)
        #expect(
            !"\(try ProxyServer(text))\(String(reflecting: try ProxyServer(text)))".contains("@"))
    }

    @Test(
        arguments: [
            "", "http://", "ftp://h.test", "socks://h.test", "socks6://h.test", "h.test:0",
            "h.test:65536", "h.test:", "h.test:x", "h.test/path", "h.test?q", "h.test#f",
            "u:s3cret%@h.test", "u:s3cret%0A@h.test", "u:s3cret%00@h.test", "a%3Ab:s3cret@h.test",
            "u:s3cret%FF@h.test", "h test", "http://h.test http://i.test",
            "socks5://u:s3cret\(String(repeating: "x", count: 250))@h.test", "[::1", "::1",
        ])
    func `what is no proxy is refused without its secrets`(text: String) {
        let error = #expect(throws: HTTPError.self) { try ProxyServer(text) }
        #expect(error?.code == .invalidRequest)
        #expect(error.map { "\($0)".contains("s3cret") } == false)
    }

    @Test(
        arguments: [
            (["http_proxy": "a"], "http://a:80", nil),
            (["HTTP_PROXY": "a"], "http://a:80", nil),
            (["http_proxy": "a", "HTTP_PROXY": "b"], "http://a:80", nil),
            (["HTTP_PROXY": "b", "REQUEST_METHOD": "GET"], nil, nil),
            (["http_proxy": "a", "REQUEST_METHOD": "GET"], "http://a:80", nil),
            (["https_proxy": "a"], nil, "http://a:80"),
            (["HTTPS_PROXY": "https://a"], nil, "https://a:443"),
            (["all_proxy": "socks5h://a"], "socks5h://a:1080", "socks5h://a:1080"),
            (["ALL_PROXY": "a", "https_proxy": "b"], "http://a:80", "http://b:80"),
            (["http_proxy": "", "HTTP_PROXY": "b"], "http://b:80", nil),
            (["http_proxy": "", "all_proxy": "b"], "http://b:80", "http://b:80"),
            (
                ["HTTP_PROXY": "x", "REQUEST_METHOD": "GET", "ALL_PROXY": "b"], "http://b:80",
                "http://b:80"
            ),
            ([:], nil, nil), (["no_proxy": "*"], nil, nil),
        ] as [([String: String], String?, String?)])
    func `the environment names proxies`(
        environment: [String: String], http: String?, https: String?
    ) throws {
        let settings = try ProxySettings(environment: environment)
        #expect(settings.http?.description == http)
        #expect(settings.https?.description == https)
        #expect(
            settings.server(for: try Self.origin("http://x.test/"))?.description
                == (environment["no_proxy"] == "*" ? nil : http))
    }

    @Test(
        arguments: [
            ("http_proxy", ["http_proxy": "ftp://s3cret"]),
            ("HTTPS_PROXY", ["HTTPS_PROXY": "s3cret:99999"]),
            ("ALL_PROXY", ["ALL_PROXY": "u:s3cret%@h"]),
        ] as [(String, [String: String])])
    func `a variable that cannot be used is named, without its value`(
        name: String, environment: [String: String]
    ) {
        let error = #expect(throws: HTTPError.self) { try ProxySettings(environment: environment) }
        #expect(error?.message.hasPrefix(name) == true)
        #expect(error?.message.contains("s3cret") == false)
    }

    @Test(
        arguments: [
            ("", "http://a.test/", false), ("*", "http://a.test/", true),
            ("*", "http://[::1]:8080/", true),
            ("a.test", "http://a.test/", true), ("A.TEST", "http://a.test/", true),
            ("a.test.", "http://a.test/", true), ("a.test", "http://a.test./", true),
            ("a.test", "http://b.a.test/", true), ("a.test", "http://ba.test/", false),
            ("a.test", "http://a.test.evil/", false), ("a.test", "http://test/", false),
            (".a.test", "http://a.test/", true), (".a.test", "http://b.a.test/", true),
            (".a.test", "http://ba.test/", false),
            ("*.a.test", "http://a.test/", false), ("*.a.test", "http://b.a.test/", true),
            ("*.a.test", "http://c.b.a.test/", true),
            ("a.test:80", "http://a.test/", true), ("a.test:80", "https://a.test/", false),
            ("a.test:443", "https://a.test/", true), ("a.test:8080", "http://a.test:8080/", true),
            (".a.test:8080", "http://b.a.test:8080/", true),
            ("*:8080", "http://a.test:8080/", true), ("*:8080", "http://a.test/", false),
            ("localhost", "http://localhost:1234/", true),
            ("192.0.2.1", "http://192.0.2.1/", true), ("192.0.2.1", "http://192.0.2.11/", false),
            ("192.0.2.1:81", "http://192.0.2.1/", false),
            ("192.0.2.1:80", "http://192.0.2.1/", true),
            ("10.0.0.0/8", "http://10.1.2.3/", true), ("10.0.0.0/8", "http://11.1.2.3/", false),
            ("10.0.0.0/8", "http://x10.test/", false),
            ("::1", "http://[::1]/", true), ("[::1]", "http://[::1]/", true),
            ("[::1]:8080", "http://[::1]:8080/", true), ("[::1]:8080", "http://[::1]/", false),
            ("0:0:0:0:0:0:0:1", "http://[::1]/", true),
            ("fd00::/8", "http://[fd12::1]/", true), ("fd00::/8", "http://[fe80::1]/", false),
            ("x.test,a.test", "http://a.test/", true), ("x.test a.test", "http://a.test/", true),
            (" x.test ,, a.test\t", "http://a.test/", true), (",", "http://a.test/", false),
            // Of real machines.
            ("x.test,a.test\r", "http://a.test/", true),
            ("x.test\r\na.test\r\n", "http://a.test/", true),
            ("localhost;127.0.0.1;a.test", "http://a.test/", true),
            ("192.168.*", "http://192.168.7.9/", true), ("192.168.*", "http://192.169.0.1/", false),
            ("192.168.*.*", "http://192.168.7.9/", true), ("10.*", "http://10.1.2.3/", true),
            ("192.168.1.*", "http://192.168.1.254/", true),
            ("192.168.1.*", "http://192.168.2.1/", false),
            ("192.168.*", "http://192.168.a.test/", false),
            ("192.168.*:81", "http://192.168.7.9:81/", true),
            ("192.168.*:81", "http://192.168.7.9/", false),
            ("169.254/16", "http://169.254.169.254/", true),
            ("169.254/16", "http://169.253.0.1/", false),
            ("10/8", "http://10.1.2.3/", true), ("172.16/12", "http://172.31.0.1/", true),
            ("172.16/12", "http://172.32.0.1/", false), ("127.0.0.1/8", "http://127.9.9.9/", true),
            ("fd00::1/8", "http://[fd12::1]/", true),
            ("<local>", "http://intranet/", true), ("<LOCAL>", "http://localhost:9/", true),
            ("<local>", "http://a.test/", false), ("<local>", "http://192.168.0.1/", false),
            ("<local>", "http://[::1]/", false), ("<local>:81", "http://intranet/", false),
            ("*a.test", "http://a.test/", true), ("*a.test", "http://ba.test/", true),
            ("*a.test", "http://b.a.test/", true), ("*a.test", "http://a.test.evil/", false),
            ("*example", "http://x.example/", true), ("*example:80", "http://myexample/", true),
            ("bücher.test", "http://xn--bcher-kva.test/", true),
            (".bücher.test", "http://a.xn--bcher-kva.test/", true),
            ("*.BÜCHER.test", "http://a.xn--bcher-kva.test/", true),
            ("bücher.test:81", "http://xn--bcher-kva.test/", false),
            ("xn--bcher-kva.test", "http://xn--bcher-kva.test/", true),
        ])
    func `exceptions cover what their entries say`(list: String, url: String, isCovered: Bool)
        throws
    {
        #expect(try #require(ProxyExceptions(list)).cover(try Self.origin(url)) == isCovered)
    }

    @Test(
        arguments: [
            "10.0.0.0/33", "fd00::/129", "10.0.0.0/", "10.0/x", "10.0.0/99", "1.2.3.4.*", "*.*",
            "*.",
            "192.*.1", "256.*", "<-loopback>", "<local", "*bücher.test", "a.test:0", "a.test:99999",
            "a.test:x", "http://a.test",
            "a..test", "a*.test", "**", "a/b", "[::1", "a.test,?", "127.1", "0x7f.1",
            "0.2.1",
        ])
    func `an entry that means nothing is not ignored`(list: String) {
        #expect(ProxyExceptions(list) == nil)
    }

    @Test(
        arguments: [
            ("no_proxy", "a.test,s3cret:99999,b.test", [2]),
            ("NO_PROXY", "10.0.0.0/99 , a.test", [1]),
            ("no_proxy", "a.test,http://s3cret/,,*,?", [2, 4]),
            ("no_proxy", "a.test\r", []), ("no_proxy", "", []), ("NO_PROXY", " , ", []),
        ] as [(String, String, [Int])])
    func `entries of the environment that mean nothing are reported and ignored`(
        name: String, list: String, ignored: [Int]
    ) throws {
        var reports: [String] = []
        let settings = try ProxySettings(
            environment: ["http_proxy": "p.test", name: list],
            reportingIgnored: { reports.append($0) })
        #expect(reports.count == (ignored.isEmpty ? 0 : 1))
        for report in reports {
            #expect(report.contains(name) && !report.contains("s3cret"))
            #expect(report.hasSuffix(ignored.map { "\($0)" }.joined(separator: ", ")))
        }
        let isCovered = list.contains("a.test")
        #expect((settings.server(for: try Self.origin("http://a.test/")) == nil) == isCovered)
    }

    @Test func `a long list of entries that mean nothing makes a short report`() throws {
        var reports: [String] = []
        _ = try ProxySettings(
            environment: ["no_proxy": String(repeating: "?,", count: 10_000)],
            reportingIgnored: { reports.append($0) })
        #expect(reports.count == 1 && reports.allSatisfy { $0.utf8.count < 300 })
        #expect(reports.first?.hasPrefix("10000 of") == true)
    }
}
