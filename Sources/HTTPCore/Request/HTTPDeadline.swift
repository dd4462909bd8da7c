/// A deadline for all calls that a task begins, nested calls included.
///
/// A call without a deadline of its own takes the deadline of the task in which it begins. A call
/// with one keeps the earlier of both. Tasks that are not detached inherit the deadline.
public enum HTTPDeadline {
    struct Scope: Sendable {
        var instant: HTTPInstant
        var clock: any HTTPClock
        /// The time that the deadline was set to.
        var limit: Duration
        /// The call that already enforces this deadline.
        var enforcedCall: UInt64?

        /// Returns the same moment on another clock: the same time from now.
        func instant(on other: any HTTPClock) -> HTTPInstant {
            if clock is HTTPSystemClock, other is HTTPSystemClock { return instant }
            return other.now + max(.zero, instant - clock.now)
        }
    }

    @TaskLocal static var scope: Scope?

    /// The time left for calls that begin now: zero once the deadline has passed, `nil` without
    /// one.
    public static var timeLeft: Duration? {
        scope.map { max(.zero, $0.instant - $0.clock.now) }
    }

    /// Runs `body` with a deadline `duration` from now, or earlier if an outer deadline is earlier.
    /// The deadline ends the calls in `body`, not `body` itself.
    public static func within<Result>(
        _ duration: Duration, clock: any HTTPClock = .system,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let limit = max(.zero, duration)
        var new = Scope(instant: clock.now + limit, clock: clock, limit: limit)
        if let scope, case let outer = scope.instant(on: clock), outer < new.instant {
            (new.instant, new.limit) = (outer, scope.limit)
        }
        return try await $scope.withValue(new) { try await body() }
    }

    /// Runs `body` without the deadline of the current task, for work that outlives its caller.
    public static func none<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $scope.withValue(nil) { try await body() }
    }

    /// Returns the deadline of a call that begins now with `request`, and the time that it was set
    /// to. A deadline that was set to a moment counts from the call's beginning.
    static func beginning(
        _ request: HTTPRequest, on clock: any HTTPClock
    ) -> (instant: HTTPInstant, limit: Duration)? {
        let own = request.deadline(on: clock).map { instant in
            (instant: instant, limit: request.deadlineLimit ?? instant - clock.now)
        }
        guard let scope else { return own }
        let inherited = (instant: scope.instant(on: clock), limit: scope.limit)
        guard let own, own.instant <= inherited.instant else { return inherited }
        return own
    }
}

extension HTTPCall {
    /// `true` if the calling task ends with the call's deadline already.
    var isEnforcingDeadline: Bool { HTTPDeadline.scope?.enforcedCall == id }

    /// Returns the error of a call whose deadline has passed, or would pass before the call could
    /// be sent.
    ///
    /// - Parameters:
    ///   - limit: The time that the deadline was set to, if it is not the call's.
    ///   - hasReachedServer: `nil` goes by the phase, which is that of the current attempt: the
    ///     layer that has made earlier ones speaks for them.
    package func deadlineError(
        phase: HTTPError.Phase, after limit: Duration? = nil, hasReachedServer: Bool? = nil
    ) -> HTTPError {
        let timer = HTTPError.Timer(.deadline, max(.zero, limit ?? self.limit ?? .zero))
        return HTTPError(
            .timedOut, timer.sentence, phase: phase, timer: timer,
            mayHaveReachedServer: hasReachedServer
        ).noting(timeline: timeline)
    }
}
