import HTTPCore

/// The units that have been taken of one rate. It decides how many more may be taken now, or when.
///
/// A decision is a promise: units that are available later are taken at once, and the time of those
/// that follow is later still. So units are given out in the order in which they are asked for, and
/// one question is enough for each.
struct RateMeter: Sendable, Equatable {
    enum Decision: Equatable {
        /// So many units are taken, to be used after a wait in seconds.
        case taken(Int, after: Double)
        /// Nothing is taken: the units would be available after this wait in seconds.
        case refused(after: Double)
    }

    private enum State: Sendable, Equatable {
        /// The time at which the bucket will be full.
        case bucket(full: Double)
        /// The units of each slot, in the order of time.
        case window([Slot])
    }

    fileprivate struct Slot: Sendable, Equatable {
        var number: Int64
        var units: Int
    }

    /// The number of slots in a window.
    static let slotCount: Int64 = 64

    let rate: HTTPRate
    private var state: State

    init(_ rate: HTTPRate) {
        self.rate = rate
        switch rate.law {
        case .tokenBucket: state = .bucket(full: -.infinity)
        case .slidingWindow: state = .window([])
        }
    }

    /// Takes units.
    ///
    /// - Parameters:
    ///   - units: The fewest and the most to take. If the fewest are not available now, they are
    ///     taken for later; otherwise as many as are available are taken.
    ///   - now: The time in seconds.
    ///   - patience: The longest wait in seconds.
    mutating func take(
        _ units: ClosedRange<Int>, at now: Double, patience: Double
    ) -> Decision {
        switch (rate.law, state) {
        case (.tokenBucket(let burst), .bucket(let full)):
            let seconds = rate.secondsPerUnit
            let start = max(full, now)
            let available = Double(burst) - (start - now) / seconds
            // A millionth of a unit less is no reason to wait.
            if available + 1e-6 >= Double(units.lowerBound) {
                let most = Double(units.upperBound)
                let count = available >= most ? units.upperBound : Int(available + 1e-6)
                state = .bucket(full: start + Double(count) * seconds)
                return .taken(count, after: 0)
            }
            // More than the bucket holds is taken from a full one.
            let needed = min(units.lowerBound, burst)
            let wait = max(0, (Double(needed) - available) * seconds)
            guard wait <= patience else { return .refused(after: wait) }
            state = .bucket(full: start + Double(units.lowerBound) * seconds)
            return .taken(units.lowerBound, after: wait)
        case (_, .window(let slots)): return take(units, at: now, patience, slots)
        case (.slidingWindow, .bucket): return .refused(after: 0)  // `init` makes no such state
        }
    }

    private mutating func take(
        _ units: ClosedRange<Int>, at now: Double, _ patience: Double, _ old: [Slot]
    ) -> Decision {
        let current = slot(at: now)
        var slots = old.filter { $0.number >= current - Self.slotCount }
        var place = max(current, slots.last?.number ?? current)
        var rest = units.lowerBound
        var first: Int64?
        // More than a window holds is spread over several.
        while true {
            let portion = min(rest, rate.limit)
            let used = slots.lazy.filter { [place] in $0.number >= place - Self.slotCount }
                .reduce(0) { $0 + $1.units }
            if used + portion > rate.limit {
                let oldest = slots.first { [place] in $0.number >= place - Self.slotCount }
                place = (oldest?.number ?? place) + Self.slotCount + 1
                continue
            }
            if first == nil {
                first = place
                if place == current, rest <= rate.limit {
                    let count = min(units.upperBound, rate.limit - used)
                    slots.add(count, to: place)
                    state = .window(slots)
                    return .taken(count, after: 0)
                }
                let wait = start(of: place) - now
                guard wait <= patience else { return .refused(after: wait) }
            }
            slots.add(portion, to: place)
            rest -= portion
            if rest == 0 { break }
        }
        state = .window(slots)
        return .taken(units.lowerBound, after: max(0, start(of: first ?? current) - now))
    }

    /// Gives back units that were taken and not used.
    mutating func refund(_ units: Int, at now: Double) {
        guard units > 0 else { return }
        switch state {
        case .bucket(let full):
            state = .bucket(full: full - Double(units) * rate.secondsPerUnit)
        case .window(var slots):
            var rest = units
            while rest > 0, let last = slots.popLast() {
                let part = min(rest, last.units)
                rest -= part
                if last.units > part {
                    slots.append(Slot(number: last.number, units: last.units - part))
                }
            }
            state = .window(slots)
        }
    }

    /// Returns whether the state is the one at the beginning.
    func isIdle(at now: Double) -> Bool {
        switch state {
        case .bucket(let full): full <= now
        case .window(let slots):
            (slots.last?.number ?? .min) < slot(at: now) - Self.slotCount
        }
    }

    private func slot(at now: Double) -> Int64 {
        let slots = now / rate.period.inSeconds * Double(Self.slotCount)
        return Int64(min(max(slots, -1e15), 1e15).rounded(.down))
    }

    private func start(of slot: Int64) -> Double {
        Double(slot) * rate.period.inSeconds / Double(Self.slotCount)
    }
}

extension [RateMeter.Slot] {
    fileprivate mutating func add(_ units: Int, to number: Int64) {
        if last?.number == number {
            self[count - 1].units += units
        } else {
            append(RateMeter.Slot(number: number, units: units))
        }
    }
}
