import CHTTPTransportCurl
import HTTPCore
import Synchronization
import PortableLibc

/// A thread that owns libcurl handles, and the mailbox through which tasks send it commands.
///
/// The thread ends by itself once it was released and no exchange is left. It is never joined.
final class EventLoop: Sendable {
    enum Command: Sendable {
        case submit(Exchange)
        /// Ends the exchange with this error, unless it is over.
        case fail(Exchange, any Error)
        case abandon(Exchange)
        /// The same as `abandon`, but also resumes the waiter once the connection is free.
        case discard(Exchange, Waiter<Void>)
        case resumeReceiving(Exchange)
        case resumeSending(Exchange)
        /// The resolver has ended.
        case answered(HostLookups.Question, Result<HostAddresses, any Error>)
        /// The system has found these addresses of a host.
        case found([IPAddress], of: String)
        case statistics(Waiter<CurlStatistics>)
        /// No more exchanges will be submitted.
        case release
        /// Waits for running exchanges for this long, then fails the rest.
        case close(Duration)
    }

    private struct Mailbox {
        var commands: [Command] = []
        /// The jobs of tasks that prefer this thread.
        var jobs: [UnownedJob] = []
        /// `true` if the thread waits in the poller, or is about to.
        var isSleeping = false
        /// The error for commands, once none is accepted any more.
        var refusal: HTTPError?
    }

    let settings: LoopSettings
    let library: CurlLibrary
    let contexts: TLSContexts
    let poller: Int32
    private let wakerRead: Int32
    private let wakerWrite: Int32
    private let generation = chttp_fork_generation()
    private let mailbox = Locked(Mailbox())
    private let end = Gate()
    private let last = Locked(CurlStatistics())
    /// The loop's thread, once it runs.
    private let thread = Atomic<UInt>(0)

    /// Creates the loop and starts its thread.
    init(
        _ settings: LoopSettings, _ library: CurlLibrary, _ contexts: TLSContexts
    ) throws(HTTPError) {
        self.settings = settings
        self.contexts = contexts
        self.library = library
        var ends: (read: Int32, write: Int32) = (-1, -1)
        let failure = unsafe chttp_waker_make(&ends.read, &ends.write)
        guard failure == 0 else { throw Self.cannotStart(SystemError(failure)) }
        wakerRead = ends.read
        wakerWrite = ends.write
        poller = chttp_poller_make()
        guard poller >= 0, chttp_poller_set(poller, wakerRead, 0, CHTTP_POLL_IN) == 0 else {
            throw Self.cannotStart(SystemError(errno))
        }
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let error = unsafe chttp_thread_start(
            { context in
                // Balances passRetained. The thread keeps the loop alive until it has torn down.
                let end = unsafe Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
                chttp_tls_thread_stop()
                // This comes last: a task that has waited may end the process, and the thread must
                // then need nothing that is gone.
                end.open()
            }, context, "http-curl")
        guard error == 0 else {
            unsafe Unmanaged<EventLoop>.fromOpaque(context).release()
            throw Self.cannotStart(SystemError(error))
        }
    }

    deinit {
        chttp_close(wakerRead)
        if wakerWrite != wakerRead { chttp_close(wakerWrite) }
        if poller >= 0 { chttp_close(poller) }
    }

    private static func cannotStart(_ error: SystemError) -> HTTPError {
        HTTPError(
            .internalFailure, "the event loop does not start: \(error)", phase: .preparing,
            underlyingError: error)
    }

    /// `true` if this is called on the loop's thread.
    var isOwnThread: Bool { thread.load(ordering: .relaxed) == chttp_thread_current() }

    /// Posts a command from any thread. Returns the reason if the command was not accepted, or
    /// `nil`.
    func post(_ command: Command) -> HTTPError? {
        // This comes before the lock, which another thread may have held at the time of the fork.
        guard chttp_fork_generation() == generation else {
            return HTTPError(
                .sessionClosed,
                "the process has forked since this session was made: make a new one in the child",
                phase: .preparing)
        }
        let (refusal, mustWake) = mailbox.withLock { mailbox in
            if let refusal = mailbox.refusal { return (Optional(refusal), false) }
            mailbox.commands.append(command)
            defer { mailbox.isSleeping = false }
            return (nil, mailbox.isSleeping)
        }
        if mustWake { chttp_waker_signal(wakerWrite) }
        return refusal
    }

    /// Waits until the thread has released everything. Returns at once in a child of `fork`, which
    /// has no such thread.
    func ended() async {
        guard chttp_fork_generation() == generation else { return }
        await end.waitIgnoringCancellation()
    }

    /// The statistics at the end of the thread.
    var lastStatistics: CurlStatistics { last.withLock { $0 } }

    // MARK: The thread's side

    func keep(_ statistics: CurlStatistics) { last.withLock { $0 = statistics } }

    /// Runs the loop to its end. Returns the gate to open once this object is gone.
    private func run() -> Gate {
        thread.store(chttp_thread_current(), ordering: .relaxed)
        do throws(HTTPError) {
            let core = try LoopCore(self)
            core.run()
        } catch {
            refuse(with: error)
        }
        return end
    }

    /// Returns `true` if `descriptor` is the waker's, and drains it in that case.
    func drainWaker(_ descriptor: Int32) -> Bool {
        guard descriptor == wakerRead else { return false }
        chttp_waker_drain(wakerRead)
        return true
    }

    /// Swaps the posted commands into `commands`, which must be empty.
    func takeCommands(into commands: inout [Command]) {
        mailbox.withLock { mailbox in
            mailbox.isSleeping = false
            swap(&mailbox.commands, &commands)
        }
    }

    var hasCommands: Bool { mailbox.withLock { !$0.commands.isEmpty } }

    /// Swaps the posted jobs into `jobs`, which must be empty.
    func takeJobs(into jobs: inout [UnownedJob]) {
        mailbox.withLock { swap(&$0.jobs, &jobs) }
    }

    /// Returns `true` if the thread may sleep. From then on, posting wakes it.
    func prepareToSleep() -> Bool {
        mailbox.withLock { mailbox in
            mailbox.isSleeping = mailbox.commands.isEmpty && mailbox.jobs.isEmpty
            return mailbox.isSleeping
        }
    }

    /// Ends the mailbox if nothing is left in it. Returns `true` if it has ended.
    func endIfEmpty() -> Bool {
        mailbox.withLock { mailbox in
            guard mailbox.commands.isEmpty, mailbox.jobs.isEmpty else { return false }
            mailbox.refusal = Self.closed
            return true
        }
    }

    static var closed: HTTPError {
        HTTPError(
            .sessionClosed, "the session was closed: make a new one", phase: .preparing)
    }

    /// Fails all posted and all further commands with `error`, because the thread cannot work.
    private func refuse(with error: HTTPError) {
        let (commands, jobs) = mailbox.withLock { mailbox in
            mailbox.refusal = error
            defer {
                mailbox.commands = []
                mailbox.jobs = []
            }
            return (mailbox.commands, mailbox.jobs)
        }
        for job in jobs { globalConcurrentExecutor.enqueue(job) }
        for command in commands {
            switch command {
            case .submit(let exchange):
                exchange.deliver(.init(end: .failed(error))) { _ in }.suspension?()
            case .statistics(let waiter): waiter.resume(with: .success(CurlStatistics()))
            case .discard(_, let waiter): waiter.resume()
            case .fail, .abandon, .resumeReceiving, .resumeSending, .answered, .found, .release,
                .close:
                break
            }
        }
    }
}

// MARK: - Tasks on the loop's thread

extension EventLoop: TaskExecutor {
    /// Queues the job and never runs it at once: this is also called from within the loop's turn,
    /// whenever a continuation is resumed.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (hasEnded, mustWake) = mailbox.withLock { mailbox in
            if mailbox.refusal != nil { return (true, false) }
            mailbox.jobs.append(job)
            defer { mailbox.isSleeping = false }
            return (false, mailbox.isSleeping)
        }
        // The thread is gone, but its tasks are not.
        if hasEnded { globalConcurrentExecutor.enqueue(job) }
        if mustWake { chttp_waker_signal(wakerWrite) }
    }
}
