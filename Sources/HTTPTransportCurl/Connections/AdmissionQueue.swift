/// Who may run on one route, and who waits, in the order they came.
///
/// In front of libcurl rather than inside: its own queue ignores time limits before 8.8, and a
/// burst opens a connection per request.
struct AdmissionQueue {
    private(set) var active = 0
    private var waiting = FIFOQueue<Int>()
    var limit: Int
    let waitingLimit: Int

    init(limit: Int, waitingLimit: Int = .max) {
        self.limit = limit
        self.waitingLimit = waitingLimit
    }

    var isIdle: Bool { active == 0 && waiting.isEmpty }
    var waitingCount: Int { waiting.count }

    enum Admission { case start, wait, refuse }

    /// Whether `slot` may start now, waits, or finds no place to wait.
    mutating func enter(_ slot: Int) -> Admission {
        guard active < limit, waiting.isEmpty else {
            guard waiting.count < waitingLimit else { return .refuse }
            waiting.append(slot)
            return .wait
        }
        active += 1
        return .start
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
