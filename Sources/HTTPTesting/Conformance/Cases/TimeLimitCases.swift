import HTTPCore
import HTTPFormats
import PortableFoundation

/// Cases about time limits: each ends an exchange, and the error names it.
enum TimeLimitCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] =
        [HTTPError.Timer.Name.idle, .total, .deadline].flatMap { timer in
            [
                limited(timer, "before the head", []),
                limited(timer, "in the body", .half, inBody: true),
                limited(timer, "in a buffered body", .half, delivery: .buffered(upTo: 100)),
            ]
        } + [
            limited(
                .total, "in a body that keeps coming",
                [
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"),
                    .generate(1_000_000, rate: 5000),
                ], inBody: true),
            limited(.total, "while a body is sent", [], sending: 16 << 20),
            limited(.idle, "while a body is sent", [], sending: 16 << 20),
            Case(.timeLimits, "a deadline that has passed sends nothing") { exam, server in
                var request = try HTTPRequest(.get, server.url("/"))
                request.deadline = HTTPSystemClock().now + .seconds(-1)
                request = try request.beginningCall()
                let overdue = request
                let error = try await exam.expectError(.timedOut) {
                    _ = try await exam.session.response(for: overdue)
                }
                try exam.expect(error.timer?.name, is: .deadline, "the timer")
                try exam.expect(!error.mayHaveReachedServer, "mayHaveReachedServer is true")
                try await exam.expectFine(server)
                try exam.expect(server.snapshot.requestCount, is: 1, "requests")
            },
            Case(.timeLimits, "a deadline is not early if reading the clock takes long") { exam in
                let gate = LoopbackGate()
                try await exam.serveEarly(.untilTheClientLeaves(after: gate)) { server in
                    let deadline = HTTPSystemClock().now + .milliseconds(400)
                    var request = try HTTPRequest(.get, server.url("/"))
                    request.deadline = deadline
                    let limited = try request.beginningCall(clock: SlowClock())
                    let error = try await exam.expectError(.timedOut) {
                        _ = try await exam.session.response(for: limited).data()
                    }
                    let left = deadline - HTTPSystemClock().now
                    try exam.expect(left <= .zero, "the exchange ended \(left) early")
                    try exam.expect(error.timer?.name, is: .deadline, "the timer")
                    gate.open()
                }
            },
            Case(.timeLimits, "a limit that is not reached changes nothing") { exam, server in
                var request = try HTTPRequest(.get, server.url("/"))
                request.timeouts = HTTPTimeouts(
                    connect: .seconds(60), responseHead: .seconds(60), idle: .seconds(60),
                    total: .seconds(60))
                let text = try await exam.session.response(for: request).text()
                try exam.expect(text, is: "fine", "the response")
            },
        ] + ofPhases

    private static let ofPhases: [TransportConformance.Case] = [
        limited(.responseHead, "before the head", []),
        limited(
            .responseHead, "after interim responses",
            [
                .send("HTTP/1.1 100 Continue\r\n\r\n"),
                .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
            ]),
        limited(
            .responseHead, "after a body was sent", [.awaitContentEnd], sending: 100_000),
        outlived("a body that stalls after the head", .half),
        outlived(
            "a buffered body that stalls after the head", .half, delivery: .buffered(upTo: 100)),
        // More than the buffers of sockets on both sides of an intermediary, and its own.
        outlived("a body that is still being sent", [], sending: 32 << 20),
        Case(.timeLimits, "a TLS limit ends a handshake, or is refused") { exam in
            let server = try LoopbackServer(scripts: [[.stall]])
            defer { server.stop() }
            var request = try HTTPRequest(.get, "https" + server.url("/").dropFirst(4))
            request.timeouts = HTTPTimeouts(connect: .never, tls: .milliseconds(150))
            let limited = request
            let error = try await exam.expectError([.timedOut, .unsupportedOption]) {
                _ = try await exam.session.response(for: limited).data()
            }
            try exam.expect(!error.mayHaveReachedServer, "mayHaveReachedServer is true")
            if error.code == .timedOut {
                try exam.expect(error.timer?.name, is: .tls, "the timer")
                try exam.expect(error.phase, is: .securing, "the phase")
                try await exam.expectDeparture(server)
            } else {
                try exam.expect(server.connections.accepted, is: 0, "connections")
            }
        },
    ]

    /// Returns a case in which the server plays `script` and then sends nothing.
    private static func limited(
        _ timer: HTTPError.Timer.Name, _ place: String, _ script: LoopbackScript,
        inBody: Bool = false, sending count: Int = 0, delivery: HTTPDelivery = .streamed
    ) -> Case {
        let name = timer == .deadline ? "the deadline" : "the \(timer) limit"
        return Case(.timeLimits, "\(name) ends an exchange \(place)") { exam in
            try await exam.patiently { limit in
                let gate = LoopbackGate()
                try await exam.serveEarly(script + .untilTheClientLeaves(after: gate)) { server in
                    var request = try HTTPRequest(
                        count == 0 ? .get : .post, server.url("/"), body: .pattern(count))
                    request.delivery = delivery
                    switch timer {
                    case .idle: request.timeouts.idle = .after(limit)
                    case .total: request.timeouts.total = .after(limit)
                    case .responseHead: request.timeouts.responseHead = .after(limit)
                    default:
                        request.deadline = HTTPSystemClock().now + limit
                        request = try request.beginningCall()
                    }
                    let limited = request
                    let error = try await exam.expectError(.timedOut) {
                        _ = try await exam.session.response(for: limited).data()
                    }
                    try exam.expect(error.timer?.name, is: timer, "the timer")
                    if inBody || delivery != .streamed, error.response == nil {
                        throw ConformanceExam.TooSoon()
                    }
                    if server.log.isEmpty { throw ConformanceExam.TooSoon() }
                    try exam.expect(error.mayHaveReachedServer, "mayHaveReachedServer is false")
                    gate.open()
                    try await exam.expectDeparture(server)
                    try await exam.expectFine(server)
                }
            }
        }
    }

    /// Returns a case in which nothing that the server does is a wait for the head, so that the
    /// total limit ends the exchange although it is longer.
    private static func outlived(
        _ place: String, _ script: LoopbackScript, sending count: Int = 0,
        delivery: HTTPDelivery = .streamed
    ) -> Case {
        Case(.timeLimits, "the response head limit does not end \(place)") { exam in
            try await exam.patiently { limit in
                let gate = LoopbackGate()
                try await exam.serveEarly(script + .untilTheClientLeaves(after: gate)) { server in
                    var request = try HTTPRequest(
                        count == 0 ? .get : .post, server.url("/"), body: .pattern(count))
                    request.delivery = delivery
                    request.timeouts.responseHead = .after(limit)
                    request.timeouts.total = .after(limit * 3)
                    let limited = request
                    let error = try await exam.expectError(.timedOut) {
                        _ = try await exam.session.response(for: limited).data()
                    }
                    // The head itself came too late.
                    if count == 0, error.response == nil { throw ConformanceExam.TooSoon() }
                    try exam.expect(error.timer?.name, is: .total, "the timer")
                    gate.open()
                    try await exam.expectDeparture(server)
                    try await exam.expectFine(server)
                }
            }
        }
    }
}

/// The system's clock on a machine that lets the thread wait while it reads the time.
private struct SlowClock: HTTPClock {
    private let clock = HTTPSystemClock()

    var now: HTTPInstant {
        let end = clock.now + .milliseconds(50)
        while clock.now < end {}
        return clock.now
    }
    var date: Date { clock.date }

    func sleep(until deadline: HTTPInstant) async throws { try await clock.sleep(until: deadline) }
}
