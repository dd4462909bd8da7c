import CHTTPTransportCurl
import HTTPCore

/// The turn that a loop is in: its time, what was done in it, and the tasks to resume at its end.
/// The loop's objects share it, and ``Reactor`` begins the next one. Lives on the loop's thread.
// @exclusivity(unchecked): see ``Reactor``.
final class LoopTurn {
    /// The time of the turn, in monotonic nanoseconds.
    @safe @exclusivity(unchecked) var now = chttp_monotonic_ns()
    /// The number of turns so far.
    @safe @exclusivity(unchecked) private(set) var count = 0
    /// The number of times that an exchange or a socket has made progress, in all turns.
    @safe @exclusivity(unchecked) private(set) var progressCount = 0
    /// The bytes of content that were received or sent in the turn.
    @safe @exclusivity(unchecked) private var content = 0
    @safe @exclusivity(unchecked) private(set) var resumptions: [Suspension] = []

    /// The content, in bytes, after which transfers that have more of it wait for the next turn, so
    /// that other sockets and tasks get theirs. One call of libcurl may take up to 3 MiB, or 13 MiB
    /// before 8.6.
    private static let share = 1 << 20

    /// `true` if transfers have had their share of the turn.
    var isFull: Bool { content > Self.share }

    func begin() {
        updateTime()
        count += 1
        content = 0
    }

    func updateTime() { now = chttp_monotonic_ns() }

    /// Records that an exchange or a socket has made progress. Returns the turn's time.
    @discardableResult
    func progress(content bytes: Int = 0) -> Int64 {
        progressCount &+= 1
        content += bytes
        return now
    }

    /// Resumes a task together with others of this turn.
    func willResume(_ suspension: Suspension) { resumptions.append(suspension) }

    /// Resumes the tasks whose waits have ended. Each one that is resumed here may wake a thread of
    /// the global executor. Several are therefore resumed on such a thread, which is awake.
    func resumeTasks() {
        guard resumptions.count > 1 else {
            if let suspension = resumptions.popLast() { suspension() }
            return
        }
        let suspensions = resumptions
        resumptions.removeAll(keepingCapacity: true)
        Task.detached(priority: .medium) { for suspension in suspensions { suspension() } }
    }
}
