public import HTTPCore
public import PortableFoundation
import PortableLibc

// For command lines, scripts and tests, whose threads may block.
extension HTTPRequest {
    /// Sends this request and blocks the calling thread until the task is over, at most for the
    /// time limits of the request. See ``run(in:)``.
    ///
    /// - Throws: `blocksTask` if called within a task, whose thread other tasks need; otherwise the
    ///   same as ``/HTTPClientKit/HTTPTask/value``.
    @available(*, noasync, message: "try await run(in:).value")
    public func runSync(in session: any HTTPSession = HTTPClient.shared) throws -> HTTPResponse {
        try runSync(HTTPResponse.self, in: session)
    }

    /// Sends this request and blocks the calling thread, with a value made from the response. See
    /// ``runSync(in:)``.
    @available(*, noasync, message: "try await run(_:in:).value")
    public func runSync<Value: HTTPResponseConvertible>(
        _ type: Value.Type, in session: any HTTPSession = HTTPClient.shared
    ) throws -> Value {
        try HTTPTask(type, for: self, in: session).waitUntilOver()
    }

    /// Sends this request and blocks the calling thread, with a value decoded from JSON. See
    /// ``runSync(in:)``.
    @_disfavoredOverload
    @available(*, noasync, message: "try await run(_:in:).value")
    public func runSync<Value: Decodable & Sendable>(
        _ type: Value.Type, decoder: JSONDecoder? = nil,
        in session: any HTTPSession = HTTPClient.shared
    ) throws -> Value {
        try HTTPTask(type, decoder: decoder, for: self, in: session).waitUntilOver()
    }
}

extension HTTPTask {
    /// Returns ``value`` on a thread that may block. Observers are called elsewhere and not waited
    /// for, so that one on the main actor does not hold up a main thread that waits here.
    ///
    /// - Throws: `blocksTask` if called within a task, before anything is sent; otherwise the same
    ///   as ``value``.
    @available(*, noasync, message: "try await value")
    public func waitUntilOver() throws -> Value {
        guard unsafe withUnsafeCurrentTask(body: { unsafe $0 == nil }) else {
            throw HTTPError(
                .blocksTask, "a task must not block its thread, which others need: await the value",
                phase: .preparing)
        }
        let waited = BlockingResult<Machine.TaskResult>()
        let waiter = makeWaiter()
        Task.detached { waited.fulfil(await waiter.outcome()) }
        run()
        return try waited.value().get()
    }
}

/// A value that one thread waits for and another provides.
// @unchecked: the value is accessed only between lock and unlock of the mutex beside it, and both
// stay at one heap address from `init` to `deinit`.
@safe private final class BlockingResult<Value: Sendable>: @unchecked Sendable {
    @unsafe private struct Cell {
        var mutex: pthread_mutex_t
        var arrival: pthread_cond_t
        var value: Value?
    }

    private let cell: UnsafeMutablePointer<Cell>

    init() {
        unsafe cell = .allocate(capacity: 1)
        unsafe cell.initialize(
            to: Cell(mutex: pthread_mutex_t(), arrival: pthread_cond_t(), value: nil))
        unsafe pthread_mutex_init(&cell.pointee.mutex, nil)
        unsafe pthread_cond_init(&cell.pointee.arrival, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(&cell.pointee.arrival)
        unsafe pthread_mutex_destroy(&cell.pointee.mutex)
        unsafe cell.deinitialize(count: 1)
        unsafe cell.deallocate()
    }

    func fulfil(_ value: Value) {
        unsafe pthread_mutex_lock(&cell.pointee.mutex)
        unsafe cell.pointee.value = value
        unsafe pthread_cond_signal(&cell.pointee.arrival)
        unsafe pthread_mutex_unlock(&cell.pointee.mutex)
    }

    func value() -> Value {
        unsafe pthread_mutex_lock(&cell.pointee.mutex)
        defer { unsafe pthread_mutex_unlock(&cell.pointee.mutex) }
        while true {
            if let value = unsafe cell.pointee.value { return value }
            unsafe pthread_cond_wait(&cell.pointee.arrival, &cell.pointee.mutex)
        }
    }
}
