/// Who may run at one origin, and who waits, in the order they came.
///
/// In front of libcurl rather than inside: its own queue ignores time limits before 8.8, and a
/// burst opens a connection per request.
struct AdmissionQueue {
    private(set) var active = 0
    private var waiting = FIFOQueue<Int>()
    var limit: Int

    init(limit: Int) { self.limit = limit }

    var isIdle: Bool { active == 0 && waiting.isEmpty }

    /// Whether `slot` may start now; if not, it waits.
    mutating func enter(_ slot: Int) -> Bool {
        guard active < limit, waiting.isEmpty else {
            waiting.append(slot)
            return false
        }
        active += 1
        return true
    }

    /// An exchange that ran is over: ask ``next()`` who may start instead.
    mutating func leave() { active -= 1 }

    /// Who may start now; asked until it answers `nil`.
    mutating func next() -> Int? {
        guard active < limit, let slot = waiting.popFirst() else { return nil }
        active += 1
        return slot
    }

    /// `slot` does not wait any more.
    mutating func withdraw(_ slot: Int) { waiting.removeFirst { $0 == slot } }
}
