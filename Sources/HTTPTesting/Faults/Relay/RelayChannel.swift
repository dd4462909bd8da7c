import HTTPCore

/// One direction of a relayed connection. Decides which bytes pass and when; does no I/O.
struct RelayChannel {
    typealias Instant = ContinuousClock.Instant

    enum Step: Equatable {
        /// Nothing to do until bytes arrive.
        case idle
        case wait(until: Instant)
        /// The bytes to send next. Report the number of bytes sent with ``wrote(_:now:)``.
        case write(ArraySlice<UInt8>)
        /// All bytes have passed, and the stream ends. Returned once.
        case end
        case stop(RelayFaults.Break.Kind)
    }

    /// The most bytes to hold, so that a slow receiver slows its sender.
    private static let highWater = 256 << 10

    private let faults: RelayFaults
    private var held: [(bytes: ArraySlice<UInt8>, due: Instant)] = []
    private var heldCount = 0
    private var passed = 0
    /// The time at which the rate allows the next bytes.
    private var allowed: Instant?
    private var endDue: Instant?
    private(set) var isEnded = false

    init(_ faults: RelayFaults) { self.faults = faults }

    private var isStopped: Bool { faults.end.map { passed >= $0.bytes } ?? false }

    var isStalled: Bool { isStopped && faults.end?.kind == .stall }

    /// `true` if more bytes should be read from the sender.
    var wantsBytes: Bool { !isStopped && endDue == nil && heldCount < Self.highWater }

    mutating func received(_ bytes: ArraySlice<UInt8>, now: Instant) {
        held.append((bytes, now + faults.delay.saturated))
        heldCount += bytes.count
    }

    mutating func receivedEnd(now: Instant) { endDue = endDue ?? now + faults.delay.saturated }

    mutating func next(now: Instant) -> Step {
        if let end = faults.end, isStopped { return .stop(end.kind) }
        guard let first = held.first else {
            guard let endDue, !isEnded else { return .idle }
            if endDue > now { return .wait(until: endDue) }
            isEnded = true
            return .end
        }
        let due = max(first.due, allowed ?? first.due)
        if due > now { return .wait(until: due) }
        var count = first.bytes.count
        // Fifty pieces a second look like a steady stream.
        if let rate = faults.rate { count = min(count, max(1, rate / 50)) }
        if let end = faults.end { count = min(count, max(0, end.bytes) - passed) }
        return .write(first.bytes.prefix(count))
    }

    mutating func wrote(_ count: Int, now: Instant) {
        guard !held.isEmpty, count > 0 else { return }
        passed += count
        heldCount -= count
        held[0].bytes = held[0].bytes.dropFirst(count)
        if held[0].bytes.isEmpty { held.removeFirst() }
        if let rate = faults.rate { allowed = now + .seconds(1) * count / max(1, rate) }
    }
}
