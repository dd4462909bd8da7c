import HTTPCore
import HTTPFormats
import PortableFoundation

/// Cases about the target of a request: the URL, byte by byte.
enum TargetCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] =
        [
            kept("percent-encoding is kept, byte by byte", "/a%2Fb%7e%E4%c3%A4?x=%41&y=a+b%20c"),
            kept("a query is kept as it is", "/?a=1&a=2&&b==c&d=/?:@!$'()*,;e"),
            kept("an empty query is kept", "/a?"),
            kept("empty path segments are kept", "/a//b///c/"),
            kept("reserved characters in a path are kept", "/a;b=c,d:@!$&'()*+"),
            kept("dot segments are kept", "/a/./b/../c"),
            kept(
                "a target of 8 KiB is sent whole",
                "/" + String(repeating: "abcdefgh", count: 1024)),
            sent("an empty path is a slash", "", as: "/"),
            sent("a query without a path follows a slash", "?a=1", as: "/?a=1"),
            sent("a fragment is not sent", "/a?b#c?d", as: "/a?b"),
            refused("a relative URL is refused", "/relative"),
            refused("a URL with a password in it is refused", "http://user:password@127.0.0.1/"),
            refused("a URL of another scheme is refused", "ftp://127.0.0.1/"),
            refused("a URL without a host is refused", "http:///path"),
        ] + addresses

    private static let addresses = [
        Case(.target, "an IPv6 address is a host") { exam in
            var options = LoopbackOptions()
            options.host = "::1"
            let probe = try? LoopbackServer(options)
            guard probe != nil else {
                throw ConformanceExam.Unavailable(reason: "no IPv6 on the loopback interface")
            }
            try await exam.serve(options) { server in
                let text = try await exam.get(server).text()
                try exam.expect(text, is: "fine", "the response")
                let seen = try await server.nextRequest()
                try exam.expect(seen["Host"], is: "[::1]:\(server.port)", "Host")
            }
        },
        Case(.target, "the response says which URL has answered") { exam, server in
            let response = try await exam.get(server, "/a?b=1")
            try exam.expect(
                response.url.absoluteString, is: server.url("/a?b=1"), "the response's URL")
        },
    ]

    private static func kept(_ name: String, _ target: String) -> Case {
        sent(name, target, as: target)
    }

    private static func sent(_ name: String, _ target: String, as expected: String) -> Case {
        Case(.target, name) { exam in
            let seen = try await exam.received(.get, target)
            try exam.expect(seen.target, is: expected, "the target")
        }
    }

    private static func refused(_ name: String, _ url: String) -> Case {
        Case(.target, name) { exam in
            try await exam.expectError(.invalidRequest) {
                _ = try await exam.session.response(for: try HTTPRequest(.get, url))
            }
        }
    }
}
