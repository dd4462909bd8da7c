import HTTPCore
import HTTPFormats

/// Cases about cancellation: it throws a `CancellationError`, and frees the connection.
enum CancellationCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = [
        Case(.cancellation, "a task that is cancelled already sends nothing") { exam, server in
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                _ = try await exam.get(server)
            }
            try await exam.expectCancellation { try await task.value }
            try await exam.expectFine(server)
            try exam.expect(server.snapshot.requestCount, is: 1, "requests")
        },
        cancelled("cancelling before the head", []),
        cancelled("cancelling inside the head", [.send("HTTP/1.1 200 OK\r\nX-A: 1\r\n")]),
        cancelled(
            "cancelling before the body",
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")]),
        cancelled("cancelling in the body", .half),
        cancelled(
            "cancelling between chunks",
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n")]),
        cancelled(
            "cancelling while a body is buffered", .half, delivery: .buffered(upTo: 100)),
        cancelled("cancelling while a body is sent", [], sending: { .pattern(16 << 20) }),
        cancelled(
            "cancelling while a stream is sent", [],
            sending: {
                HTTPBody(length: 16 << 20, restarting: { PacedSource(16 << 20, piece: 65_536) })
            }),
        Case(.cancellation, "cancelling one of two leaves the other alone") { exam, server in
            let gate = LoopbackGate()
            for _ in 0..<2 {
                server.enqueue([.pause(until: gate), .respond(.ok("fine"))])
            }
            let doomed = Task { _ = try await exam.get(server, "/doomed").data() }
            let other = Task { try await exam.get(server, "/other").text() }
            try await gate.reached(count: 2)
            doomed.cancel()
            try await exam.expectCancellation { try await doomed.value }
            gate.open()
            try exam.expect(try await other.value, is: "fine", "the other's response")
        },
        Case(.cancellation, "cancelling the task that got a head does not end its body") {
            exam, server in
            let gate = LoopbackGate()
            server.enqueue([
                .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), .pause(until: gate),
                .send("hello"),
            ])
            let task = Task { try await exam.get(server) }
            let response = try await task.value
            task.cancel()
            gate.open()
            try exam.expect(try await response.text(), is: "hello", "the body")
        },
    ]

    /// Returns a case in which the server plays `script` and then sends nothing. The client is
    /// cancelled, and leaves.
    private static func cancelled(
        _ when: String, _ script: LoopbackScript,
        sending body: @escaping @Sendable () -> HTTPBody = { .empty },
        delivery: HTTPDelivery = .streamed
    ) -> Case {
        Case(.cancellation, "\(when) is told, and frees the connection") { exam in
            let gate = LoopbackGate()
            try await exam.serveEarly(script + .untilTheClientLeaves(after: gate)) { server in
                let task = Task {
                    let body = body()
                    _ = try await exam.send(
                        body.isEmpty ? .get : .post, to: server, body: body, delivery: delivery
                    ).data()
                }
                try await gate.reached()
                task.cancel()
                try await exam.expectCancellation { try await task.value }
                gate.open()
                try await exam.expectDeparture(server)
                try await exam.expectFine(server)
            }
        }
    }
}

extension LoopbackScript {
    /// Returns a script that sends nothing more, and reads nothing until `gate` opens. Bytes that
    /// are not read delay the notice that the client has left.
    static func untilTheClientLeaves(after gate: LoopbackGate) -> LoopbackScript {
        [.stopReading, .pause(until: gate), .startReading, .awaitContentEnd, .stall]
    }
}
