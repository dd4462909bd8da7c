import CHTTPTransportCurl
import HTTPCore
import PortableFoundation
import TestSupport

@testable import HTTPTransportCurl

/// A random schedule of events for the scheduler, the connections and the machines of a few
/// exchanges: what libcurl, servers and callers may do, without any of them.
///
/// It keeps ledgers of its own, in the simplest way, and compares them after each event.
struct LoopSchedule {
    /// A violation of the law, with what has happened before it.
    struct Violation: Error {
        let seed: UInt64
        let reason: String
        let events: [String]
    }

    /// A call as its caller sees it.
    private final class Call {
        let exchange: Int
        let isIdempotent: Bool
        let hasContent: Bool
        var slot = 0
        var lane: Int
        var machine: TransferMachine
        var use = Connections.Use.none
        /// The connection that it has used last, with the port of its socket.
        var former: (id: KeptConnections.ID, port: Int32?)?
        var opened: [Int32] = []
        var isResting = false
        /// `true` while libcurl has it.
        var isInLibrary = false
        /// The bytes of requests that libcurl has taken since its last start.
        var taken = 0
        /// `true` if the send under way may have reached a server that processes it.
        var isOnItsWay = false
        /// `true` if an earlier send may have been processed.
        var mayBeProcessed = false
        var ends = 0

        init(_ exchange: Int, lane: Int, isIdempotent: Bool, hasContent: Bool) {
            self.exchange = exchange
            self.lane = lane
            self.isIdempotent = isIdempotent
            self.hasContent = hasContent
            machine = TransferMachine(hasContent: hasContent, asksFirst: false)
        }

    }

    /// Sockets of a system that does not exist.
    final class Sockets: Connections.SocketCalls {
        var readable: Set<Int32> = []
        var ports: [Int32: Int32] = [:]
        var time: Int64 = 0
        override var now: Int64 { time }
        override func isReadable(_ descriptor: Int32) -> Bool { readable.contains(descriptor) }
        override func shutDown(_ descriptor: Int32) { readable.insert(descriptor) }
        override func localPort(of descriptor: Int32) -> Int32 { ports[descriptor] ?? 0 }
        override func cookie(of descriptor: Int32) -> UInt64 { UInt64(ports[descriptor] ?? 0) }
        override func receiveAge(of descriptor: Int32, isQUIC: Bool) -> Int64 { -1 }
        override func peek(_ descriptor: Int32, _ count: Int) -> [UInt8] { [] }
    }

    private struct Ledger {
        var waiting: [Int] = []
        /// The exchanges that had their turn and wait for another one.
        var returned: [Int] = []
        var running: Set<Int> = []
    }

    private let seed: UInt64
    private var random: SeededRandom
    private let sockets = Sockets()
    private let connections: Connections
    private var scheduler = Scheduler()
    private let lanes: [Lane]
    private var ledgers: [Ledger]
    private var calls: [Int: Call] = [:]
    private var slots: [Int: Int] = [:]
    private var over: [Call] = []
    private var hadTurn: Set<Int> = []
    private var next = 0
    private var lastPort: Int32 = 1000
    /// The open sockets, with the lanes that they were made for.
    private var open: [Int32: Int] = [:]
    /// The connections that exchanges have used, and when the first one began.
    private var ids: [Int32: KeptConnections.ID] = [:]
    private var firstUses: [KeptConnections.ID: Int64] = [:]
    /// The connections whose servers have said how many exchanges they take.
    private var settled: Set<KeptConnections.ID> = []
    /// The sockets that have carried a response of HTTP/1.
    private var http1: Set<Int32> = []
    private var events: [String] = []
    private let keepsEvents: Bool

    /// - Parameter keepsEvents: `true` to keep the events for a report, which takes time.
    init(seed: UInt64, _ origins: [HTTPOrigin], keepsEvents: Bool = false) {
        self.seed = seed
        self.keepsEvents = keepsEvents
        random = SeededRandom(seed)
        connections = Connections(needsCookies: true, calls: sockets)
        var random = random
        lanes = origins.map { origin in
            Lane(
                ConnectionRoute(origin: origin), limit: Int.random(in: 1...3, using: &random),
                waitingLimit: Int.random(in: 0...4, using: &random))
        }
        ledgers = lanes.map { _ in Ledger() }
        self.random = random
    }

    /// Runs the schedule to its end.
    mutating func run() throws(Violation) {
        let count = Int.random(in: 5...60, using: &random)
        for _ in 0..<count {
            try step()
            try compare()
        }
        // All limits of the calls that are left pass.
        for call in calls.values.sorted(by: { $0.exchange < $1.exchange }) {
            try finish(call, failed: true)
        }
        try startNext()
        try compare()
        for descriptor in open.keys.sorted() { close(descriptor) }
        try check(scheduler.isEmpty && !scheduler.hasChanged, "the scheduler holds something")
        try check(lanes.allSatisfy { $0.queue.isIdle }, "a lane is not idle")
        try check(lanes.allSatisfy { $0.openSockets == 0 }, "a lane counts sockets that are closed")
        try check(connections.socketCount == 0, "a socket is held")
        try check(
            connections.nextDue == .max || connections.shutDownDue(at: .max - 1 << 40).isEmpty,
            "a connection is held")
        try check(over.allSatisfy { $0.ends == 1 }, "a body has not ended once")
    }

    // MARK: Events

    private mutating func step() throws(Violation) {
        sockets.time += Int64.random(in: 0...40_000_000, using: &random)
        if Int.random(in: 0..<40, using: &random) == 0 { sockets.time += 5_000_000_000 }
        switch Int.random(in: 0..<24, using: &random) {
        case 0...4: try submit()
        case 5...8: try openAndWrite()
        case 9...12: try writeOnKept()
        case 13: try respond()
        case 14, 15: try complete()
        case 16: try refuse()
        case 17: try fail(with: CHTTP_E_RECV_ERROR)
        case 18: if let call = pick() { try finish(call, failed: true) }
        case 19: closeIdle()
        case 20: becomeReadable()
        case 21: try learn()
        case 22: try endRest()
        default: try repeatLate()
        }
        // Several events may come before the loop starts what may run.
        if Int.random(in: 0..<3, using: &random) > 0 { try startNext() }
    }

    private mutating func pick(where fits: (Call) -> Bool = { _ in true }) -> Call? {
        let some = calls.values.filter(fits).sorted { $0.exchange < $1.exchange }
        return some.randomElement(using: &random)
    }

    private mutating func submit() throws(Violation) {
        guard calls.count < 9 else { return }
        next += 1
        let lane = Int.random(in: lanes.indices, using: &random)
        let call = Call(
            next, lane: lane, isIdempotent: Bool.random(using: &random),
            hasContent: Bool.random(using: &random))
        call.slot = scheduler.add(in: lanes[lane])
        try check(slots[call.slot] == nil, "the number \(call.slot) is used twice")
        slots[call.slot] = call.exchange
        calls[call.exchange] = call
        note("submit", call)
        try enter(call)
    }

    private mutating func enter(_ call: Call) throws(Violation) {
        let lane = lanes[call.lane]
        let (limit, waitingLimit) = (lane.queue.limit, lane.queue.waitingLimit)
        let ledger = ledgers[call.lane]
        let free = limit - ledger.running.count - ledger.returned.count
        let stayCount = ledger.waiting.count - max(0, free)
        let expected: AdmissionQueue.Admission =
            if ledger.running.count < limit, ledger.waiting.isEmpty, ledger.returned.isEmpty {
                .start
            } else if hadTurn.contains(call.exchange) || stayCount < waitingLimit {
                .wait
            } else {
                .refuse
            }
        let admission = scheduler.enter(call.slot, in: lane)
        try check(admission == expected, "\(admission) in place of \(expected)", call)
        switch admission {
        case .start: try start(call)
        case .wait where hadTurn.contains(call.exchange):
            ledgers[call.lane].returned.append(call.exchange)
        case .wait: ledgers[call.lane].waiting.append(call.exchange)
        case .refuse: try finish(call, failed: true)
        }
    }

    private mutating func start(_ call: Call) throws(Violation) {
        try check(!call.isInLibrary && !call.isResting, "started twice at once", call)
        ledgers[call.lane].running.insert(call.exchange)
        hadTurn.insert(call.exchange)
        call.machine.admit()
        call.isInLibrary = true
        call.taken = 0
        note("start", call)
    }

    private mutating func startNext() throws(Violation) {
        while let slot = scheduler.next() {
            guard let exchange = slots[slot], let call = calls[exchange] else {
                throw violation("an exchange that is over has its turn")
            }
            let ledger = ledgers[call.lane]
            try check(
                (ledger.returned.first ?? ledger.waiting.first) == exchange, "out of turn", call)
            try check(ledger.running.count < lanes[call.lane].queue.limit, "too many run", call)
            if ledger.returned.isEmpty {
                ledgers[call.lane].waiting.removeFirst()
            } else {
                ledgers[call.lane].returned.removeFirst()
            }
            try start(call)
        }
        for (lane, ledger) in zip(lanes, ledgers) {
            let isLost = ledger.waiting.count + ledger.returned.count > 0
            try check(
                !isLost || ledger.running.count >= lane.queue.limit, "an exchange waits for nothing"
            )
        }
    }

    private mutating func openAndWrite() throws(Violation) {
        guard let call = pick(where: { $0.isInLibrary && $0.machine.stage <= .waiting }) else {
            return
        }
        lastPort += 1
        // The lowest number that is free, as a system gives it.
        var descriptor: Int32 = 3
        while open[descriptor] != nil { descriptor += 1 }
        open[descriptor] = call.lane
        sockets.ports[descriptor] = lastPort
        sockets.readable.remove(descriptor)
        connections.opened(descriptor, for: lanes[call.lane])
        call.opened.append(descriptor)
        note("open \(descriptor)", call)
        if Bool.random(using: &random) { try write(call, to: descriptor) }
    }

    private mutating func writeOnKept() throws(Violation) {
        guard let call = pick(where: { $0.isInLibrary && $0.machine.stage <= .waiting }),
            let descriptor = open.keys.filter({ open[$0] == call.lane }).sorted()
                .randomElement(using: &random)
        else { return }
        try write(call, to: descriptor)
    }

    private mutating func write(_ call: Call, to descriptor: Int32) throws(Violation) {
        leaveConnection(call)
        // libcurl tells the number of connections that it has made for the exchange.
        let isNew = !call.opened.isEmpty
        let port = sockets.localPort(of: descriptor)
        let awaitsSettings = lanes[call.lane].mayShareConnections
        let users = users
        let beginning = connections.begin(
            Connections.Choice(
                ends: KeptConnections.Ends(
                    address: "192.0.2.\(call.lane)", remotePort: 443, localPort: port),
                isNew: isNew, opened: call.opened, hasUnreadRecords: false,
                awaitsSettings: awaitsSettings, pool: 0),
            at: sockets.time)
        note("write \(descriptor) \(beginning)", call)
        switch beginning {
        case .begun(let use):
            call.use = use
            if let id = use.id {
                try check(id.descriptor == descriptor, "on another connection", call)
                try check(isNew || !connections.isSpent(id), "on a spent connection", call)
                let age = firstUses[id].map { sockets.time - $0 } ?? .max
                try check(
                    isNew || !awaitsSettings || users[id, default: 0] == 0 || settled.contains(id)
                        || age >= KeptConnections.longestSettling,
                    "on a connection that is not settled", call)
                ids[descriptor] = id
                if firstUses[id] == nil { firstUses[id] = sockets.time }
                try check(
                    isNew || !http1.contains(descriptor) || !sockets.readable.contains(descriptor),
                    "on a connection with something to read", call)
            } else {
                try check(isNew, "on a connection that is not known", call)
            }
        case .stale: call.machine.foundStale()
        case .spent: call.machine.foundSpent()
        case .unsettled: call.machine.foundUnsettled()
        }
        guard case .begun = beginning else {
            return try fail(call, with: CHTTP_E_ABORTED_BY_CALLBACK)
        }
        if call.isOnItsWay { call.mayBeProcessed = true }
        call.isOnItsWay = false
        let writing = call.machine.write(
            Resends.Send(
                connections: call.opened.count, bytes: call.taken, isIdempotent: call.isIdempotent,
                seesStreams: true))
        guard writing != .refused else { return try fail(call, with: CHTTP_E_ABORTED_BY_CALLBACK) }
        try check(
            call.isIdempotent || !call.mayBeProcessed, "sent again against the law", call)
        // Some requests fail before any byte is written.
        if Int.random(in: 0..<4, using: &random) > 0 {
            call.taken += 100
            call.isOnItsWay = true
        }
    }

    private mutating func respond() throws(Violation) {
        guard let call = pick(where: { $0.isInLibrary && $0.isOnItsWay }) else { return }
        note("head", call)
        call.machine.receive()
        call.mayBeProcessed = true
        _ = call.machine.receive(
            head: .ok, mayBeHTTP1: true)
        if let id = call.use.id {
            let lane = lanes[call.lane]
            lane.speaksHTTP1 = Bool.random(using: &random)
            lane.isMultiplexed = !lane.speaksHTTP1
            if lane.speaksHTTP1 {
                connections.speaksHTTP1(id)
                http1.insert(id.descriptor)
            } else {
                connections.settled(id)
                settled.insert(id)
            }
            scheduler.limit(lane, to: lane.speaksHTTP1 ? 2 : 5)
        }
    }

    private mutating func complete() throws(Violation) {
        guard let call = pick(where: { $0.machine.hasHead }) else { return }
        try finish(call, failed: false)
    }

    /// The server refuses the stream, or all streams of the connection, without processing them.
    private mutating func refuse() throws(Violation) {
        guard let call = pick(where: { $0.isOnItsWay && $0.machine.stage == .waiting }) else {
            return
        }
        note("refuse", call)
        call.machine.refuse()
        call.isOnItsWay = false
        guard call.machine.startsAgain(after: .refused) else {
            return try finish(call, failed: true)
        }
        try waitAgain(call, .refused)
    }

    private mutating func fail(with code: Int32) throws(Violation) {
        guard let call = pick(where: { $0.isInLibrary }) else { return }
        if Bool.random(using: &random), let id = call.use.id, connections.broke(id) {
            note("broke \(id.descriptor)", call)
            _ = connections.takeLeft()
            try check(connections.takeBroken().contains(id), "a failure is lost", call)
        }
        try fail(call, with: code)
    }

    private mutating func fail(_ call: Call, with code: Int32) throws(Violation) {
        note("fail \(code)", call)
        guard let reason = call.machine.freshStart(after: code, socketError: 0) else {
            return try finish(call, failed: true)
        }
        switch reason {
        case .refused, .unsettledConnection: try waitAgain(call, reason)
        default:
            if call.isOnItsWay, reason != .expectationRefused { call.mayBeProcessed = true }
            call.isOnItsWay = false
            leaveConnection(call)
            call.machine.restart(reason, taken: call.taken)
            call.taken = 0
            call.opened = []
        }
    }

    private mutating func waitAgain(_ call: Call, _ reason: FreshStart) throws(Violation) {
        if call.isOnItsWay { call.mayBeProcessed = true }
        call.isOnItsWay = false
        detach(call)
        scheduler.close(lanes[call.lane])
        call.machine.restart(reason, taken: call.taken)
        call.taken = 0
        call.opened = []
        if call.machine.starts?.rest == nil {
            try enter(call)
        } else {
            call.isResting = true
            note("rest", call)
        }
    }

    private mutating func endRest() throws(Violation) {
        guard let call = pick(where: { $0.isResting }) else { return }
        call.isResting = false
        try enter(call)
    }

    private mutating func finish(_ call: Call, failed: Bool) throws(Violation) {
        guard !call.machine.isOver else { return }
        note(failed ? "fails" : "completes", call)
        call.machine.end(failed ? .failed(CancellationError()) : .complete(trailers: nil))
        call.ends += 1
        detach(call)
        scheduler.remove(call.slot)
        slots[call.slot] = nil
        calls[call.exchange] = nil
        over.append(call)
    }

    private mutating func detach(_ call: Call) {
        leaveConnection(call)
        call.isInLibrary = false
        scheduler.withdraw(call.slot)
        ledgers[call.lane].running.remove(call.exchange)
        ledgers[call.lane].waiting.removeAll { $0 == call.exchange }
        ledgers[call.lane].returned.removeAll { $0 == call.exchange }
    }

    private func leaveConnection(_ call: Call) {
        if let id = call.use.id { call.former = (id, sockets.ports[id.descriptor]) }
        connections.end(call.use, due: sockets.time + 2_000_000_000)
        call.use = .none
    }

    private mutating func close(_ descriptor: Int32) {
        connections.closed(descriptor)
        open[descriptor] = nil
        http1.remove(descriptor)
        ids[descriptor] = nil
        sockets.readable.remove(descriptor)
    }

    /// libcurl closes what nothing uses, or was shut down.
    private mutating func closeIdle() {
        _ = connections.shutDownDue(at: sockets.time)
        connections.planCleaning(at: sockets.time)
        let used = Set(calls.values.compactMap { $0.use.id?.descriptor })
        let idle = open.keys.filter { !used.contains($0) }.sorted()
        guard let descriptor = idle.randomElement(using: &random) else { return }
        note("close \(descriptor)", nil)
        close(descriptor)
        // Some are closed twice: the number is free.
        if Bool.random(using: &random) { connections.closed(descriptor) }
    }

    private mutating func becomeReadable() {
        guard let descriptor = open.keys.sorted().randomElement(using: &random) else { return }
        note("readable \(descriptor)", nil)
        sockets.readable.insert(descriptor)
        if Bool.random(using: &random) {
            connections.willRead(descriptor, at: sockets.time)
        } else {
            connections.ready(descriptor, at: sockets.time)
        }
    }

    private mutating func learn() throws(Violation) {
        guard let call = pick(where: { $0.use.id != nil }), let id = call.use.id else { return }
        if Bool.random(using: &random) {
            note("spend \(id.descriptor)", call)
            connections.spend(id)
        } else {
            connections.settled(id)
            settled.insert(id)
            scheduler.limit(lanes[call.lane], to: Int.random(in: 1...6, using: &random))
        }
    }

    /// Events that come once more, or after the end.
    private mutating func repeatLate() throws(Violation) {
        if let call = over.randomElement(using: &random) {
            try finish(call, failed: true)
            if case .nothing = call.machine.abandon(left: 0) {
            } else {
                throw violation("an exchange that is over is abandoned", call)
            }
            connections.end(call.use, due: sockets.time)
            // Another socket has the number of the one that the exchange has used.
            if let former = call.former, sockets.ports[former.id.descriptor] != former.port {
                connections.end(.identified(former.id), due: sockets.time)
            }
            // No other exchange has its number yet.
            if slots[call.slot] == nil { scheduler.remove(call.slot) }
        }
        if let call = pick(where: { $0.isInLibrary }) {
            let admission = scheduler.enter(call.slot, in: lanes[call.lane])
            try check(admission == .wait, "a turn is given twice", call)
        }
    }

    // MARK: Ledgers

    /// The exchanges on each connection.
    private var users: [KeptConnections.ID: Int] {
        calls.values.reduce(into: [:]) { users, call in
            if let id = call.use.id { users[id, default: 0] += 1 }
        }
    }

    private func compare() throws(Violation) {
        for (lane, ledger) in zip(lanes, ledgers) {
            try check(lane.queue.active == ledger.running.count, "the count of turns differs")
            try check(
                lane.queue.waitingCount == ledger.waiting.count + ledger.returned.count,
                "the count of those that wait differs")
        }
        let users = users
        for (descriptor, id) in ids where open[descriptor] != nil {
            try check(
                connections.isUsed(id) == (users[id, default: 0] > 0),
                "it is not known whether a connection is used")
        }
        for index in lanes.indices {
            try check(
                lanes[index].openSockets == open.values.count { $0 == index },
                "the count of sockets differs")
        }
    }

    private mutating func note(_ event: String, _ call: Call?) {
        guard keepsEvents else { return }
        events.append(call.map { "\(event) (\($0.exchange), lane \($0.lane))" } ?? event)
    }

    private func check(
        _ isRight: Bool, _ reason: @autoclosure () -> String, _ call: Call? = nil
    ) throws(Violation) {
        if !isRight { throw violation(reason(), call) }
    }

    private func violation(_ reason: String, _ call: Call? = nil) -> Violation {
        Violation(
            seed: seed, reason: call.map { "\(reason): exchange \($0.exchange)" } ?? reason,
            events: events)
    }
}
