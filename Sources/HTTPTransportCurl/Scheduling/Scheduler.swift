/// Decides which exchange goes next: those of one lane take turns, as many at a time as their
/// server takes.
///
/// It knows exchanges by their numbers, and calls nothing. Each exchange that was added is in one
/// of three places: it waits for its turn, it has its turn, or neither, because it has just been
/// added, rests, or moves to another lane.
struct Scheduler {
    private enum Position { case apart, waiting, running }

    private struct Entry {
        /// `nil` if no exchange has the number.
        var lane: Lane?
        var position = Position.apart
        /// `true` if the exchange had a turn before. It is not refused then.
        var wasAdmitted = false
    }

    /// The exchanges by their numbers.
    private var entries: [Entry] = []
    private var freeSlots: [Int] = []
    /// The lanes of which something has changed since ``next()`` has looked at them.
    private var changed: [Lane] = []

    /// `true` if no exchange is left.
    var isEmpty: Bool { entries.count == freeSlots.count }

    /// `true` if ``next()`` is to be called.
    var hasChanged: Bool { !changed.isEmpty }

    /// Adds an exchange, apart. Returns its number, which is used again once it is removed.
    mutating func add(in lane: Lane) -> Int {
        guard let slot = freeSlots.popLast() else {
            entries.append(Entry(lane: lane))
            return entries.count - 1
        }
        entries[slot].lane = lane
        return slot
    }

    /// Forgets an exchange, wherever it is.
    mutating func remove(_ slot: Int) {
        guard isKnown(slot) else { return }
        withdraw(slot)
        entries[slot] = Entry()
        freeSlots.append(slot)
    }

    /// Gives an exchange that is apart its turn in `lane`, or has it wait for it. It stays apart if
    /// it is refused, because too many wait already.
    mutating func enter(_ slot: Int, in lane: Lane) -> AdmissionQueue.Admission {
        guard isKnown(slot), case .apart = entries[slot].position else { return .wait }
        let admission = lane.queue.enter(slot, wasAdmitted: entries[slot].wasAdmitted)
        entries[slot].lane = lane
        switch admission {
        case .start: run(slot)
        case .wait: entries[slot].position = .waiting
        case .refuse: break
        }
        return admission
    }

    private mutating func run(_ slot: Int) {
        entries[slot].position = .running
        entries[slot].wasAdmitted = true
    }

    /// Takes an exchange out of the queue, or takes its turn away. It is apart then.
    mutating func withdraw(_ slot: Int) {
        guard isKnown(slot), let lane = entries[slot].lane else { return }
        switch entries[slot].position {
        case .apart: return
        case .waiting: lane.queue.withdraw(slot)
        case .running: lane.queue.leave()
        }
        entries[slot].position = .apart
        note(lane)
    }

    /// Returns an exchange that has waited and has its turn from now on, or `nil` if none may.
    mutating func next() -> Int? {
        while let lane = changed.last {
            if let slot = lane.queue.next() {
                run(slot)
                return slot
            }
            changed.removeLast()
            lane.isChanged = false
            if lane.queue.isIdle { lane.forgetServer() }
        }
        return nil
    }

    /// Sets the number of exchanges of a lane that have their turn at a time. Those that have one
    /// keep it.
    mutating func limit(_ lane: Lane, to limit: Int) {
        if limit > lane.queue.limit, lane.queue.waitingCount > 0 { note(lane) }
        lane.queue.limit = limit
    }

    /// Lets no other exchange of a lane have its turn until one that has it has ended: the server
    /// has refused one.
    mutating func close(_ lane: Lane) { lane.queue.limit = max(1, lane.queue.active) }

    private mutating func note(_ lane: Lane) {
        guard !lane.isChanged else { return }
        lane.isChanged = true
        changed.append(lane)
    }

    private func isKnown(_ slot: Int) -> Bool {
        entries.indices.contains(slot) && entries[slot].lane != nil
    }
}
