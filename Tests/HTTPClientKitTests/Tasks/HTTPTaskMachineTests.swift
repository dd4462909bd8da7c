import HTTPCore
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPClientKit

@Suite struct HTTPTaskMachineTests {
    private typealias Machine = HTTPTaskMachine<Int>

    private func outcome(_ value: Int) throws -> Machine.Outcome {
        let request = try HTTPRequest(.get, "https://h/")
        return Machine.Outcome(
            response: .success(HTTPResponse(.ok, body: HTTPBody("12345"), to: request)),
            result: .success(value))
    }

    private func name(_ delivery: Machine.Delivery) -> String {
        switch delivery {
        case .result(_, .success(let value)): "result \(value)"
        case .result(_, .failure): "no result"
        case .response(_, .success(let response)): "response \(response.status.code)"
        case .response(_, .failure): "no response"
        case .progress(_, let progress): "\(progress.kind) \(progress.bytes)"
        }
    }

    private func deliveries(of machine: inout Machine) -> [String] {
        guard machine.beginDelivery() else { return [] }
        var names: [String] = []
        while let delivery = machine.nextDelivery() { names.append(name(delivery)) }
        return names
    }

    @Test(.rows("S1-26", "S1-28"))
    func `a task is pending, executing, then finished, and starts once`() throws {
        var machine = Machine()
        #expect(machine.state == .pending)
        try #expect(machine.finish(outcome(1)) == false)
        #expect(machine.start() == true)
        #expect(machine.state == .executing)
        #expect(machine.start() == false)
        try #expect(machine.finish(outcome(1)) == true)
        #expect(machine.state == .finished)
        #expect(machine.start() == false)
        try #expect(machine.finish(outcome(2)) == false)
        #expect(try machine.outcome?.result.get() == 1)
    }

    @Test(.rows("S1-29"))
    func `cancelled before its start, a task never starts`() {
        var machine = Machine()
        #expect(machine.cancel() == true)
        #expect(machine.state == .cancelled)
        #expect(machine.start() == false)
        #expect(machine.cancel() == false)
        #expect(machine.outcome?.result.isCancelled == true)
    }

    @Test(.rows("S1-29"))
    func `after cancellation while executing, later results are ignored`() throws {
        var machine = Machine()
        #expect(machine.start() == true)
        #expect(machine.cancel() == true)
        try #expect(machine.finish(outcome(1)) == false)
        #expect(machine.state == .cancelled)
        #expect(machine.outcome?.result.isCancelled == true)
    }

    @Test(.rows("S1-29"))
    func `cancelling what has finished changes nothing`() throws {
        var machine = Machine()
        #expect(machine.start() == true)
        try #expect(machine.finish(outcome(1)) == true)
        #expect(machine.cancel() == false)
        #expect(machine.state == .finished)
    }

    @Test(.rows("S1-29"))
    func `a session that ends with cancellation cancels its task`() {
        var machine = Machine()
        #expect(machine.start() == true)
        #expect(machine.finish(.cancelled) == true)
        #expect(machine.state == .cancelled)
    }

    @Test(.rows("S1-33"))
    func `observers are called in the order they were added, each once, late ones too`()
        throws
    {
        var machine = Machine()
        machine.add(.result { _ in })
        machine.add(.response { _ in })
        #expect(machine.start() == true)
        #expect(deliveries(of: &machine).isEmpty)
        try #expect(machine.finish(outcome(1)) == true)
        #expect(deliveries(of: &machine) == ["result 1", "response 200"])
        #expect(deliveries(of: &machine).isEmpty)
        machine.add(.response { _ in })
        machine.add(.result { _ in })
        #expect(deliveries(of: &machine) == ["response 200", "result 1"])
    }

    @Test(.rows("S1-33"))
    func `one delivery is under way at a time`() throws {
        var machine = Machine()
        machine.add(.result { _ in })
        #expect(machine.start() == true)
        try #expect(machine.finish(outcome(1)) == true)
        #expect(machine.beginDelivery() == true)
        #expect(machine.beginDelivery() == false)
        machine.add(.result { _ in })  // joins the delivery under way
        #expect(machine.beginDelivery() == false)
        #expect(machine.nextDelivery() != nil)
        #expect(machine.nextDelivery() != nil)
        #expect(machine.nextDelivery() == nil)
        #expect(machine.beginDelivery() == false)
    }

    @Test(.rows("S1-33"))
    func `the observer furthest behind gets progress first, and results come last`()
        throws
    {
        var machine = Machine()
        machine.add(.result { _ in })
        machine.add(.progress { _ in })
        machine.add(.progress { _ in })
        #expect(machine.start() == true)
        #expect(machine.advance(HTTPTransferProgress(.download, bytes: 1, length: 5)) == true)
        #expect(machine.beginDelivery() == true)
        #expect(machine.nextDelivery().map { name($0) } == "download 1")
        #expect(machine.advance(HTTPTransferProgress(.download, bytes: 2, length: 5)) == true)
        #expect(machine.nextDelivery().map { name($0) } == "download 2")  // for the second
        #expect(machine.nextDelivery().map { name($0) } == "download 2")
        #expect(machine.nextDelivery() == nil)
        try #expect(machine.finish(outcome(1)) == true)
        #expect(deliveries(of: &machine) == ["download 5", "download 5", "result 1"])
    }

    @Test(.rows("S1-33"))
    func `a late observer of progress receives the newest`() throws {
        var machine = Machine()
        #expect(machine.start() == true)
        #expect(machine.advance(HTTPTransferProgress(.upload, bytes: 8, length: 9)) == true)
        try #expect(machine.finish(outcome(1)) == true)
        machine.add(.progress { _ in })
        #expect(deliveries(of: &machine) == ["download 5"])
    }

    @Test func `after the end there is no progress`() {
        var machine = Machine()
        #expect(machine.advance(HTTPTransferProgress(.upload, bytes: 1, length: nil)) == false)
        #expect(machine.start() == true)
        #expect(machine.cancel() == true)
        #expect(machine.advance(HTTPTransferProgress(.upload, bytes: 1, length: nil)) == false)
        machine.add(.progress { _ in })
        #expect(deliveries(of: &machine).isEmpty)
    }

    /// Any events in any order.
    @Test(.rows("S1-33"), arguments: 0..<200 as Range<UInt64>)
    func `every observer is called once, in any order of events`(seed: UInt64) throws {
        var random = Dice(state: seed)
        var machine = Machine()
        let outcome = try outcome(1)
        var (observers, told, ends) = (0, 0, 0)
        for _ in 0..<60 {
            switch random.next() % 6 {
            case 0: _ = machine.start()
            case 1: ends += random.next() % 4 == 0 && machine.finish(outcome) ? 1 : 0
            case 2: ends += random.next() % 8 == 0 && machine.cancel() ? 1 : 0
            case 3:
                _ = machine.advance(
                    HTTPTransferProgress(.download, bytes: Int64(random.next() % 9), length: 9))
            case 4:
                let isOfResult = random.next() % 2 == 0
                machine.add(isOfResult ? .result { _ in } : .progress { _ in })
                observers += isOfResult ? 1 : 0
            default: told += tellAll(&machine)
            }
        }
        ends += machine.cancel() ? 1 : 0
        told += tellAll(&machine)
        #expect(ends == 1)
        #expect(machine.state.isOver)
        #expect(machine.beginDelivery() == false)
        #expect(told == observers)
        func tellAll(_ machine: inout Machine) -> Int {
            deliveries(of: &machine).count { $0.hasSuffix("result") || $0.hasPrefix("result") }
        }
    }
}

private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}

extension Result {
    var isCancelled: Bool {
        if case .failure(let error) = self { error is CancellationError } else { false }
    }
}
