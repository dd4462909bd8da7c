import CHTTPTransportCurl
import HTTPCore

/// Waits until a socket is ready, a task has posted something, or a time has come.
///
/// It knows sockets by their descriptors and exchanges by their numbers, and nothing else of them.
/// Lives on the loop's thread.
// @exclusivity(unchecked), here and in the loop's other objects: checking each access takes a tenth
// of a request's instructions. Two accesses never overlap: all are on one thread, and a variable
// that is marked is a number, a reference, or a value whose methods call nothing that could come
// back to its owner.
final class Reactor {
    private let mailbox: Mailbox
    @safe @exclusivity(unchecked) private var events =
        [chttp_event](repeating: chttp_event(), count: 128)
    @safe @exclusivity(unchecked) private var sockets = SocketTable()
    /// The times at which limits of exchanges are due, by their numbers.
    @safe @exclusivity(unchecked) private var deadlines = DeadlineHeap()
    /// The jobs of tasks that prefer this thread. Those before `nextJob` have run.
    @safe @exclusivity(unchecked) private var jobs: [UnownedJob] = []
    @safe @exclusivity(unchecked) private var nextJob = 0
    let turn = LoopTurn()

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    // MARK: A turn

    /// Waits, at most until `due` and not at all for 0, and begins a turn.
    ///
    /// - Returns: The number of events, for ``event(_:)``.
    func wait(until due: Int64) -> Int {
        let timeout = sleepTime(until: due)
        let poller = mailbox.poller
        let count = unsafe events.withUnsafeMutableBufferPointer { events in
            guard let base = events.baseAddress else { return Int32(0) }
            return unsafe chttp_poller_wait(poller, base, Int32(events.count), timeout)
        }
        turn.begin()
        return Int(max(0, count))
    }

    /// Returns a socket that is ready, with what it is ready for; `nil` if a task has woken the
    /// loop.
    func event(_ index: Int) -> chttp_event? {
        let event = events[index]
        return mailbox.drainWaker(event.descriptor) ? nil : event
    }

    /// Returns the timeout for the poller, in milliseconds.
    private func sleepTime(until due: Int64) -> Int32 {
        guard due > 0, jobs.isEmpty, mailbox.prepareToSleep() else { return 0 }
        let due = min(due, deadlines.next ?? .max)
        guard due < .max else { return -1 }
        let left = due - chttp_monotonic_ns()
        return left <= 0 ? 0 : Int32(min((left + 999_999) / 1_000_000, 60_000))
    }

    /// Takes what tasks have posted: their commands, and the jobs for ``runJobs(on:_:)``.
    func takeWork(_ commands: inout [LoopCommand]) { mailbox.takeWork(&commands, &jobs) }

    /// Ends the mailbox if nothing is left in it. Returns `true` if it has ended.
    func endIfEmpty() -> Bool {
        jobs.isEmpty && mailbox.endIfEmpty(because: .transportClosed)
    }

    // MARK: Sockets

    /// Records that a descriptor belongs to a socket that was just made.
    func opened(_ descriptor: Int32) { sockets.opened(descriptor) }

    func closed(_ descriptor: Int32) { sockets.closed(descriptor) }

    /// Records that another socket has taken the number of a descriptor.
    func replaced(_ descriptor: Int32) { apply(sockets.replaced(descriptor)) }

    /// Watches a socket for this, in the bits of `CHTTP_POLL_…`. Returns `false` if it cannot be
    /// watched, because its transfers would wait for ever.
    func want(_ descriptor: Int32, _ interest: Int32, in pool: Int, watchesIdle: Bool) -> Bool {
        apply(sockets.want(descriptor, interest, in: pool, watchesIdle: watchesIdle))
    }

    /// Returns the number of the pool that waits for a socket that is ready, or `nil` if none does.
    /// Such a socket is no longer watched.
    func pool(waitingFor descriptor: Int32) -> Int? {
        switch sockets.ready(descriptor) {
        case .report(let pool): return pool
        case .ignore(let change):
            apply(change)
            return nil
        }
    }

    @discardableResult
    private func apply(_ change: SocketTable.Change?) -> Bool {
        guard let change else { return true }
        let error = watch(change.descriptor, from: change.previous, to: change.interest)
        return error == 0 || change.interest == CHTTP_POLL_NONE
    }

    /// Changes the poller's interest in a socket that is in no pool. Returns the system's error.
    func watch(_ descriptor: Int32, from previous: Int32 = 0, to interest: Int32) -> Int32 {
        chttp_poller_set(mailbox.poller, descriptor, previous, interest)
    }

    // MARK: Times

    /// Sets the time at which to look at an exchange.
    func wake(_ slot: Int, at due: Int64) { deadlines.set(slot, to: due) }

    func forget(_ slot: Int) { deadlines.remove(slot) }

    /// Returns the next exchange that is due, and forgets when it was.
    func popDue() -> Int? { deadlines.popDue(at: turn.now) }

    // MARK: Tasks

    private static let jobLimit = 128
    private static let jobTime: Int64 = 1_000_000

    /// Runs jobs until none is left or the sockets have waited long enough. Takes the commands that
    /// were posted meanwhile, too. Returns `true` if there was a job or a command.
    func runJobs(on executor: UnownedTaskExecutor, _ commands: inout [LoopCommand]) -> Bool {
        let start = turn.now
        var hasRun = false
        for _ in 0..<Self.jobLimit {
            if nextJob == jobs.count {
                forgetJobs()
                takeWork(&commands)
                if jobs.isEmpty { return hasRun || !commands.isEmpty }
            }
            let job = jobs[nextJob]
            nextJob += 1
            hasRun = true
            unsafe job.runSynchronously(on: executor)
            if nextJob % 16 == 0, chttp_monotonic_ns() - start > Self.jobTime { break }
        }
        if nextJob == jobs.count { forgetJobs() }
        takeWork(&commands)
        return true
    }

    private func forgetJobs() {
        jobs.removeAll(keepingCapacity: true)
        nextJob = 0
    }
}
