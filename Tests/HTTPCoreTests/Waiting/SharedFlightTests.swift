import HTTPTesting
import TestSupport
import Testing

@testable import HTTPCore

@Suite(.timeLimit(.minutes(5))) struct SharedFlightTests {
    private typealias Flights = KeyedFlights<String, Int>

    struct Broken: Error {}

    /// A counter of the times that work was started.
    private final class Runs: Sendable {
        private let kept = Locked(0)
        var count: Int { kept.withLock { $0 } }
        func begin() -> Int {
            kept.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// Waits on virtual time, so that a test knows when the work is under way.
    private func work(
        _ clock: HTTPTestClock, _ runs: Runs, throwing error: (any Error)? = nil
    ) -> @Sendable () async throws -> Int {
        { @Sendable in
            let run = runs.begin()
            try await clock.sleep(for: .seconds(10))
            if let error { throw error }
            return run
        }
    }

    /// Creates a call. With a deadline, its waiter counts among the clock's sleepers.
    private func call(_ clock: HTTPTestClock, deadline seconds: Double? = nil) throws -> HTTPCall {
        var request = try HTTPRequest(.get, "https://h/")
        request.deadline = seconds.map { HTTPInstant(sinceStart: .seconds($0)) }
        return try #require(request.beginningCall(clock: clock).call)
    }

    // MARK: Sharing

    @Test(.rows("S0-35", "S3-6", "S3-8"))
    func `callers during a flight share its value, later callers start a new one`()
        async throws
    {
        let clock = HTTPTestClock()
        let runs = Runs()
        let flights = Flights()
        for run in 1...2 {
            let call = try call(clock, deadline: 1000)
            let waiters = (0..<20).map { _ in
                Task { try await flights.value(for: "a", call: call, work(clock, runs)) }
            }
            try await clock.waitForSleepers(21)
            clock.advance(by: .seconds(10))
            for waiter in waiters { #expect(try await waiter.value == run) }
            #expect(runs.count == run && flights.count == 0)
        }
    }

    @Test(.rows("S3-6"))
    func `other keys are other flights`() async throws {
        let clock = HTTPTestClock()
        let runs = Runs()
        let flights = Flights()
        let a = Task { try await flights.value(for: "a", work(clock, runs)) }
        let b = Task { try await flights.value(for: "b", work(clock, runs)) }
        try await clock.waitForSleepers(2)
        #expect(flights.count == 2)
        clock.advance(by: .seconds(10))
        let values = try await [a.value, b.value]
        #expect(values.sorted() == [1, 2])
    }

    @Test(.rows("S0-35"))
    func `a failure reaches every waiter`() async throws {
        let clock = HTTPTestClock()
        let runs = Runs()
        let flights = Flights()
        let call = try call(clock, deadline: 1000)
        let waiters = (0..<3).map { _ in
            Task {
                try await flights.value(
                    for: "a", call: call, work(clock, runs, throwing: Broken()))
            }
        }
        try await clock.waitForSleepers(4)
        clock.advance(by: .seconds(10))
        for waiter in waiters {
            await #expect(throws: Broken.self) { try await waiter.value }
        }
        #expect(runs.count == 1 && flights.count == 0)
    }

    // MARK: Leaving

    @Test(.rows("S0-35", "S3-9"))
    func `a waiter that is cancelled leaves at once, and the others stay`() async throws {
        let clock = HTTPTestClock()
        let runs = Runs()
        let flights = Flights()
        let first = Task { try await flights.value(for: "a", work(clock, runs)) }
        try await clock.waitForSleepers(1)
        let patient = try call(clock, deadline: 1000)
        let second = Task { try await flights.value(for: "a", call: patient, work(clock, runs)) }
        try await clock.waitForSleepers(2)
        first.cancel()  // the task that started the work
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(clock.sleeperCount == 2)
        clock.advance(by: .seconds(10))
        #expect(try await second.value == 1)
    }

    @Test(.rows("S3-9"))
    func `the last waiter to leave cancels the work, and the next one starts anew`()
        async throws
    {
        let clock = HTTPTestClock()
        let runs = Runs()
        let flights = Flights()
        let call = try call(clock, deadline: 1000)
        let waiters = (0..<3).map { _ in
            Task { try await flights.value(for: "a", call: call, work(clock, runs)) }
        }
        try await clock.waitForSleepers(4)
        for waiter in waiters { waiter.cancel() }
        for waiter in waiters {
            await #expect(throws: CancellationError.self) { try await waiter.value }
        }
        #expect(flights.count == 0)
        #expect(clock.sleeperCount == 0)
        let next = Task { try await flights.value(for: "a", work(clock, runs)) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        #expect(try await next.value == 2)
    }

    @Test(.rows("S3-9"))
    func `a waiter that is cancelled before it waits affects no other`() async throws {
        let flights = Flights()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await flights.value(for: "a") { 1 }
        }
        // The work may finish first. Both outcomes are correct.
        let result = await task.result
        if case .failure(let error) = result { #expect(error is CancellationError) }
        let value = try await flights.value(for: "a") { 7 }
        #expect(value == 7)
        #expect(flights.count == 0)
    }

    // MARK: Deadlines

    @Test(.rows("S0-35"))
    func `each waiter ends with its own deadline`() async throws {
        let clock = HTTPTestClock()
        let runs = Runs()
        let flights = Flights()
        let hurried = try call(clock, deadline: 3)
        let patient = try call(clock, deadline: 1000)
        let first = Task { try await flights.value(for: "a", call: hurried, work(clock, runs)) }
        try await clock.waitForSleepers(2)
        let second = Task { try await flights.value(for: "a", call: patient, work(clock, runs)) }
        try await clock.waitForSleepers(3)
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: HTTPError.self) { try await first.value }
        #expect(error?.timer == HTTPError.Timer(.deadline, .seconds(3)))
        clock.advance(by: .seconds(7))
        #expect(try await second.value == 1)
        #expect(clock.sleeperCount == 0)
    }

    @Test(.rows("S0-35"))
    func `the work has no waiter's deadline, only its own limit`() async throws {
        let clock = HTTPTestClock()
        let flights = KeyedFlights<String, Duration?>()
        try await HTTPDeadline.within(.seconds(3), clock: clock) {
            let unlimited = try await flights.value(for: "a") { HTTPDeadline.timeLeft }
            #expect(unlimited == nil)
            let call = try call(clock)
            let limited = try await flights.value(for: "a", call: call, limit: .seconds(30)) {
                HTTPDeadline.timeLeft
            }
            #expect(limited == .seconds(30))
        }
    }

    @Test func `of its first caller's task the work knows nothing but the refresh it is part of`()
        async throws
    {
        let owner = Runs()
        let id = ObjectIdentifier(owner)
        func seen() async throws -> (ObjectIdentifier?, ObjectIdentifier?, Duration?) {
            let flights = KeyedFlights<Int, (ObjectIdentifier?, ObjectIdentifier?, Duration?)>()
            return try await flights.value(for: 1) {
                let begun = try HTTPRequest(.get, "https://h/").beginningCall()
                return (RefreshScope.owner, begun.refreshOwner, HTTPDeadline.timeLeft)
            }
        }
        let outside = try await HTTPDeadline.within(.seconds(9)) { try await seen() }
        #expect(outside == (nil, nil, nil))
        let call = try await RefreshScope.$owner.withValue(id) {
            let inside = try await seen()
            #expect(inside == (id, id, nil))
            return try HTTPRequest(.get, "https://h/").beginningCall()
        }
        // A call stays part of it in whatever task it goes on, and so does what serves several for
        // it.
        #expect(call.refreshOwner == id)
        #expect(call.servingSeveral(for: .seconds(1)).refreshOwner == id)
        #expect(call.endingCall().refreshOwner == nil)
        withExtendedLifetime(owner) {}
    }

    @Test(.rows("S0-35"))
    func `joining, finishing and leaving at the same time lose no waiter`() async throws {
        let flights = Flights()
        let runs = Runs()
        let results = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<2000 {
                group.addTask {
                    let task = Task {
                        try await flights.value(for: "\(index % 3)") {
                            await Task.yield()
                            try Task.checkCancellation()
                            return runs.begin()
                        }
                    }
                    if index % 2 == 0 { task.cancel() }
                    switch await task.result {
                    case .success: return true
                    case .failure(let error): return index % 2 == 0 && error is CancellationError
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // A task that was not cancelled got a value, never the cancellation of another task.
        #expect(results.count == 2000 && results.allSatisfy { $0 })
        #expect(flights.count == 0)
    }
}

/// The flights under way, by key.
private final class KeyedFlights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let flights = Locked([Key: SharedFlight<Value>]())

    var count: Int { flights.withLock { $0.count } }

    /// Returns the value of the flight under way for `key`, or of a new one.
    func value(
        for key: Key, call: HTTPCall? = nil, limit: Duration? = nil,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let clock = call?.clock ?? .system
        typealias Flight = SharedFlight<Value>
        let (flight, waiter): (Flight, Waiter<Value>?) = flights.withLock { flights in
            if let flight = flights[key], let waiter = flight.join() { return (flight, waiter) }
            let flight = Flight(
                whenEnded: { [weak self] in self?.removeEnded(key) },
                {
                    guard let limit else { return try await operation() }
                    return try await HTTPDeadline.within(limit, clock: clock, operation)
                })
            flights[key] = flight
            return (flight, flight.join())
        }
        return try await flight.value(at: #require(waiter), for: call)
    }

    private func removeEnded(_ key: Key) {
        flights.withLock { flights in
            if flights[key]?.hasEnded == true { flights[key] = nil }
        }
    }
}
