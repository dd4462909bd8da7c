import HTTPCore
import Testing
@testable import HTTPRetry
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct RetryMachineTests {
    private typealias Facts = RetryMachine.Facts

    private static func retry(
        delay: Duration = .zero, retryAfter: Duration? = nil,
        retryAfterLimit: Duration = .seconds(60), allowance: RetryRequest.Allowance = .retries,
        mayRepeat: Bool = true, hasWork: Bool = false
    ) -> RetryRequest {
        var retry = RetryRequest(
            .policy, delay: delay, allowance: allowance, retryAfterLimit: retryAfterLimit,
            mayRepeat: mayRepeat)
        retry.retryAfter = retryAfter
        if hasWork { retry.work = { _, _, _ in } }
        return retry
    }

    private static func at(_ milliseconds: Int) -> HTTPInstant {
        HTTPInstant(sinceStart: .milliseconds(milliseconds))
    }

    private func ledger(_ limit: Int) -> RetryLedger {
        var ledger = RetryLedger()
        ledger.register(limit: limit, budget: nil)
        return ledger
    }

    /// A machine that has one attempt behind it.
    private func judging() -> RetryMachine {
        var machine = RetryMachine()
        machine.attemptEnded()
        return machine
    }

    private func answer(
        _ retry: RetryRequest, _ facts: Facts, limit: Int = 1
    ) -> RetryMachine.Action {
        var ledger = ledger(limit)
        var machine = judging()
        var budget: RetryBudgetWindow?
        let action = machine.handle(.asked(retry, facts), &ledger, &budget)
        guard action == .discard else { return action }
        return machine.handle(.discarded(facts), &ledger, &budget)
    }

    @Test func `what is granted without a wait is sent at once`() {
        #expect(answer(Self.retry(), Facts(now: Self.at(0))) == .send)
    }

    @Test func `a wait is until the later of delay and Retry-After`() {
        for (delay, end) in [(1, 3500), (5, 5500)] {
            let retry = Self.retry(delay: .seconds(delay), retryAfter: .seconds(3))
            #expect(answer(retry, Facts(now: Self.at(500))) == .wait(until: Self.at(end)))
        }
    }

    @Test func `time spent on work counts for Retry-After, not for the delay`() {
        var ledger = ledger(1)
        var machine = judging()
        var budget: RetryBudgetWindow?
        let retry = Self.retry(delay: .seconds(1), retryAfter: .seconds(3), hasWork: true)
        let facts = Facts(now: Self.at(0))
        #expect(machine.handle(.asked(retry, facts), &ledger, &budget) == .discard)
        #expect(ledger.retries == 0)
        #expect(machine.handle(.discarded(facts), &ledger, &budget) == .work)
        #expect(ledger.retries == 1)
        var later = machine
        #expect(
            machine.handle(.worked(Facts(now: Self.at(500))), &ledger, &budget)
                == .wait(until: Self.at(3000)))
        #expect(
            later.handle(.worked(Facts(now: Self.at(2900))), &ledger, &budget)
                == .wait(until: Self.at(3900)))
        #expect(ledger.retries == 1)
    }

    @Test func `each reason to refuse refuses`() {
        let now = Self.at(0)
        #expect(answer(Self.retry(), Facts(now: now), limit: 0) == .refuse(.retriesUsedUp))
        #expect(answer(Self.retry(), Facts(now: now, sends: 30)) == .refuse(.sendsUsedUp))
        #expect(
            answer(Self.retry(hasWork: true), Facts(now: now, isInRefresh: true))
                == .refuse(.nestedRefresh))
        #expect(
            answer(Self.retry(), Facts(now: now, silentResends: 1)) == .refuse(.retriesUsedUp))
        #expect(
            answer(Self.retry(mayRepeat: false), Facts(now: now)) == .refuse(.notIdempotent))
        #expect(
            answer(Self.retry(), Facts(now: now, canBeSent: false)) == .refuse(.bodyNotReplayable))
        #expect(
            answer(Self.retry(retryAfter: .seconds(61)), Facts(now: now))
                == .refuse(.retryAfterTooLong))
        #expect(
            answer(Self.retry(delay: .seconds(1)), Facts(now: now, deadline: Self.at(1000)))
                == .refuse(.deadline))
        #expect(answer(Self.retry(), Facts(now: now, isCancelled: true)) == .stop)
    }

    @Test(arguments: [true, false])
    func `a cancellation while the response is discarded is not counted`(hasWork: Bool) {
        var ledger = ledger(1)
        var machine = judging()
        var budget: RetryBudgetWindow? = RetryBudgetWindow(
            .init(ratio: 0, window: .seconds(10), minimum: 1))
        let retry = Self.retry(hasWork: hasWork)
        var facts = Facts(now: Self.at(0))
        #expect(machine.handle(.asked(retry, facts), &ledger, &budget) == .discard)
        facts.isCancelled = true
        #expect(machine.handle(.discarded(facts), &ledger, &budget) == .stop)
        #expect(ledger.retries == 0 && budget?.numbers(at: Self.at(0)).left == 1)
    }

    @Test func `an event out of turn stops the machine for good`() {
        var ledger = ledger(9)
        var budget: RetryBudgetWindow?
        var machine = RetryMachine()
        let facts = Facts(now: Self.at(0))
        #expect(machine.handle(.waited(facts), &ledger, &budget) == .stop)
        machine.attemptEnded()
        #expect(machine.handle(.asked(Self.retry(), facts), &ledger, &budget) == .stop)
        #expect(!machine.isAttempting)
    }

    // MARK: The property

    /// A call of random layers, outcomes, retry requests, budgets, waits and cancellations, acted
    /// out without a task: what the machines say is done, and the laws are checked as it happens.
    private struct Play {
        var random: SeededRandom
        var now = RetryMachineTests.at(0)
        var ledger = RetryLedger()
        var budget: RetryBudgetWindow?
        var deadline: HTTPInstant?
        var hits = 0
        var isCancelled = false
        var ownLimit = 0
        var owner = ObjectIdentifier(RetryBudget.self)
        var violations: [String] = []
        var refusals = Set<HTTPRetryEvent.Refusal>()

        init(seed: UInt64) { random = SeededRandom(seed) }

        mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
        mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

        mutating func facts() -> Facts {
            Facts(
                now: now, deadline: deadline, sends: hits, canBeSent: !chance(3),
                isCancelled: isCancelled)
        }

        mutating func pass(_ most: Int) {
            now = now + .milliseconds(below(most))
            if chance(3) { isCancelled = true }
        }

        mutating func check(_ holds: Bool, _ law: String) {
            if !holds { violations.append(law) }
        }

        mutating func hit() {
            hits += 1
            check(!isCancelled, "sent after a cancellation")
            if let deadline { check(hits == 1 || now < deadline, "sent after the deadline") }
            pass(400)
        }

        mutating func retry() -> RetryRequest {
            RetryMachineTests.retry(
                delay: .milliseconds(below(3000)),
                retryAfter: chance(30) ? .milliseconds(below(5000)) : nil,
                retryAfterLimit: .milliseconds(4000),
                allowance: chance(20) ? .own(owner, limit: ownLimit) : .retries,
                mayRepeat: !chance(5), hasWork: chance(25))
        }

        /// One engine: sends by way of `inner`, wants another attempt with a probability. Answers
        /// whether the outcome stands, `nil` when the call is over.
        mutating func engine(
            wanting percent: Int, inner: (inout Play) -> Bool?
        ) -> (stands: Bool, isWanted: Bool)? {
            var machine = RetryMachine()
            guard !facts().isCancelled else { return nil }
            while true {
                guard inner(&self) != nil else { return nil }
                machine.attemptEnded()
                guard chance(percent) else { return (true, false) }
                let before = ledger
                var action = machine.handle(.asked(retry(), facts()), &ledger, &budget)
                if case .refuse(let refusal) = action {
                    refusals.insert(refusal)
                    check(ledger.retries == before.retries, "a refusal was counted")
                    check(
                        ledger.finality != nil || refusal == .notIdempotent,
                        "a refusal is not final")
                    return (true, true)
                }
                acting: while true {
                    let left = budget?.numbers(at: now).left ?? 0
                    check(left >= 0, "the budget is negative")
                    switch action {
                    case .discard:
                        pass(50)
                        action = machine.handle(.discarded(facts()), &ledger, &budget)
                    case .work:
                        pass(1000)
                        action = machine.handle(
                            chance(5) ? .stopped : .worked(facts()), &ledger, &budget)
                    case .wait(let until):
                        if let deadline { check(until < deadline, "a wait outlives the deadline") }
                        check(until > now, "a wait for nothing")
                        if chance(5) { isCancelled = true }
                        if isCancelled {
                            action = machine.handle(.stopped, &ledger, &budget)
                        } else {
                            now = until
                            pass(5)
                            action = machine.handle(.waited(facts()), &ledger, &budget)
                        }
                    case .send: break acting
                    case .refuse, .stop: return nil
                    }
                }
            }
        }

        mutating func run() {
            let limit = below(5)
            ownLimit = below(3)
            ledger.register(limit: limit, budget: nil)
            if chance(70) {
                budget = RetryBudgetWindow(
                    .init(ratio: 0.2, window: .seconds(10), minimum: below(6)))
            }
            if chance(60) { deadline = now + .milliseconds(below(8000)) }
            let drawn = budget?.numbers(at: now).left ?? .max
            let end = engine(wanting: 50) { play in
                play.engine(wanting: 60) { play in
                    play.hit()
                    return true
                }.map { _ in true }
            }
            check(hits <= limit + ownLimit + 1, "\(hits) hits with \(limit) and \(ownLimit)")
            check(hits <= RetryMachine.sendLimit, "too many sends")
            check(ledger.retries <= limit, "more retries than N")
            check(ledger.retries <= drawn, "more retries than the budget")
            if let end, end.isWanted {
                check(!refusals.isEmpty, "an unmet verdict left no reason to fail with")
            }
        }
    }

    @Test func `hits, waits and budgets keep their laws, whatever happens`() {
        let isFull = ProcessInfo.processInfo.environment["HTTP_TEST_COUNTS"] == "full"
        var hits = Set<Int>()
        var refusals = Set<HTTPRetryEvent.Refusal>()
        var cancelled = 0
        for seed in 0..<(isFull ? 50_000 : 300) {
            var play = Play(seed: UInt64(seed))
            play.run()
            if !play.violations.isEmpty { Issue.record("seed \(seed): \(play.violations)") }
            hits.insert(play.hits)
            refusals.formUnion(play.refusals)
            cancelled += play.isCancelled ? 1 : 0
        }
        // The random calls are varied enough: every end occurs.
        #expect(hits.isSuperset(of: 1...4))
        #expect(cancelled > 10)
        #expect(
            refusals.isSuperset(of: [
                .retriesUsedUp, .deadline, .budgetSpent, .bodyNotReplayable, .retryAfterTooLong,
                .notIdempotent,
            ]))
    }
}
