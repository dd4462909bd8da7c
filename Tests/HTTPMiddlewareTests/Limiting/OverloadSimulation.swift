import HTTPCore
import TestSupport
import PortableLibc
@testable import HTTPMiddleware

/// Many clients in several processes, and one origin that loses half of its capacity for a minute.
///
/// A simulation of events in virtual time: the same seed gives the same run. The limits are the
/// values that the middleware decides with (`PermitRegistry`, `AdaptiveMachine`, `CircuitMachine`,
/// `RateMeter`). The scenario is that of the simulation of retries in Docs/Performance.md.
struct OverloadSimulation {
    /// The limits of each process.
    struct Strategy: Sendable {
        var name: String
        /// The exchanges at a time of each process.
        var concurrency: Int?
        var adaptive: AdaptiveLimit?
        var circuit: CircuitMachine.Limits?
        /// The rate of the whole fleet, in requests per second.
        var rate: Int?
        /// The seconds that a call may wait for a permit. If it is as long as the call's own time,
        /// the permits go to calls that have no time left.
        var queueTimeout = 0.25
    }

    struct Result {
        var strategy: Strategy
        /// The requests that reached the origin, in each second.
        var arrivals: [Int]
        /// The calls that ended in each second, and those of them that succeeded.
        var calls: [Int]
        var successes: [Int]
        /// The successes of each process while capacity was lost.
        var successesOfProcesses: [Int]
    }

    var clients = 10_000
    var processes = 40
    /// The average seconds between a client's calls, exponentially distributed.
    var pause = 14.0
    var capacity = 1000.0
    var loss = 60.0..<120.0
    var length = 240.0
    /// The seconds that a request may wait at the origin before it is refused at once.
    var queueLimit = 2.0
    /// The seconds that a client waits for a response, in all.
    var patience = 1.0
    var latency = 0.005
    /// The cost of a refusal, as a part of a request's work.
    var refusalCost = 0.05

    private enum Event {
        case call(client: Int)
        case response(Exchange, isRefused: Bool)
        case patienceEnds(call: Int, client: Int)
        case unit(Call)
        case queueTimeOver(call: Int, client: Int)
    }

    private struct Call {
        var id: Int
        var client: Int
        var begun: Double
    }

    private struct Exchange {
        var call: Call
        var sent: Double
        var ticket: CircuitMachine.Ticket?
    }

    private struct Process {
        var registry: PermitRegistry
        var machine: AdaptiveMachine?
        var circuit: CircuitMachine?
        var waiting: [UInt64: Call] = [:]
    }

    func run(_ strategy: Strategy, seed: UInt64 = 1) throws -> Result {
        var run = try Run(self, strategy, seed)
        run.play()
        return run.result
    }

    private struct Run {
        let scenario: OverloadSimulation
        let origin: HTTPOrigin
        var random: SeededRandom
        var events = DeadlineQueue<Event>()
        var processes: [Process]
        var rate: RateMeter?
        /// The calls that have not ended.
        var open: [Int: Exchange?] = [:]
        var lastCall = 0
        /// The time at which the origin's queue will be done.
        var free = 0.0
        var result: Result

        init(_ scenario: OverloadSimulation, _ strategy: Strategy, _ seed: UInt64) throws {
            self.scenario = scenario
            origin = try HTTPOrigin("http://origin")
            random = SeededRandom(seed)
            let limit = strategy.adaptive?.initial ?? strategy.concurrency ?? .max
            let process = Process(
                registry: PermitRegistry(perOrigin: limit, total: .max, queueLimit: .max),
                machine: strategy.adaptive.map { AdaptiveMachine($0) },
                circuit: strategy.circuit.map { CircuitMachine($0) })
            processes = Array(repeating: process, count: scenario.processes)
            rate = strategy.rate.map {
                RateMeter(.tokenBucket($0, per: .seconds(1), burst: $0 / 20))
            }
            let seconds = Array(repeating: 0, count: Int(scenario.length) + 2)
            result = Result(
                strategy: strategy, arrivals: seconds, calls: seconds, successes: seconds,
                successesOfProcesses: Array(repeating: 0, count: scenario.processes))
        }

        mutating func play() {
            for client in 0..<scenario.clients { plan(client, after: 0) }
            while let (now, event) = events.popFirst(), now < scenario.length {
                switch event {
                case .call(let client): begin(client, at: now)
                case .unit(let call): enter(call, at: now)
                case .response(let exchange, let isRefused):
                    receive(exchange, isRefused, at: now)
                case .patienceEnds(let id, let client): giveUp(id, client, at: now)
                case .queueTimeOver(let id, let client):
                    // Only a call that still waits for its permit.
                    if open[id].map({ $0 == nil }) == true { giveUp(id, client, at: now) }
                }
            }
        }

        private mutating func plan(_ client: Int, after now: Double) {
            let pause = -log(1 - Double.random(in: 0..<1, using: &random)) * scenario.pause
            events.add(.call(client: client), at: now + pause)
        }

        private static func instant(_ seconds: Double) -> HTTPInstant {
            HTTPInstant(sinceStart: .seconds(seconds))
        }

        // MARK: The client's side

        private mutating func begin(_ client: Int, at now: Double) {
            lastCall += 1
            let call = Call(id: lastCall, client: client, begun: now)
            open[call.id] = .some(nil)
            events.add(
                .patienceEnds(call: call.id, client: client), at: now + scenario.patience)
            guard rate != nil else { return enter(call, at: now) }
            switch rate?.take(1...1, at: now, patience: scenario.patience) {
            case .taken(_, let wait)?: events.add(.unit(call), at: now + wait)
            default: end(call, false, at: now)
            }
        }

        private mutating func enter(_ call: Call, at now: Double) {
            guard open[call.id] != nil else { return }
            let index = call.client % scenario.processes
            if processes[index].circuit?.mayPass(at: Self.instant(now)) == false {
                _ = processes[index].circuit?.admit(at: Self.instant(now), jitter: 1)
                return end(call, false, at: now)
            }
            switch processes[index].registry.request(UInt64(call.id), origin, .normal) {
            case .granted: send(call, at: now)
            case .queued:
                processes[index].waiting[UInt64(call.id)] = call
                events.add(
                    .queueTimeOver(call: call.id, client: call.client),
                    at: now + result.strategy.queueTimeout)
            case .refused: end(call, false, at: now)
            }
        }

        private mutating func send(_ call: Call, at now: Double) {
            let index = call.client % scenario.processes
            var exchange = Exchange(call: call, sent: now)
            let jitter = Double.random(in: 0.8...1.2, using: &random)
            switch processes[index].circuit?.admit(at: Self.instant(now), jitter: jitter) {
            case .passed(let ticket)?: exchange.ticket = ticket
            case .refused?:
                release(index, at: now)
                return end(call, false, at: now)
            case nil: break
            }
            open[call.id] = .some(exchange)
            arrive(exchange, at: now)
        }

        private mutating func receive(_ exchange: Exchange, _ isRefused: Bool, at now: Double) {
            guard open[exchange.call.id] != nil else { return }  // the client has gone
            finish(exchange, isRefused ? .overload : .latency(now - exchange.sent), at: now)
            end(exchange.call, !isRefused, at: now)
        }

        private mutating func giveUp(_ id: Int, _ client: Int, at now: Double) {
            guard let state = open[id] else { return }
            let index = client % scenario.processes
            if let exchange = state {
                finish(exchange, .overload, at: now)
            } else if processes[index].registry.withdraw(UInt64(id)) {
                processes[index].waiting[UInt64(id)] = nil
            }
            end(Call(id: id, client: client, begun: now), false, at: now)
        }

        private mutating func finish(
            _ exchange: Exchange, _ sample: AdaptiveMachine.Sample, at now: Double
        ) {
            let index = exchange.call.client % scenario.processes
            if let ticket = exchange.ticket {
                let jitter = Double.random(in: 0.8...1.2, using: &random)
                processes[index].circuit?.record(
                    ticket, isFailure: sample == .overload, isSlow: false, at: Self.instant(now),
                    jitter: jitter)
            }
            let running = processes[index].registry.runningCount(of: origin)
            processes[index].machine?.add(
                sample, from: Self.instant(exchange.sent), running: running, at: Self.instant(now))
            release(index, at: now)
            guard let limit = processes[index].machine?.limit else { return }
            start(processes[index].registry.setLimit(limit, of: origin), index, at: now)
        }

        private mutating func release(_ index: Int, at now: Double) {
            let next = processes[index].registry.release(origin)
            start(next.map { [$0] } ?? [], index, at: now)
        }

        private mutating func start(_ ids: [UInt64], _ index: Int, at now: Double) {
            for id in ids {
                guard let call = processes[index].waiting.removeValue(forKey: id) else { continue }
                send(call, at: now)
            }
        }

        private mutating func end(_ call: Call, _ isSuccess: Bool, at now: Double) {
            open[call.id] = nil
            result.calls[Int(now)] += 1
            if isSuccess {
                result.successes[Int(now)] += 1
                if scenario.loss.contains(now) {
                    result.successesOfProcesses[call.client % scenario.processes] += 1
                }
            }
            plan(call.client, after: now)
        }

        // MARK: The origin's side

        /// Puts a request into the origin's queue. It is worked on even if its client has gone.
        private mutating func arrive(_ exchange: Exchange, at now: Double) {
            result.arrivals[Int(now)] += 1
            let work =
                1 / (scenario.loss.contains(now) ? scenario.capacity / 2 : scenario.capacity)
            free = max(free, now)
            if free - now > scenario.queueLimit {
                free += work * scenario.refusalCost
                events.add(.response(exchange, isRefused: true), at: now + scenario.latency)
            } else {
                free += work
                events.add(.response(exchange, isRefused: false), at: free + scenario.latency)
            }
        }
    }
}

extension OverloadSimulation.Result {
    private func mean(_ values: [Int], _ range: Range<Double>) -> Double {
        let slice = values[Int(range.lowerBound)..<Int(range.upperBound)]
        return Double(slice.reduce(0, +)) / Double(slice.count)
    }

    /// The calls per second that succeed while capacity is lost.
    func goodput(_ scenario: OverloadSimulation) -> Double {
        mean(successes, scenario.loss.lowerBound + 5..<scenario.loss.upperBound)
    }

    /// The highest number of requests per second that reach the origin, over ten seconds.
    func peak(_ scenario: OverloadSimulation) -> Double {
        stride(from: 0, to: scenario.length - 10, by: 1)
            .map { mean(arrivals, $0..<$0 + 10) }.max() ?? 0
    }

    /// The seconds from the return of capacity until 99 % of the calls succeed for five seconds in
    /// a row; `nil` if that never happens.
    func recovery(_ scenario: OverloadSimulation) -> Double? {
        let end = scenario.loss.upperBound
        return stride(from: end, to: scenario.length - 5, by: 1).first { start in
            (0..<5).allSatisfy {
                let second = Int(start) + $0
                return Double(successes[second]) >= 0.99 * Double(calls[second])
            }
        }.map { $0 - end }
    }

    /// Jain's index of the successes of the processes while capacity is lost: 1 if all are equal.
    var fairness: Double {
        let values = successesOfProcesses.map(Double.init)
        let (sum, squares) = (values.reduce(0, +), values.reduce(0) { $0 + $1 * $1 })
        return squares > 0 ? sum * sum / (Double(values.count) * squares) : 1
    }
}

/// Events by their time; those of one time in the order in which they were added.
private struct DeadlineQueue<Event> {
    private var heap: [(time: Double, number: Int, event: Event)] = []
    private var lastNumber = 0

    mutating func add(_ event: Event, at time: Double) {
        lastNumber += 1
        heap.append((time, lastNumber, event))
        var child = heap.count - 1
        while child > 0, case let parent = (child - 1) / 2, isBefore(child, parent) {
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func popFirst() -> (Double, Event)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            var parent = 0
            while true {
                var least = parent
                for child in [2 * parent + 1, 2 * parent + 2]
                where child < heap.count && isBefore(child, least) { least = child }
                if least == parent { break }
                heap.swapAt(parent, least)
                parent = least
            }
        }
        return (first.time, first.event)
    }

    private func isBefore(_ a: Int, _ b: Int) -> Bool {
        (heap[a].time, heap[a].number) < (heap[b].time, heap[b].number)
    }
}
