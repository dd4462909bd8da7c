import CHTTPTransportCurl
import HTTPCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread that owns libcurl handles, and the mailbox through which tasks tell it what to do.
///
/// The thread ends by itself once it was released and no exchange is left; nobody ever joins it.
final class EventLoop: Sendable {
    enum Command: Sendable {
        case submit(Exchange)
        /// Ends the exchange with this error, unless it is over.
        case fail(Exchange, any Error)
        case abandon(Exchange)
        /// As `abandon`, and resumes the continuation once the connection is free.
        case discard(Exchange, CheckedContinuation<Void, Never>)
        case resumeReceiving(Exchange)
        case resumeSending(Exchange)
        case statistics(CheckedContinuation<CurlStatistics, Never>)
        /// Nobody will submit any more.
        case release
        /// Waits for what is running for so long, then fails the rest.
        case close(Duration)
    }

    private struct Mailbox {
        var commands: [Command] = []
        /// Of tasks that prefer this thread.
        var jobs: [UnownedJob] = []
        /// The thread waits in the poller, or is about to.
        var isSleeping = false
        /// Why nothing is accepted any more.
        var refusal: HTTPError?
    }

    let configuration: CurlConfiguration
    let library: CurlLibrary
    let contexts: TLSContexts
    let poller: Int32
    private let wakerRead: Int32
    private let wakerWrite: Int32
    private let generation = chttp_fork_generation()
    private let mailbox = Locked(Mailbox())
    private let end = ThreadEnd()

    /// Starts the thread.
    init(
        _ configuration: CurlConfiguration, _ library: CurlLibrary, _ contexts: TLSContexts
    ) throws(HTTPError) {
        self.configuration = configuration
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
                // Balances passRetained: the thread keeps the loop alive until it has torn down.
                let end = unsafe Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
                chttp_tls_thread_stop()
                // Last of all: who has waited may end the process, where this thread must find nothing
                // gone that it still needs.
                end.reach()
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

    /// Any thread. Answers why the command was not accepted, or `nil`.
    func post(_ command: Command) -> HTTPError? {
        // Before the lock, which another thread may have held at the fork.
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

    /// Returns when the thread has let go of all that it had; at once in a child of `fork`, which has no such
    /// thread.
    func ended() async {
        guard chttp_fork_generation() == generation else { return }
        await end.wait()
    }

    // MARK: The thread's side

    /// Answers with what is to be reached once this is gone.
    private func run() -> ThreadEnd {
        do throws(HTTPError) {
            let core = try LoopCore(self)
            core.run()
        } catch {
            refuse(with: error)
        }
        return end
    }

    /// Whether `descriptor` is the waker's; it is then quiet again.
    func drainWaker(_ descriptor: Int32) -> Bool {
        guard descriptor == wakerRead else { return false }
        chttp_waker_drain(wakerRead)
        return true
    }

    /// Swaps what has been posted into `commands`, which must be empty.
    func takeCommands(into commands: inout [Command]) {
        mailbox.withLock { mailbox in
            mailbox.isSleeping = false
            swap(&mailbox.commands, &commands)
        }
    }

    /// Swaps what is to run into `jobs`, which must be empty.
    func takeJobs(into jobs: inout [UnownedJob]) {
        mailbox.withLock { swap(&$0.jobs, &jobs) }
    }

    /// Whether the thread may sleep: from here on, posting wakes it.
    func prepareToSleep() -> Bool {
        mailbox.withLock { mailbox in
            mailbox.isSleeping = mailbox.commands.isEmpty && mailbox.jobs.isEmpty
            return mailbox.isSleeping
        }
    }

    /// Ends the mailbox if nothing is left in it. Answers whether it is over.
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

    /// The thread cannot work: everything posted and to come fails with `error`.
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
                _ = exchange.deliver(.init(end: .failed(error))) { _ in }
            case .statistics(let continuation): continuation.resume(returning: CurlStatistics())
            case .discard(_, let continuation): continuation.resume()
            case .fail, .abandon, .resumeReceiving, .resumeSending, .release, .close: break
            }
        }
    }
}

// MARK: - Tasks on the loop's thread

extension EventLoop: TaskExecutor {
    /// Never runs the job at once: it is called from within the loop's turn, too, whenever a
    /// continuation is resumed.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (hasEnded, mustWake) = mailbox.withLock { mailbox in
            if mailbox.refusal != nil { return (true, false) }
            mailbox.jobs.append(job)
            defer { mailbox.isSleeping = false }
            return (false, mailbox.isSleeping)
        }
        // The thread is gone, its tasks are not.
        if hasEnded { globalConcurrentExecutor.enqueue(job) }
        if mustWake { chttp_waker_signal(wakerWrite) }
    }
}
