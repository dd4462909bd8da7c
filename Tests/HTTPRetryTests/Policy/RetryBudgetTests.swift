import HTTPCore
import HTTPTesting
import Testing
@testable import HTTPRetry
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct RetryBudgetTests {
    private let limits = RetryBudgetWindow.Limits(ratio: 0.2, window: .seconds(10), minimum: 10)

    private func at(_ seconds: Double) -> HTTPInstant { HTTPInstant(sinceStart: .seconds(seconds)) }

    /// The number of `count` draws that are granted.
    private func draws(_ count: Int, from window: inout RetryBudgetWindow, at seconds: Double)
        -> Int
    {
        (0..<count).reduce(0) { granted, _ in
            granted + (window.draw(at: at(seconds)) == nil ? 0 : 1)
        }
    }

    private func numbers(_ window: inout RetryBudgetWindow, at seconds: Double)
        -> RetryBudget.Numbers
    {
        window.numbers(at: at(seconds))
    }

    @Test func `ten retries are granted without any traffic, and no eleventh`() {
        var window = RetryBudgetWindow(limits)
        #expect(draws(11, from: &window, at: 0) == 10)
        #expect(numbers(&window, at: 0) == .init(calls: 0, retries: 10, left: 0))
    }

    @Test func `beyond that, a fifth of the calls of the last ten seconds`() {
        var window = RetryBudgetWindow(limits)
        for _ in 0..<100 { window.recordCall(at: at(0)) }
        #expect(numbers(&window, at: 0).left == 20)
        #expect(draws(25, from: &window, at: 5) == 20)
        // The calls have left the window; the retries have not.
        #expect(numbers(&window, at: 10.5) == .init(calls: 0, retries: 20, left: 0))
        #expect(numbers(&window, at: 15.5) == .init(calls: 0, retries: 0, left: 10))
    }

    @Test func `a draw taken back is there again, one that is forgotten is not`() throws {
        var window = RetryBudgetWindow(limits)
        let drawn = window.draw(at: at(0))
        window.giveBack(try #require(drawn))
        #expect(numbers(&window, at: 0).left == 10)
        let old = window.draw(at: at(0))
        _ = numbers(&window, at: 60)
        window.giveBack(try #require(old))
        #expect(numbers(&window, at: 60) == .init(calls: 0, retries: 0, left: 10))
    }

    @Test func `a draw given back late touches none of the slot that took its place`() throws {
        var window = RetryBudgetWindow(limits)
        let first = window.draw(at: at(0))
        let slot = try #require(first)
        // A window later, in the slot that is counted at the same place.
        #expect(draws(3, from: &window, at: 10.5) == 3)
        window.giveBack(slot)
        #expect(numbers(&window, at: 10.5) == .init(calls: 0, retries: 3, left: 7))
        let drawn = window.draw(at: at(10.5))
        let last = try #require(drawn)
        window.giveBack(last)
        #expect(numbers(&window, at: 10.5).retries == 3)
        // Still in the window, in a slot that others have followed.
        #expect(draws(2, from: &window, at: 15.5) == 2)
        window.giveBack(last)
        #expect(numbers(&window, at: 15.5) == .init(calls: 0, retries: 4, left: 6))
    }

    @Test func `time that goes backwards, or very far, changes nothing else`() {
        var window = RetryBudgetWindow(limits)
        _ = window.draw(at: at(100))
        #expect(numbers(&window, at: 50).retries == 1)
        #expect(numbers(&window, at: -1e17).retries == 1)
        #expect(numbers(&window, at: 9e18).retries == 0)
    }

    @Test(
        arguments: [
            (.nan, .seconds(10), 10), (-1, .zero, -5), (.infinity, .seconds(-1), .max),
            (0, .seconds(Int64.max), 0),
        ] as [(Double, Duration, Int)])
    func `no setting traps`(ratio: Double, window: Duration, minimum: Int) throws {
        let budget = RetryBudget(ratio: ratio, window: window, minimum: minimum)
        let origin = try HTTPOrigin(URL(strictly: "https://h/"))
        let left = budget.withWindow(for: origin, at: at(1)) { window in
            window?.recordCall(at: at(1))
            _ = window?.draw(at: at(1))
            return window?.numbers(at: at(1)).left
        }
        #expect(try #require(left) >= 0)
    }

    @Test func `each origin has its own numbers`() async throws {
        let clock = HTTPTestClock()
        let budget = RetryBudget(ratio: 0, minimum: 1)
        let mock = MockSession.statuses(.serviceUnavailable)
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let session = mock.with(Retry(policy, budget: budget))
        let urls = ["https://a.test/", "https://b.test/", "http://a.test/"]
        for url in urls {
            let request = try HTTPRequest(.get, url).beginningCall(clock: clock)
            _ = try await session.response(for: request)
        }
        #expect(mock.hits == 6)  // one retry each
        for url in urls {
            let origin = try HTTPOrigin(URL(strictly: url))
            #expect(
                budget.numbers(for: origin, at: clock.now) == .init(calls: 1, retries: 1, left: 0))
        }
    }

    @Test func `a spent budget hands the response back, and time fills it again`() async throws {
        let clock = HTTPTestClock()
        let retryDecisions = DecisionLog()
        let mock = MockSession.statuses(.serviceUnavailable)
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        policy.maxRetries = 1
        let session = mock.with(Retry(policy, budget: RetryBudget(ratio: 0, minimum: 2)))
        for _ in 0..<4 {
            let request = try HTTPRequest.test(clock: clock, observer: retryDecisions)
            #expect(try await session.response(for: request).status == .serviceUnavailable)
        }
        #expect(mock.hits == 6)
        #expect(retryDecisions.refusals.filter { $0 == .budgetSpent }.count == 2)
        #expect(retryDecisions.all.map(\.budgetLeft) == [1, 1, 0, 0, 0, 0])
        clock.advance(by: .seconds(11))
        _ = try await session.response(for: HTTPRequest.test(clock: clock))
        #expect(mock.hits == 8)
    }

    @Test func `a hundred clients of a failing origin add a fifth, not a multiple`() async throws {
        let clock = HTTPTestClock()
        let mock = MockSession.statuses(.serviceUnavailable)
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let session = mock.with(Retry(policy))
        await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    _ = try? await session.response(for: HTTPRequest.test(clock: clock))
                }
            }
        }
        #expect((110...120).contains(mock.hits))
    }

    @Test func `forgetting idle origins forgives no retry of the window`() throws {
        let budget = RetryBudget(ratio: 0, minimum: 1)
        func draw(_ index: Int, at now: HTTPInstant) throws -> Bool {
            let origin = try HTTPOrigin(URL(strictly: "https://h\(index).test/"))
            return budget.withWindow(for: origin, at: now) { $0?.draw(at: now) != nil }
        }
        for index in 0..<1000 { #expect(try draw(index, at: at(0))) }
        // Each has spent its one; asking for another prunes, the longer the more.
        for index in 0..<1000 { #expect(try !draw(index, at: at(9))) }
        #expect(budget.originCount == 1000)
        #expect(try draw(0, at: at(11)))
    }

    @Test func `idle origins are forgotten`() throws {
        let budget = RetryBudget()
        for index in 0..<1000 {
            let origin = try HTTPOrigin(URL(strictly: "https://h\(index).test/"))
            budget.withWindow(for: origin, at: at(Double(index))) { window in
                window?.recordCall(at: at(Double(index)))
            }
        }
        #expect(budget.originCount <= 65)
    }
}
