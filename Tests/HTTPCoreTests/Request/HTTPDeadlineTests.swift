import HTTPTesting
import TestSupport
import Testing
@testable import HTTPCore
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPDeadlineTests {
    private func at(_ seconds: Double) -> HTTPInstant { HTTPInstant(sinceStart: .seconds(seconds)) }

    private func begin(
        _ clock: HTTPTestClock, deadline: HTTPInstant? = nil
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(.get, "https://h/")
        request.deadline = deadline
        return try request.beginningCall(clock: clock)
    }

    @Test func `a call begun within a deadline has it, on request and call`() async throws {
        let clock = HTTPTestClock()
        clock.advance(by: .seconds(5))
        let request = try await HTTPDeadline.within(.seconds(2), clock: clock) {
            #expect(HTTPDeadline.timeLeft == .seconds(2))
            return try begin(clock)
        }
        #expect(request.deadline == at(7) && request.call?.deadline == at(7))
        #expect(HTTPDeadline.timeLeft == nil)
        #expect(try begin(clock).deadline == nil)
    }

    @Test func `the earlier one holds, its own or the inherited`() async throws {
        let clock = HTTPTestClock()
        try await HTTPDeadline.within(.seconds(10), clock: clock) { () async throws in
            #expect(try begin(clock, deadline: at(3)).deadline == at(3))
            #expect(try begin(clock, deadline: at(30)).deadline == at(10))
            await HTTPDeadline.within(.seconds(20), clock: clock) {
                #expect(HTTPDeadline.timeLeft == .seconds(10))
            }
            await HTTPDeadline.within(.seconds(4), clock: clock) {
                #expect(HTTPDeadline.timeLeft == .seconds(4))
            }
        }
    }

    @Test func `a deadline on another clock is as much time from now`() async throws {
        let outer = HTTPTestClock()
        let inner = HTTPTestClock()
        inner.advance(by: .seconds(100))
        try await HTTPDeadline.within(.seconds(10), clock: outer) { () async throws in
            outer.advance(by: .seconds(4))
            #expect(try begin(inner).deadline == at(106))
            outer.advance(by: .seconds(60))
            #expect(try begin(inner).deadline == at(100))  // over, and not in the past
        }
    }

    @Test func `a deadline in some time counts on the clock of the call`() throws {
        let clock = HTTPTestClock()
        clock.advance(by: .seconds(1_000_000))
        let patient = try HTTPRequest(.get, "https://h/").deadline(in: .seconds(5))
        let begun = try patient.beginningCall(clock: clock)
        #expect(begun.deadline == at(1_000_005) && begun.call?.deadline == at(1_000_005))
        #expect(begun.timeLeft == .seconds(5) && begun.deadlineLimit == .seconds(5))
        // Within a call: what a layer sets, and what joins the call.
        let call = try #require(begun.call)
        clock.advance(by: .seconds(1))
        #expect(begun.deadline(in: .seconds(2)).deadline == at(1_000_003))
        #expect(patient.deadline(in: .seconds(2)).joining(call).deadline == at(1_000_003))
        #expect(patient.deadline(in: .seconds(60)).joining(call).deadline == at(1_000_005))
        // A deadline that is set to a moment later is that moment.
        var moved = patient
        moved.deadline = at(7)
        #expect(try moved.beginningCall(clock: HTTPTestClock()).deadline == at(7))
        let real = try patient.beginningCall()
        #expect(real.deadline == patient.deadline)
    }

    @Test func `none is the way out`() async throws {
        let clock = HTTPTestClock()
        try await HTTPDeadline.within(.seconds(10), clock: clock) { () async throws in
            try await HTTPDeadline.none { () async throws in
                #expect(HTTPDeadline.timeLeft == nil)
                #expect(try begin(clock).deadline == nil)
                #expect(try begin(clock, deadline: at(60)).deadline == at(60))
            }
        }
    }

    @Test func `tasks inherit it, detached ones do not`() async {
        let clock = HTTPTestClock()
        await HTTPDeadline.within(.seconds(10), clock: clock) {
            #expect(await Task { HTTPDeadline.timeLeft }.value == .seconds(10))
            #expect(await Task.detached { HTTPDeadline.timeLeft }.value == nil)
        }
    }

    // MARK: Enforced around a session that does not

    @Test func `a session that goes on is ended, and the error names timer, value and phase`()
        async throws
    {
        let clock = HTTPTestClock()
        let mock = MockSession { request in
            try await clock.sleep(for: .seconds(60))
            return HTTPResponse(.ok, to: request)
        }
        let request = try begin(clock, deadline: at(2))
        let task = Task { try await mock.attempt(request).get() }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(error?.code == .timedOut && error?.phase == .waiting)
        #expect(error?.timer == HTTPError.Timer(.deadline, .seconds(2)))
        #expect(error?.timeline?.exchanges.count == 1 && clock.sleeperCount == 0)
    }

    @Test func `what waits before anything is sent says so`() async throws {
        struct Waiting: HTTPClientMiddleware {
            let clock: HTTPTestClock
            func intercept(
                _ request: HTTPRequest, next: any HTTPSession
            ) async throws -> HTTPResponse {
                try await clock.sleep(for: .seconds(60))
                return try await next.response(for: request)
            }
        }
        let clock = HTTPTestClock()
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let session = mock.with(Waiting(clock: clock))
        let request = try begin(clock, deadline: at(2))
        let task = Task { try await session.attempt(request).get() }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(error?.phase == .preparing && error?.mayHaveReachedServer == false)
        #expect(mock.requests.isEmpty)
    }

    @Test func `a body that is buffered is ended too`() async throws {
        let clock = HTTPTestClock()
        final class Slow: HTTPBodySource {
            let clock: HTTPTestClock
            init(clock: HTTPTestClock) { self.clock = clock }
            func next() async throws -> Data? {
                try await clock.sleep(for: .seconds(60))
                return nil
            }
            func abandon() {}
        }
        struct Bare: HTTPSession {
            let clock: HTTPTestClock
            func response(for request: HTTPRequest) async throws -> HTTPResponse {
                HTTPResponse(.ok, body: HTTPBody(source: Slow(clock: clock)), to: request)
            }
        }
        var request = try begin(clock, deadline: at(2))
        request.delivery = .buffered(upTo: 9)
        let task = Task { [request] in try await Bare(clock: clock).attempt(request).get() }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(error?.timer?.name == .deadline)
    }

    @Test func `a deadline that has passed sends nothing`() async throws {
        let clock = HTTPTestClock()
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let request = try begin(clock, deadline: at(2))
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: HTTPError.self) {
            try await mock.attempt(request).get()
        }
        #expect(error?.phase == .preparing && mock.requests.isEmpty)
    }

    @Test func `an answer in time ends the timer`() async throws {
        let clock = HTTPTestClock()
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let request = try begin(clock, deadline: at(2))
        #expect(try await mock.attempt(request).get().status == .ok)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `nested calls have what is left, and the call's own layers no second timer`()
        async throws
    {
        let clock = HTTPTestClock()
        let mock = MockSession { request in
            // Another layer of the same call, and a call of its own.
            let inner = MockSession { HTTPResponse(.ok, to: $0) }
            _ = try await inner.attempt(request).get()
            let nested = try HTTPRequest(.get, "https://other/").beginningCall(clock: clock)
            #expect(nested.deadline == HTTPInstant(sinceStart: .seconds(2)))
            #expect(clock.sleeperCount <= 1)
            return HTTPResponse(.ok, to: request)
        }
        let request = try begin(clock, deadline: at(2))
        _ = try await mock.attempt(request).get()
        #expect(mock.requests.count == 1 && clock.sleeps.count <= 1)
    }

    @Test func `cancelling is cancelling, not a deadline`() async throws {
        let clock = HTTPTestClock()
        let mock = MockSession { request in
            try await clock.sleep(for: .seconds(60))
            return HTTPResponse(.ok, to: request)
        }
        let request = try begin(clock, deadline: at(2))
        let task = Task { try await mock.attempt(request).get() }
        try await clock.waitForSleepers(2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `what was sent before the deadline may have arrived, and a late answer is given up`()
        async throws
    {
        let clock = HTTPTestClock()
        let kept = Locked<HTTPBody?>(nil)  // a reference that would hold the connection
        let mock = MockSession { request in
            // Ignores cancellation, like a response that has just arrived.
            try await Task { try await clock.sleep(for: .seconds(2)) }.value
            let body = HTTPBody(source: ScriptedBodySource(["late"]))
            kept.withLock { $0 = body }
            return HTTPResponse(.ok, body: body, to: request)
        }
        let request = try begin(clock, deadline: at(1))
        let task = Task { try await mock.attempt(request).get() }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(error?.timer?.name == .deadline && error?.phase == .waiting)
        #expect(error?.mayHaveReachedServer == true)
        let body = try #require(kept.withLock { $0 })
        #expect(BodyEnds(body).list == ["abandoned"])
    }
}
