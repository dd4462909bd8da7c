import HTTPCore
import HTTPFormats

/// Cases about connections: kept as long as they are usable, as seen by the server.
enum ConnectionCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = kept + given + unsolicited + many

    private static let kept = [
        Case(.connections, "a hundred requests one after the other share a connection") {
            exam, server in
            for number in 0..<100 {
                let text = try await exam.get(server, "/\(number)").text()
                try exam.expect(text, is: "fine", "response \(number)")
            }
            try exam.expect(server.connections.accepted, is: 1, "connections")
            let targets = server.log.compactMap { $0.request?.target }
            try exam.expect(targets, is: (0..<100).map { "/\($0)" }, "the targets")
        },
        Case(.connections, "a connection is kept after an error status") { exam, server in
            for status in [404, 500, 200] {
                server.enqueue(.status(status, "why"))
                _ = try await exam.get(server).data()
            }
            try exam.expect(server.connections.accepted, is: 1, "connections")
        },
        Case(.connections, "a connection is kept after an upload") { exam, server in
            for _ in 0..<3 {
                let body = HTTPBody.pattern(200_000)
                _ = try await exam.send(.put, to: server, body: body).data()
            }
            try exam.expect(server.connections.accepted, is: 1, "connections")
        },
    ]

    /// Responses without a request: a second response, and a load balancer's `408`.
    private static let unsolicited = [
        ("a second response", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"),
        (
            "a 408 on an idle connection",
            "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        ),
    ].map { name, bytes in
        Case(.connections, "\(name) is never the answer to the next request") { exam in
            for method in [HTTPMethod.get, .post] {
                let (isIdle, isSent) = (LoopbackGate(), LoopbackGate())
                let server = try LoopbackServer(scripts: [
                    [
                        .awaitHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"),
                        .pause(until: isIdle), .send(bytes), .pause(until: isSent), .stall,
                    ],
                    [.awaitHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright")],
                ])
                defer { server.stop() }
                let first = try await exam.get(server).text()
                try exam.expect(first, is: "first", "the first response")
                try await isIdle.reached()
                isIdle.open()
                try await isSent.reached()
                isSent.open()
                let body: HTTPBody = method == .post ? HTTPBody("x") : .empty
                let second = try await exam.send(method, to: server, body: body).text()
                try exam.expect(second, is: "right", "the response to \(method)")
            }
        }
    }

    private static let given = [
        notKept(
            "a connection that the server wants closed is not used again",
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"),
        notKept(
            "a connection of HTTP/1.0 is not used again",
            "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        Case(.connections, "a kept connection that the server has closed is replaced") {
            exam, server in
            for _ in 0..<5 {
                server.enqueue([.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .close])
                try exam.expect(try await exam.get(server).text(), is: "ok", "the body")
                try await server.waitUntil { $0.connections.open == 0 }
                try await exam.expectFine(server)
            }
        },
        Case(.connections, "a POST whose kept connection ends is not sent again") { exam, server in
            try await exam.expectFine(server)
            server.enqueue([.close])
            do {
                _ = try await exam.send(.post, to: server, "/post", body: HTTPBody("x")).data()
                throw ConformanceExam.Finding(reason: "the POST was answered")
            } catch let error as HTTPError {
                try exam.expect(error.code, is: .connectionLost, "the error's code")
            }
            try await exam.expectFine(server)
            let posts = server.log.filter {
                $0.request?.path == "/post" && $0.isRequestComplete
            }
            try exam.expect(posts.count, is: 1, "complete POST requests")
        },
    ]

    private static func notKept(_ name: String, _ answer: String) -> Case {
        Case(.connections, name) { exam, server in
            server.enqueue([.send(answer)])
            try exam.expect(try await exam.get(server).text(), is: "ok", "the body")
            try await exam.expectFine(server)
            try exam.expect(server.connections.accepted, is: 2, "connections")
        }
    }

    private static let many = [
        Case(.connections, "a request that waits holds up no other") { exam, server in
            let gate = LoopbackGate()
            server.enqueue([.pause(until: gate), .respond(.ok("late"))])
            let late = Task { try await exam.get(server, "/late").text() }
            try await gate.reached()
            try await exam.expectFine(server)
            gate.open()
            try exam.expect(try await late.value, is: "late", "the late response")
        },
        Case(.connections, "two hundred requests at once get their own answers") { exam in
            try await exam.serve(by: {
                LoopbackResponse.ok("\($0.target) \($0["X-Number"] ?? "")").script(answering: $0)
            }) { server in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<200 {
                        group.addTask {
                            let headers: HTTPHeaders = ["X-Number": "\(number)"]
                            let text = try await exam.send(
                                .get, to: server, "/\(number)", headers: headers
                            ).text()
                            try exam.expect(text, is: "/\(number) \(number)", "response \(number)")
                        }
                    }
                    try await group.waitForAll()
                }
                try exam.expect(server.snapshot.requestCount, is: 200, "requests")
            }
        },
        Case(.connections, "two servers at once get their own requests") { exam in
            try await exam.serve { first in
                try await exam.serve { second in
                    for _ in 0..<3 {
                        async let one = exam.get(first, "/one").text()
                        async let two = exam.get(second, "/two").text()
                        _ = try await (one, two)
                    }
                    let targets = [first, second].map { server in
                        Set(server.log.compactMap { $0.request?.target })
                    }
                    try exam.expect(targets, is: [["/one"], ["/two"]], "the targets")
                }
            }
        },
    ]
}
