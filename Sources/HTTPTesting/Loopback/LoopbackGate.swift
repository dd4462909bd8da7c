import HTTPCore

/// A gate that holds scripts at a ``LoopbackScript/Step/pause(until:)`` step until the test opens
/// it.
///
/// A test can place an event between two bytes of a response, without sleeping:
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
/// An open gate stays open, also for scripts that arrive later.
public final class LoopbackGate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var held: [@Sendable () -> Void] = []
        var waiters: [(count: Int, waiter: Waiter<Void>)] = []
    }
    private let state = Locked(State())

    /// Creates a closed gate.
    public init() {}

    /// The number of scripts that have come to this gate so far.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    /// Lets all scripts pass, those that wait and those that arrive later.
    public func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for release in held { release() }
    }

    /// Returns once `count` scripts have come to this gate since it was created.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func reached(count: Int = 1) async throws {
        let waiter = Waiter<Void>()
        let mustWait = state.withLock { state in
            if state.arrivals < count { state.waiters.append((count, waiter)) }
            return state.arrivals < count
        }
        guard mustWait else { return }
        defer { state.withLock { state in state.waiters.removeAll { $0.waiter === waiter } } }
        try await waiter.value()
    }

    /// Counts an arrival.
    ///
    /// - Returns: `true` if the gate is open; if not, `release` is called when it opens.
    func arrive(release: @escaping @Sendable () -> Void) -> Bool {
        let (isOpen, reached) = state.withLock { state in
            state.arrivals += 1
            if !state.isOpen { state.held.append(release) }
            let arrivals = state.arrivals
            let reached = state.waiters.filter { $0.count <= arrivals }
            state.waiters.removeAll { $0.count <= arrivals }
            return (state.isOpen, reached.map(\.waiter))
        }
        reached.resumeAll()
        return isOpen
    }
}
