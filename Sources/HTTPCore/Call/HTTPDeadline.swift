/// The time by which everything that a task asks for is to be over, its nested calls included.
///
/// A call begun without a deadline of its own takes the one of the task it begins in; one that has
/// its own keeps the earlier of both. Tasks that are not detached inherit it.
public enum HTTPDeadline {
    struct Scope: Sendable {
        var instant: HTTPInstant
        var clock: any HTTPClock
        /// The call that is already ended by it.
        var enforcedCall: UInt64?

        /// The same moment on another clock, as far as that can be known: as much time from now.
        func instant(on other: any HTTPClock) -> HTTPInstant {
            if clock is HTTPSystemClock, other is HTTPSystemClock { return instant }
            return other.now + max(.zero, instant - clock.now)
        }
    }

    @TaskLocal static var scope: Scope?

    /// How long calls that begin now may take; `nil` without a deadline, zero once over.
    public static var timeLeft: Duration? {
        scope.map { max(.zero, $0.instant - $0.clock.now) }
    }

    /// Runs `body` with calls to be over in `duration`, or earlier where an outer deadline says so.
    /// Ends the calls, not the body.
    public static func within<Result>(
        _ duration: Duration, clock: any HTTPClock = .system,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        var instant = clock.now + max(.zero, duration)
        if let scope { instant = min(instant, scope.instant(on: clock)) }
        return try await $scope.withValue(Scope(instant: instant, clock: clock)) {
            try await body()
        }
    }

    /// Runs `body` without the deadline of the task it runs in: for work that outlives its caller.
    public static func none<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $scope.withValue(nil) { try await body() }
    }

    /// The deadline of a call that begins now with `own`.
    static func beginning(with own: HTTPInstant?, on clock: any HTTPClock) -> HTTPInstant? {
        guard let inherited = scope?.instant(on: clock) else { return own }
        return own.map { min($0, inherited) } ?? inherited
    }
}

extension HTTPCall {
    /// `true` if the calling task ends with the call's deadline already.
    var isEnforcingDeadline: Bool { HTTPDeadline.scope?.enforcedCall == id }

    /// Makes an attempt that ends at `deadline` on the call's clock even if the session does not,
    /// and binds the deadline for nested calls.
    ///
    /// On the real clock, a transport has a moment to end by itself: its error says more.
    func response(
        to request: HTTPRequest, from session: any HTTPSession, by deadline: HTTPInstant
    ) async throws -> HTTPResponse {
        guard clock.now < deadline else { throw deadlineError(phase: .preparing) }
        let scope = HTTPDeadline.Scope(instant: deadline, clock: clock, enforcedCall: id)
        return try await HTTPDeadline.$scope.withValue(scope) {
            try await race(request, session, until: deadline)
        }
    }

    private enum Finish: Sendable {
        case ended(Result<HTTPResponse, any Error>)
        case passed
        case unfinished
    }

    private func race(
        _ request: HTTPRequest, _ session: any HTTPSession, until deadline: HTTPInstant
    ) async throws -> HTTPResponse {
        let sendsBefore = sends
        let grace: Duration = clock is HTTPSystemClock ? .milliseconds(50) : .zero
        let outcome: Result<HTTPResponse, any Error>? = await withTaskGroup(of: Finish.self) {
            group in
            group.addTask {
                do {
                    return .ended(try await session.attempt(request))
                } catch {
                    return .ended(.failure(error))
                }
            }
            group.addTask { [clock] in
                do {
                    try await clock.sleep(until: deadline + grace)
                    return .passed
                } catch {
                    return .unfinished
                }
            }
            defer { group.cancelAll() }
            var hasPassed = false
            while let finish = await group.next() {
                switch finish {
                case .ended(.success(let response)) where hasPassed: response.body.abandon()
                case .ended(.failure(let error as HTTPError)) where error.timer != nil:
                    return .failure(error)
                case .ended(let result) where !hasPassed: return result
                case .ended, .unfinished: break
                case .passed:
                    hasPassed = true
                    group.cancelAll()
                }
            }
            return nil
        }
        guard let outcome else {
            throw deadlineError(phase: sends > sendsBefore ? .waiting : .preparing)
        }
        return try outcome.get()
    }

    /// Returns the error of a call whose deadline has passed, or would pass before it can be sent.
    package func deadlineError(phase: HTTPError.Phase) -> HTTPError {
        HTTPError(
            .timedOut, "the call's deadline has passed", phase: phase,
            timer: HTTPError.Timer(.deadline, limit ?? .zero), mayHaveReachedServer: sends > 0
        ).noting(nil, timeline: timeline)
    }
}
