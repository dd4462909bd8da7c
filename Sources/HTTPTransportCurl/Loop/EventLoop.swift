import CHTTPTransportCurl
import HTTPCore
import Synchronization

/// A thread that owns libcurl handles, as tasks see it: they post it commands.
///
/// The thread ends by itself once it was released and no exchange is left. It is never joined.
final class EventLoop: ExchangeLoop {
    let settings: LoopSettings
    let library: CurlLibrary
    let contexts: TLSContexts
    let mailbox: Mailbox
    private let generation = chttp_fork_generation()
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
        do throws(SystemError) {
            mailbox = try Mailbox()
        } catch {
            throw Self.cannotStart(error)
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

    private static func cannotStart(_ error: SystemError) -> HTTPError {
        HTTPError(
            .internalFailure, "the event loop does not start: \(error)", phase: .preparing,
            underlyingError: error)
    }

    /// `true` if this is called on the loop's thread.
    var isOwnThread: Bool { thread.load(ordering: .relaxed) == chttp_thread_current() }

    /// Posts a command from any thread. Returns the reason if the command was not accepted, or
    /// `nil`.
    func post(_ command: LoopCommand) -> HTTPError? {
        // This comes before the lock, which another thread may have held at the time of the fork.
        guard chttp_fork_generation() == generation else {
            return HTTPError(
                .sessionClosed,
                "the process has forked since this session was made: make a new one in the child",
                phase: .preparing)
        }
        return mailbox.post(command)
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

    /// Runs the loop to its end. Returns the gate to open once this object is gone.
    private func run() -> Gate {
        thread.store(chttp_thread_current(), ordering: .relaxed)
        do throws(HTTPError) {
            let core = try LoopCore(self)
            let statistics = core.run()
            last.withLock { $0 = statistics }
        } catch {
            refuse(with: error)
        }
        return end
    }

    /// Fails all posted and all further commands with `error`, because the thread cannot work.
    private func refuse(with error: HTTPError) {
        let (commands, jobs) = mailbox.end(because: error)
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
        // The thread may be gone, but its tasks are not.
        if !mailbox.enqueue(job) { globalConcurrentExecutor.enqueue(job) }
    }
}
