import CHTTPTransportCurl
import HTTPCore
import PortableLibc

/// The commands and jobs that tasks post to a loop's thread, and the poller in which the thread
/// waits for them and for its sockets.
///
/// Tasks call ``post(_:)`` and ``enqueue(_:)`` from any thread; all else is for the loop's own.
final class Mailbox: Sendable {
    private struct Contents {
        var commands: [LoopCommand] = []
        /// The jobs of tasks that prefer the loop's thread.
        var jobs: [UnownedJob] = []
        /// `true` if the thread waits in the poller, or is about to.
        var isSleeping = false
        /// The error for commands, once none is accepted any more.
        var refusal: HTTPError?

        /// Returns `true` if the thread must be woken for what was added.
        mutating func wakes() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    let poller: Int32
    private let wakerRead: Int32
    private let wakerWrite: Int32
    private let contents = Locked(Contents())

    /// - Throws: The system's error if there is no descriptor left.
    init() throws(SystemError) {
        var ends: (read: Int32, write: Int32) = (-1, -1)
        let failure = unsafe chttp_waker_make(&ends.read, &ends.write)
        guard failure == 0 else { throw SystemError(failure) }
        (wakerRead, wakerWrite) = ends
        poller = chttp_poller_make()
        guard poller >= 0, chttp_poller_set(poller, wakerRead, 0, CHTTP_POLL_IN) == 0 else {
            throw SystemError(errno)
        }
    }

    deinit {
        chttp_close(wakerRead)
        if wakerWrite != wakerRead { chttp_close(wakerWrite) }
        if poller >= 0 { chttp_close(poller) }
    }

    // MARK: The tasks' side

    /// Returns the reason if the command was not accepted, or `nil`.
    func post(_ command: LoopCommand) -> HTTPError? {
        let (refusal, mustWake) = contents.withLock { contents in
            if let refusal = contents.refusal { return (Optional(refusal), false) }
            contents.commands.append(command)
            return (nil, contents.wakes())
        }
        if mustWake { chttp_waker_signal(wakerWrite) }
        return refusal
    }

    /// Returns `false` if no job is accepted any more.
    func enqueue(_ job: UnownedJob) -> Bool {
        let (isAccepted, mustWake) = contents.withLock { contents in
            if contents.refusal != nil { return (false, false) }
            contents.jobs.append(job)
            return (true, contents.wakes())
        }
        if mustWake { chttp_waker_signal(wakerWrite) }
        return isAccepted
    }

    // MARK: The thread's side

    /// Returns `true` if `descriptor` is the waker's, and drains it in that case.
    func drainWaker(_ descriptor: Int32) -> Bool {
        guard descriptor == wakerRead else { return false }
        chttp_waker_drain(wakerRead)
        return true
    }

    /// Adds the posted commands to `commands`, and takes the posted jobs if `jobs` is empty.
    func takeWork(_ commands: inout [LoopCommand], _ jobs: inout [UnownedJob]) {
        contents.withLock { contents in
            contents.isSleeping = false
            if commands.isEmpty {
                swap(&contents.commands, &commands)
            } else {
                commands += contents.commands
                contents.commands.removeAll(keepingCapacity: true)
            }
            if jobs.isEmpty { swap(&contents.jobs, &jobs) }
        }
    }

    /// Returns `true` if the thread may sleep. From then on, posting wakes it.
    func prepareToSleep() -> Bool {
        contents.withLock { contents in
            contents.isSleeping = contents.commands.isEmpty && contents.jobs.isEmpty
            return contents.isSleeping
        }
    }

    /// Accepts nothing more, if nothing is left. Returns `true` if that is so.
    func endIfEmpty(because refusal: HTTPError) -> Bool {
        contents.withLock { contents in
            guard contents.commands.isEmpty, contents.jobs.isEmpty else { return false }
            contents.refusal = refusal
            return true
        }
    }

    /// Accepts nothing more. Returns what was left.
    func end(because refusal: HTTPError) -> (commands: [LoopCommand], jobs: [UnownedJob]) {
        contents.withLock { contents in
            defer { contents = Contents(refusal: refusal) }
            return (contents.commands, contents.jobs)
        }
    }
}
