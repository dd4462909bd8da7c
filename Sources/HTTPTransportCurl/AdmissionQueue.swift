/// Who may run at one origin, and who waits, in the order they came.
///
/// In front of libcurl rather than inside: its own queue ignores time limits before 8.8, and a
/// burst opens a connection per request.
struct AdmissionQueue {
    private(set) var active = 0
    private var waiting: [Int] = []
    private var head = 0
    var limit: Int

    init(limit: Int) { self.limit = limit }

    var isIdle: Bool { active == 0 && head == waiting.count }

    /// Whether `slot` may start now; if not, it waits.
    mutating func enter(_ slot: Int) -> Bool {
        guard active < limit, head == waiting.count else {
            waiting.append(slot)
            return false
        }
        active += 1
        return true
    }

    /// An exchange that ran is over. Returns who may start instead.
    mutating func leave() { active -= 1 }

    /// Who may start now; asked until it answers `nil`.
    mutating func next() -> Int? {
        guard active < limit, head < waiting.count else { return nil }
        let slot = waiting[head]
        head += 1
        if head == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            head = 0
        }
        active += 1
        return slot
    }

    /// `slot` does not wait any more.
    mutating func withdraw(_ slot: Int) {
        guard let index = waiting[head...].firstIndex(of: slot) else { return }
        waiting.remove(at: index)
        if head == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            head = 0
        }
    }
}
