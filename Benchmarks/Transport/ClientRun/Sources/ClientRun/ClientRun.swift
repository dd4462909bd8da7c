#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif
import Synchronization

/// One run of a client: a number of requests, some of them at the same time, and a line with the
/// results.
///
/// It does not use Foundation, and so adds nothing to a client's start time or size.
public final class ClientRun: Sendable {
    private struct Samples {
        /// The durations in tenths of a microsecond.
        var durations: [UInt32] = []
        var bytes = 0
        var errors = 0
    }

    /// The moment when the clock started.
    private struct Beginning {
        let time = ClientRun.now()
        let processorTime = ClientRun.processorTime()
    }

    public let assignment: Assignment
    private let tickets: Atomic<Int>
    private let samples = Mutex(Samples())
    private let hasComplained = Atomic(false)
    private let beginning = Mutex(Beginning())

    /// Starts the clock. The client's later set-up is part of its run.
    public init(_ assignment: Assignment) {
        self.assignment = assignment
        tickets = Atomic(assignment.count)
    }

    /// Sends all requests and returns after the last has ended, on the main thread: valgrind
    /// crashes at the end of a program that awaits at its top level.
    ///
    /// - Parameters:
    ///   - warmUp: Sends a request before the clock starts. A thrown error counts as an error.
    ///   - exchange: Sends one request and returns the number of bytes in its response's body. A
    ///     thrown error or an unexpected response counts as an error.
    public func perform(
        on executor: (any TaskExecutor)? = nil,
        warmUp: (@Sendable () async throws -> Void)? = nil,
        _ exchange: @escaping @Sendable () async throws -> Int
    ) {
        let end = Semaphore()
        Task.detached(executorPreference: executor) {
            if let warmUp { await self.prepare(warmUp) }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<self.assignment.inFlight {
                    group.addTask { await self.work(exchange) }
                }
            }
            end.signal()
        }
        end.wait()
    }

    private func prepare(_ warmUp: @Sendable () async throws -> Void) async {
        do {
            try await warmUp()
        } catch {
            complain(error)
            samples.withLock { $0.errors += 1 }
        }
        beginning.withLock { $0 = Beginning() }
    }

    private func work(_ exchange: @Sendable () async throws -> Int) async {
        var own = Samples()
        while tickets.subtract(1, ordering: .relaxed).oldValue > 0 {
            let start = Self.now()
            do {
                let bytes = try await exchange()
                own.bytes += bytes
                if let expected = assignment.expectedLength, bytes != expected { own.errors += 1 }
            } catch {
                complain(error)
                own.errors += 1
            }
            own.durations.append(UInt32(clamping: (Self.now() - start) / 100))
        }
        samples.withLock { all in
            all.durations += own.durations
            all.bytes += own.bytes
            all.errors += own.errors
        }
    }

    /// Prints the first error of a run; later errors are ignored.
    private func complain(_ error: any Error) {
        guard !hasComplained.exchange(true, ordering: .relaxed) else { return }
        let text = Array("first error: \(error)\n".utf8)
        _ = unsafe write(2, text, text.count)
    }

    /// Prints the line with the results.
    public func report(_ client: String, note: String = "") {
        let beginning = beginning.withLock { $0 }
        let wall = Double(Self.now() - beginning.time) / 1e9
        let processor = Self.processorTime()
        let user = processor.user - beginning.processorTime.user
        let system = processor.system - beginning.processorTime.system
        let all = samples.withLock { $0 }
        let durations = all.durations.sorted()
        let count = durations.count
        func quantile(_ part: Double) -> Double {
            count == 0 ? 0 : Double(durations[min(count - 1, Int(Double(count) * part))]) / 10
        }
        let fields: [(String, String)] = [
            ("client", "\"\(client)\""), ("mode", "\"\(assignment.mode.rawValue)\""),
            ("n", "\(count)"), ("c", "\(assignment.inFlight)"), ("wall_s", "\(wall)"),
            ("user_s", "\(user)"), ("sys_s", "\(system)"), ("cpu_s", "\(user + system)"),
            ("cpu_us_per_req", "\((user + system) * 1e6 / Double(max(count, 1)))"),
            ("rps", "\(Double(count) / wall)"), ("maxrss_kb", "\(Self.peakResident())"),
            ("p50_us", "\(quantile(0.5))"), ("p95_us", "\(quantile(0.95))"),
            ("p99_us", "\(quantile(0.99))"),
            ("bytes", "\(all.bytes)"), ("errors", "\(all.errors)"), ("note", "\"\(note)\""),
        ]
        print("{\(fields.map { "\"\($0)\":\($1)" }.joined(separator: ","))}")
        fflush(nil)
    }
}

// MARK: - System measurements

extension ClientRun {
    /// Returns the current time in nanoseconds.
    private static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Returns the CPU time in seconds.
    private static func processorTime() -> (user: Double, system: Double) {
        func seconds(_ time: timeval) -> Double {
            Double(time.tv_sec) + Double(time.tv_usec) / 1e6
        }
        var usage = rusage()
        #if canImport(Glibc)
            unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            unsafe getrusage(RUSAGE_SELF, &usage)
        #endif
        return (seconds(usage.ru_utime), seconds(usage.ru_stime))
    }

    /// Returns the peak resident memory in KiB. `ru_maxrss` is not used, because it begins with the
    /// parent's value at the fork.
    private static func peakResident() -> Int {
        guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, 256, file) != nil {
            guard unsafe strncmp(line, "VmHWM:", 6) == 0 else { continue }
            return unsafe line.withUnsafeBufferPointer { line in
                unsafe line.baseAddress.map { unsafe atol($0 + 6) } ?? 0
            }
        }
        return 0
    }
}

/// A semaphore for the main thread to wait on.
@safe private final class Semaphore: @unchecked Sendable {
    // Set once. The functions that use it may be called from any thread.
    private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { unsafe sem_init(raw, 0, 0) }
    deinit {
        unsafe sem_destroy(raw)
        unsafe raw.deallocate()
    }

    func signal() { unsafe sem_post(raw) }
    func wait() { while unsafe sem_wait(raw) != 0 {} }
}
