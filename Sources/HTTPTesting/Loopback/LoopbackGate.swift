import HTTPCore

/// Holds scripts at a ``LoopbackScript/Step/pause(until:)`` step until the test opens it.
///
/// With it a test places an event between two bytes of a response, and sleeps nowhere:
///
/// ```swift
/// let gate = LoopbackGate()
/// let server = try LoopbackServer(script: { _ in
///     [.send("HTTP/1.1 200 OK\r\n"), .pause(until: gate), .close]
/// })
/// …
/// try await gate.reached()  // the status line is on the wire, the rest is not
/// gate.open()
/// ```
///
/// Once open it stays open, also for scripts that arrive later.
public final class LoopbackGate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var held: [@Sendable () -> Void] = []
        /// Keyed by the number of arrivals that each task waits for.
        var waiters = LoopbackWaiters<Int>()
    }
    private let state = Locked(State())

    public init() {}

    /// How many scripts have come to this gate so far.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    /// Lets all scripts pass, those that wait and those to come.
    public func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for release in held { release() }
    }

    /// Returns when `count` scripts have come to this gate, since it was made.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func reached(count: Int = 1) async throws {
        let id = state.withLock { $0.waiters.makeID() }
        defer { state.withLock { $0.waiters.forget(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let verdict: Result<Void, any Error>? = state.withLock { state in
                    if state.arrivals >= count { return .success(()) }
                    return state.waiters.add(id, count, continuation)
                        ? nil : .failure(CancellationError())
                }
                if let verdict { continuation.resume(with: verdict) }
            }
        } onCancel: {
            state.withLock { $0.waiters.cancel(id) }?.resume(throwing: CancellationError())
        }
    }

    /// Counts an arrival. Returns whether the gate is open; if not, `release` is called when it
    /// opens.
    func arrive(release: @escaping @Sendable () -> Void) -> Bool {
        let (isOpen, reached) = state.withLock { state in
            state.arrivals += 1
            if !state.isOpen { state.held.append(release) }
            let arrivals = state.arrivals
            return (state.isOpen, state.waiters.remove { $0 <= arrivals })
        }
        for continuation in reached { continuation.resume() }
        return isOpen
    }
}
