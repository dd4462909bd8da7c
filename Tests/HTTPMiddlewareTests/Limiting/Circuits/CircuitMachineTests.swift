import HTTPCore
import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite struct CircuitMachineTests {
    private static let limits = CircuitMachine.Limits(
        failureRate: 0.5, slowRate: 0.5, window: .seconds(10), minimum: 4, openTime: .seconds(5),
        longestOpenTime: .seconds(30), probes: 2, probeTime: .seconds(5))

    private var machine = CircuitMachine(limits)

    private func at(_ seconds: Double) -> HTTPInstant { HTTPInstant(sinceStart: .seconds(seconds)) }

    private func ticket(_ machine: inout CircuitMachine, _ seconds: Double) -> CircuitMachine
        .Ticket?
    {
        if case .passed(let ticket) = machine.admit(at: at(seconds), jitter: 1) {
            ticket
        } else {
            nil
        }
    }

    /// Sends requests that end at once.
    private func run(
        _ machine: inout CircuitMachine, _ results: [Bool?], slow: Bool = false, at seconds: Double
    ) throws {
        for isFailure in results {
            let ticket = try #require(ticket(&machine, seconds))
            machine.record(ticket, isFailure: isFailure, isSlow: slow, at: at(seconds), jitter: 1)
        }
    }

    private func opened(at seconds: Double) throws -> CircuitMachine {
        var machine = machine
        try run(&machine, [true, true, true, true], at: seconds)
        #expect(machine.shown == .open)
        return machine
    }

    // MARK: Closed

    @Test func `a circuit opens at the rate of failures, not before there are enough calls`() throws
    {
        var machine = machine
        try run(&machine, [true, true, true], at: 0)
        #expect(machine.shown == .closed)
        try run(&machine, [false], at: 0)
        #expect(machine.shown == .open)
    }

    @Test func `a circuit opens at the rate of slow calls, though they succeed`() throws {
        var machine = machine
        try run(&machine, [false, false], at: 0)
        try run(&machine, [false, false], slow: true, at: 0)
        #expect(machine.shown == .open)
    }

    @Test func `calls older than the window do not count`() throws {
        var machine = machine
        try run(&machine, [true, true, true], at: 0)
        try run(&machine, [false, false, false, true], at: 11)
        #expect(machine.shown == .closed)
        #expect(!machine.isIdle(at: at(11)))
        #expect(machine.isIdle(at: at(30)))
    }

    @Test func `what says nothing does not count`() throws {
        var machine = machine
        try run(&machine, [nil, nil, nil, nil, nil], at: 0)
        #expect(machine.isIdle(at: at(0)))
    }

    @Test func `a body that fails turns a success into a failure`() throws {
        var machine = machine
        try run(&machine, [true, false, false], at: 0)
        let last = try #require(ticket(&machine, 0))
        machine.record(last, isFailure: false, isSlow: false, at: at(0), jitter: 1)
        #expect(machine.shown == .closed)
        machine.correct(last, at: at(1), jitter: 1)
        #expect(machine.shown == .open)
    }

    // MARK: Open

    @Test func `an open circuit says when probes are sent`() throws {
        var machine = try opened(at: 0)
        #expect(machine.admit(at: at(2), jitter: 1) == .refused(retryAfter: .seconds(3)))
        #expect(!machine.mayPass(at: at(2)))
        #expect(machine.mayPass(at: at(5)))
        #expect(machine.shown == .open)
    }

    @Test func `results of requests from before do not count`() throws {
        var machine = machine
        let before = try #require(ticket(&machine, 0))
        machine = try opened(at: 0)
        machine.record(before, isFailure: false, isSlow: false, at: at(1), jitter: 1)
        machine.correct(before, at: at(1), jitter: 1)
        #expect(machine.shown == .open)
        _ = ticket(&machine, 5)
        machine.record(before, isFailure: true, isSlow: false, at: at(5), jitter: 1)
        #expect(machine.shown == .halfOpen)
    }

    // MARK: Half open

    @Test func `as many probes are sent as are configured, and success closes the circuit`() throws
    {
        var machine = try opened(at: 0)
        let first = try #require(ticket(&machine, 5))
        let second = try #require(ticket(&machine, 5))
        #expect(ticket(&machine, 5) == nil)
        machine.record(first, isFailure: false, isSlow: false, at: at(6), jitter: 1)
        #expect(machine.shown == .halfOpen)
        #expect(ticket(&machine, 6) == nil)
        machine.record(second, isFailure: false, isSlow: false, at: at(6), jitter: 1)
        #expect(machine.isIdle(at: at(6)))
    }

    @Test func `a probe that fails or is slow opens the circuit for longer each time`() throws {
        var machine = try opened(at: 0)
        var now = 5.0
        for expected in [10.0, 20, 30, 30] {
            let probe = try #require(ticket(&machine, now))
            machine.record(
                probe, isFailure: expected != 20, isSlow: expected == 20, at: at(now), jitter: 1)
            #expect(
                machine.admit(at: at(now), jitter: 1) == .refused(retryAfter: .seconds(expected)))
            now += expected
        }
    }

    @Test func `the open time begins anew after the circuit was closed`() throws {
        var machine = try opened(at: 0)
        try run(&machine, [true], at: 5)
        try run(&machine, [false, false], at: 15)
        #expect(machine.shown == .closed)
        try run(&machine, [true, true, true, true], at: 16)
        #expect(machine.admit(at: at(16), jitter: 1) == .refused(retryAfter: .seconds(5)))
    }

    @Test func `a probe that says nothing makes room for another one`() throws {
        var machine = try opened(at: 0)
        try run(&machine, [nil, nil, nil], at: 5)
        #expect(machine.shown == .halfOpen)
        try run(&machine, [false, false], at: 5)
        #expect(machine.shown == .closed)
    }

    @Test func `probes that never end do not keep the circuit half open`() throws {
        var machine = try opened(at: 0)
        _ = try #require(ticket(&machine, 5))
        _ = try #require(ticket(&machine, 5))
        #expect(machine.admit(at: at(7), jitter: 1) == .refused(retryAfter: .seconds(3)))
        #expect(machine.admit(at: at(10), jitter: 1) == .refused(retryAfter: .seconds(10)))
        #expect(machine.shown == .open)
        #expect(ticket(&machine, 20) != nil)
    }

    @Test func `the open time varies`() throws {
        var machine = machine
        for _ in 0..<4 {
            let ticket = try #require(ticket(&machine, 0))
            machine.record(ticket, isFailure: true, isSlow: false, at: at(0), jitter: 1.2)
        }
        #expect(machine.admit(at: at(0), jitter: 1) == .refused(retryAfter: .seconds(6)))
    }

    @Test(arguments: 1...20) func `no order of events breaks a circuit`(seed: Int) {
        var random = SeededRandom(UInt64(seed))
        var machine = machine
        var tickets: [CircuitMachine.Ticket] = []
        var now = 0.0
        for _ in 0..<2000 {
            now += Double.random(in: 0..<0.7, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: if let ticket = ticket(&machine, now) { tickets.append(ticket) }
            case 2 where !tickets.isEmpty:
                machine.correct(tickets[tickets.count - 1], at: at(now), jitter: 1)
            default:
                guard let ticket = tickets.popLast() else { continue }
                machine.record(
                    ticket, isFailure: [true, false, nil].randomElement(using: &random) ?? nil,
                    isSlow: Bool.random(using: &random), at: at(now), jitter: 1)
            }
            // It never refuses for longer than its longest open time.
            if case .refused(let wait) = machine.admit(at: at(now), jitter: 1) {
                #expect(wait <= .seconds(30) && wait > .zero)
            }
        }
        // Once the server works, requests are sent again.
        now += 31
        for _ in 0..<20 {
            guard let ticket = ticket(&machine, now) else {
                now += 31
                continue
            }
            machine.record(ticket, isFailure: false, isSlow: false, at: at(now), jitter: 1)
        }
        #expect(machine.shown == .closed)
    }
}
