import HTTPCore
import HTTPFormats

/// Cases about connections that fail, at each possible point: the same fault has the same code.
enum FaultCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] =
        connecting + lostBeforeTheHead + cutInTheBody + otherFaults

    private static let connecting = [
        Case(.faults, "a refused connection is told as such, at once") { exam in
            let port = try RefusingPort()
            let error = try await exam.expectError(.cannotConnect) {
                _ = try await exam.session.response(for: port.url)
            }
            try exam.expect(error.phase, is: .connecting, "the phase")
            try exam.expect(!error.mayHaveReachedServer, "mayHaveReachedServer is true")
            try exam.expect(error.isRetryable, "isRetryable is false")
        },
        Case(.faults, "an address that cannot be reached is told as such, at once") { exam in
            // The system has no TCP route to this address on any network: no packet leaves.
            for method in [HTTPMethod.get, .post] {
                let error = try await exam.expectError(.cannotConnect) {
                    let body: HTTPBody = method == .post ? HTTPBody("x") : .empty
                    let request = try HTTPRequest(method, "http://255.255.255.255/", body: body)
                    _ = try await exam.session.response(for: request)
                }
                try exam.expect(error.phase, is: .connecting, "the phase")
                try exam.expect(!error.mayHaveReachedServer, "mayHaveReachedServer is true")
                try exam.expect(error.isRetryable, "isRetryable is false")
            }
        },
        Case(.faults, "a connection that is reset as soon as it is made is no failure of ours") {
            exam in
            let server = try LoopbackServer(scripts: (0..<20).map { _ in [.reset] })
            defer { server.stop() }
            for _ in 0..<20 {
                let error = try await exam.expectError([.cannotConnect, .connectionLost]) {
                    // The reset arrives before or after the client sees the connection.
                    _ = try await exam.session.response(for: server.url)
                }
                try exam.expect(error.isRetryable, "isRetryable is false")
                try exam.expect(
                    error.mayHaveReachedServer, is: error.code == .connectionLost,
                    "mayHaveReachedServer")
            }
        },
    ]

    private static let lostBeforeTheHead = [
        ("before any byte", ""), ("in the version", "HTT"), ("in the status line", "HTTP/1.1 20"),
        ("after the status line", "HTTP/1.1 200 OK\r\n"),
        ("in a field", "HTTP/1.1 200 OK\r\nX-A: 1"),
        ("between fields", "HTTP/1.1 200 OK\r\nX-A: 1\r\n"),
        ("after an interim response", "HTTP/1.1 100 Continue\r\n\r\n"),
    ].flatMap { point, bytes in
        [("closed", LoopbackScript.Step.close), ("reset", .reset)].map { how, ending in
            Case(.faults, "a connection that is \(how) \(point) is lost") { exam, server in
                server.enqueue(LoopbackScript([.send(bytes), ending]))
                let error = try await exam.expectError(.connectionLost) {
                    _ = try await exam.get(server)
                }
                try exam.expect(error.isRetryable, "isRetryable is false")
                try exam.expect(error.mayHaveReachedServer, "mayHaveReachedServer is false")
                try exam.expect(error.response == nil, "the error has a head")
                try await exam.expectFine(server)
            }
        }
    }

    private static let cutInTheBody = [
        ("before a body with its length", "Content-Length: 10\r\n\r\n", ""),
        ("in a body with its length", "Content-Length: 10\r\n\r\n", "half"),
        ("before the first chunk", "Transfer-Encoding: chunked\r\n\r\n", ""),
        ("in a chunk", "Transfer-Encoding: chunked\r\n\r\n", "5\r\nhel"),
        ("between chunks", "Transfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n"),
        ("in the last chunk", "Transfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n0\r\n"),
        ("in the trailers", "Transfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n0\r\nX-A: 1"),
    ].flatMap { point, head, bytes in
        [
            Case(.faults, "a connection that is closed \(point) cuts the body short") {
                exam, server, delivery in
                server.enqueue([.send("HTTP/1.1 200 OK\r\nX-A: 1\r\n\(head)\(bytes)"), .close])
                let error = try await exam.expectError(.bodyIncomplete) {
                    _ = try await exam.get(server, delivery: delivery).data()
                }
                try exam.expect(error.isRetryable, "isRetryable is false")
                try exam.expect(error.response?.headers["X-A"], is: "1", "X-A of the error's head")
                try await exam.expectFine(server)
            }
        ]
    }

    private static let otherFaults = [
        Case(.faults, "a connection that is reset in the body cuts the body short") {
            exam, server in
            let gate = LoopbackGate()
            server.enqueue([
                .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .pause(until: gate),
                .reset,
            ])
            let response = try await exam.get(server)
            var count = 0
            try await exam.expectError(.bodyIncomplete) {
                for try await piece in response.body {
                    count += piece.count
                    if count == 4 { gate.open() }
                }
            }
            try await exam.expectFine(server)
        },
        Case(.faults, "the bytes that arrived can be read before the body's error") {
            exam, server in
            server.enqueue([.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close])
            let response = try await exam.get(server)
            var bytes: [UInt8] = []
            try await exam.expectError(.bodyIncomplete) {
                for try await piece in response.body { bytes += piece }
            }
            try exam.expect(String(decoding: bytes, as: UTF8.self), is: "half", "the bytes")
        },
        Case(.faults, "an error of the body stays one") { exam, server in
            server.enqueue([.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close])
            let response = try await exam.get(server)
            for _ in 0..<2 {
                try await exam.expectError(.bodyIncomplete) {
                    _ = try await response.body.collect()
                }
            }
        },
        Case(.faults, "a half-closed connection that has sent less than a head is lost") {
            exam, server in
            server.enqueue([.send("HTTP/1.1 2"), .halfClose, .stall])
            try await exam.expectError(.connectionLost) { _ = try await exam.get(server) }
            try await exam.expectFine(server)
        },
        Case(.faults, "a half-closed connection that has sent all is an answer") { exam, server in
            server.enqueue([
                .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .halfClose, .stall,
            ])
            try exam.expect(try await exam.get(server).text(), is: "ok", "the body")
            try await exam.expectFine(server)
        },
        Case(.faults, "an error names the URL without its query") { exam, server in
            server.enqueue([.close])
            let error = try await exam.expectError(.connectionLost) {
                _ = try await exam.get(server, "/a?key=secret")
            }
            let url = try exam.some(error.url, "the error's URL")
            try exam.expect(url.hasPrefix(server.url("/a")), "the URL is \(url)")
            try exam.expect(!"\(error)".contains("secret"), "the error reveals a secret")
        },
    ]
}
