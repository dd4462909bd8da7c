import HTTPCore
import HTTPFormats

/// Cases about one exchange per request: nothing is followed, stored, answered or sent again.
enum RestraintCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = redirects + once + memory

    private static let redirects =
        [301, 302, 303, 307, 308].map { status in
            Case.answer(
                .restraint, "a redirect by \(status) is an answer, with its body",
                to: [
                    .send("HTTP/1.1 \(status) x\r\nLocation: /elsewhere\r\n"),
                    .send("Content-Length: 5\r\n\r\nmoved"),
                ]
            ) { exam, response, bytes in
                try exam.expect(response.status.code, is: status, "the status")
                try exam.expect(response.headers[.location], is: "/elsewhere", "Location")
                try exam.expect(String(decoding: bytes, as: UTF8.self), is: "moved", "the body")
            }
        } + [
            Case(.restraint, "a redirect is not followed") { exam, server in
                server.enqueue(.redirect(to: "/elsewhere"))
                _ = try await exam.get(server).data()
                try await exam.expectFine(server)
                let asked = server.log.compactMap { $0.request?.path }
                try exam.expect(asked, is: ["/", "/fine"], "the paths received")
            },
            Case(.restraint, "a redirect to itself is answered once") { exam in
                try await exam.serve(by: {
                    LoopbackResponse.redirect(to: $0.target).script(answering: $0)
                }) { server in
                    let response = try await exam.get(server, "/round")
                    try exam.expect(response.status.code, is: 302, "the status")
                    _ = try await response.data()
                    try exam.expect(server.snapshot.requestCount, is: 1, "requests")
                }
            },
            Case.answer(
                .restraint, "a redirect without a Location keeps its body",
                to: [.send("HTTP/1.1 302 x\r\nContent-Length: 5\r\n\r\nmoved")]
            ) { exam, response, bytes in
                try exam.expect(response.status.code, is: 302, "the status")
                try exam.expect(String(decoding: bytes, as: UTF8.self), is: "moved", "the body")
            },
            Case(.restraint, "the head of a redirect comes before its body") { exam, server in
                let gate = LoopbackGate()
                server.enqueue([
                    .send("HTTP/1.1 302 x\r\nLocation: /x\r\nContent-Length: 5\r\n\r\n"),
                    .pause(until: gate), .send("moved"),
                ])
                let response = try await exam.get(server)
                gate.open()
                try exam.expect(try await response.text(), is: "moved", "the body")
            },
        ]

    private static let once = [
        ("Basic", 401, "WWW-Authenticate: Basic realm=\"x\""),
        ("Digest", 401, "WWW-Authenticate: Digest realm=\"x\", nonce=\"y\", qop=\"auth\""),
        ("a proxy", 407, "Proxy-Authenticate: Basic realm=\"x\""),
        ("no scheme", 401, "X-Own: 1"),
        ("a timeout", 408, "Connection: keep-alive"),
        ("too early", 425, "Retry-After: 0"),
        ("too many", 429, "Retry-After: 0"),
        ("overload", 503, "Retry-After: 0"),
        ("misdirection", 421, "X-Own: 1"),
    ].map { what, status, field in
        Case(.restraint, "\(status) for \(what) is answered once, with its body") { exam in
            try await exam.serve(by: { _ in
                [.send("HTTP/1.1 \(status) x\r\n\(field)\r\nContent-Length: 4\r\n\r\nbody")]
            }) { server in
                let response = try await exam.get(server)
                try exam.expect(response.status.code, is: status, "the status")
                try exam.expect(try await response.text(), is: "body", "the body")
                let name = field.prefix { $0 != ":" }
                let value = field.drop { $0 != ":" }.dropFirst(2)
                if name != "Connection" {
                    try exam.expect(
                        response.headers[HTTPHeaderName(String(name))], is: String(value),
                        String(name))
                }
                // A second request, so that a late resend of the first would be seen.
                _ = try await exam.get(server, "/second").data()
                let asked = server.log.compactMap { $0.request?.path }
                try exam.expect(asked, is: ["/", "/second"], "the paths received")
            }
        }
    }

    private static let memory = [
        forgotten("cookies are not kept", "Set-Cookie: a=1; Path=/", ["Cookie"]),
        forgotten(
            "nothing is answered from a cache",
            "Cache-Control: max-age=1000\r\nETag: \"1\"\r\n"
                + "Last-Modified: Tue, 15 Nov 1994 08:12:31 GMT",
            ["If-None-Match", "If-Modified-Since"]),
        forgotten(
            "Strict-Transport-Security and Alt-Svc change nothing",
            "Strict-Transport-Security: max-age=1000\r\nAlt-Svc: h2=\":1\"; ma=1000", ["Alt-Used"]),
        forgotten("no page is named as the one before", "Refresh: 0; url=/x", ["Referer"]),
    ]

    private static func forgotten(_ name: String, _ fields: String, _ echoes: [String]) -> Case {
        Case(.restraint, name) { exam in
            try await exam.serve(by: { _ in
                [.send("HTTP/1.1 200 OK\r\n\(fields)\r\nContent-Length: 4\r\n\r\nbody")]
            }) { server in
                for _ in 0..<3 {
                    try exam.expect(try await exam.get(server).text(), is: "body", "the body")
                }
                try exam.expect(server.log.count, is: 3, "requests")
                for exchange in server.log {
                    for echo in echoes {
                        try exam.expect(exchange.request?[echo], is: nil, echo)
                    }
                }
            }
        }
    }
}
