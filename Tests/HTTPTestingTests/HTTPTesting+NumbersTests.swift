import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Tests of every public number of the target at the limits of its type. A trap would end the
/// tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPTestingNumbersTests {
    @Test func `a clock moves by any time, never back`() async throws {
        for first in Extremes.durations {
            let clock = HTTPTestClock()
            for second in Extremes.durations {
                let before = clock.now
                clock.advance(by: first)
                clock.advance(by: second)
                clock.advance(to: HTTPInstant(sinceStart: second))
                #expect(clock.now >= before)
                _ = (clock.date, clock.now.sinceStart)
            }
        }
        for count in Extremes.counts where count <= 0 {
            try await HTTPTestClock().waitForSleepers(count)
        }
    }

    @Test func `faults of any chance and any wait are faults`() async throws {
        let clock = HTTPTestClock()
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("text"), to: $0) }
        for low in Extremes.durations {
            for high in Extremes.durations where low <= high {
                var plan = FaultPlan(seed: .max)
                plan.latency = low...high
                let session = FaultSession(mock, plan, clock: clock)
                _ = try await Extremes.run(on: clock) {
                    try await session.response(for: "https://h/")
                }
            }
        }
        for factor in Extremes.factors {
            for chance in [\FaultPlan.unsent, \.unanswered, \.truncated, \.duplicated] {
                var plan = FaultPlan(seed: 0)
                plan[keyPath: chance] = factor
                _ = try? await FaultSession(mock, plan).response(for: "https://h/").data()
            }
        }
    }

    @Test func `stubs answer after any time, at any rate, any number of times`() async throws {
        let clock = HTTPTestClock()
        for count in Extremes.counts {
            for delay in Extremes.durations {
                let answer = StubAnswer.text("text").delayed(by: delay).delayed(by: delay)
                let stubs = StubSession(
                    Stub(answers: answer.paced(bytesPerSecond: count)).limited(to: max(1, count)),
                    clock: clock)
                let text = try await Extremes.run(on: clock) {
                    try await stubs.response(String.self, for: "https://h/")
                }
                #expect(text == "text")
            }
            let none = StubSession(Stub(answers: .text("x")).limited(to: count))
            _ = try? await none.response(for: "https://h/")
            _ = try? none.assertAllUsed()
            #expect(Recording.Response(status: count).status == count)
        }
    }

    @Test func `a server waits for any time`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        for duration in Extremes.durations {
            if duration < .seconds(1) {
                await #expect(throws: LoopbackError.timedOut) {
                    try await server.nextRequest(within: duration)
                }
            }
            try await server.waitUntil(within: duration) { $0.log.isEmpty || duration <= .zero }
        }
    }

    @Test func `a server's limits, scripts and faults are of any number`() async throws {
        for count in Extremes.counts {
            var options = LoopbackOptions()
            options.contentLimit = count
            options.loggedContentLimit = count
            options.loggedExchangeLimit = count
            let points: [LoopbackFault.Point] = [.head(after: count), .content(after: count)]
            var responses: [LoopbackResponse] = points.map {
                .ok("text").breaking(.reset, at: $0)
            }
            responses += points.map {
                LoopbackResponse(content: .bytes([1, 2]), framing: .chunked)
                    .breaking(.close, at: $0)
            }
            // The client ends a response that would continue for ever.
            responses.append(.bytes(count: count, rate: count))
            responses.append(.bytes(count: 1, rate: count))
            responses.append(.drip("text", rate: count))
            responses.append(LoopbackResponse(status: count))
            for response in responses {
                let server = try LoopbackServer(options) { _ in response }
                let client = try RawClient(port: server.port)
                try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi")
                _ = try? client.receiveSome(limit: 1)
            }
            let steps: [LoopbackScript.Step] = [
                .generate(2, from: count, rate: count), .generateChunks(count, from: count),
                .awaitContent(count), .awaitContentEnd(orMoreThan: count),
            ]
            for step in steps {
                let server = try LoopbackServer(scripts: [
                    LoopbackScript([.awaitHead, step, .close])
                ])
                let client = try RawClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try? client.receiveSome(limit: 1)
            }
            _ = LoopbackPattern.byte(at: count)
            _ = LoopbackPattern.firstMismatch(in: [1, 2, 3], from: count)
            if count <= 0 { try await LoopbackGate().reached(count: count) }
            _ = RelayPlan.seeded(.max, connection: count)
        }
    }

    @Test func `a relay of any delay, rate and end passes what it may`() async throws {
        let server = try LoopbackServer { _ in .ok("text") }
        var plans: [RelayFaults] = Extremes.durations.map { RelayFaults(delay: $0) }
        plans += Extremes.counts.map { RelayFaults(rate: $0) }
        plans += Extremes.counts.map { RelayFaults(end: .init(.cut, after: $0)) }
        for faults in plans {
            let relay = try FaultRelay(to: server.port) { _ in RelayPlan(toClient: faults) }
            let client = try RawClient(port: relay.port)
            try client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            if faults.delay < .seconds(1) { _ = try? client.receiveSome(limit: 1) }
            relay.stop()
        }
    }
}
