/// A deadline for all calls that a task begins, nested calls included.
///
/// A call without a deadline of its own takes the deadline of the task in which it begins. A call
/// with one keeps the earlier of both. Tasks that are not detached inherit the deadline.
public enum HTTPDeadline {
    struct Scope: Sendable {
        var instant: HTTPInstant
        var clock: any HTTPClock
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
        var instant = clock.now + max(.zero, duration)
        if let scope { instant = min(instant, scope.instant(on: clock)) }
        return try await $scope.withValue(Scope(instant: instant, clock: clock)) {
            try await body()
        }
    }

    /// Runs `body` without the deadline of the current task, for work that outlives its caller.
    public static func none<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $scope.withValue(nil) { try await body() }
    }

    /// Returns the deadline of a call that begins now and has the deadline `own`.
    static func beginning(with own: HTTPInstant?, on clock: any HTTPClock) -> HTTPInstant? {
        guard let inherited = scope?.instant(on: clock) else { return own }
        return own.map { min($0, inherited) } ?? inherited
    }
}

extension HTTPCall {
    /// Returns the response of `session`, with the body read into memory if the delivery is
    /// `.buffered`.
    ///
    /// Ends at the call's deadline on the call's clock, even if the session does not, and sets this
    /// deadline for nested calls. On the real clock the transport ends by itself, with a more
    /// precise error, and has a short grace period to do so.
    package func answer(
        to request: HTTPRequest, from session: any HTTPSession
    ) async throws -> HTTPResponse {
        guard let deadline = request.deadline else {
            return try await session.wholeResponse(for: request)
        }
        if HTTPDeadline.scope?.enforcedCall == id {
            return try await session.wholeResponse(for: request)
        }
        guard clock.now < deadline else { throw deadlineError(phase: .preparing) }
        let scope = HTTPDeadline.Scope(instant: deadline, clock: clock, enforcedCall: id)
        return try await HTTPDeadline.$scope.withValue(scope) {
            try await race(request, session, until: deadline)
        }
    }

    private enum Finish: Sendable {
        case answered(Result<HTTPResponse, any Error>)
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
                    return .answered(.success(try await session.wholeResponse(for: request)))
                } catch {
                    return .answered(.failure(error))
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
                case .answered(.success(let response)) where hasPassed: response.body.abandon()
                case .answered(.failure(let error as HTTPError)) where error.timer != nil:
                    return .failure(error)
                case .answered(let result) where !hasPassed: return result
                case .answered, .unfinished: break
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

    /// Returns the error of a call whose deadline has passed, or would pass before the call could
    /// be sent.
    package func deadlineError(phase: HTTPError.Phase) -> HTTPError {
        HTTPError(
            .timedOut, "the call's deadline has passed", phase: phase,
            timer: HTTPError.Timer(.deadline, limit ?? .zero), mayHaveReachedServer: sends > 0
        ).noting(nil, timeline: timeline)
    }
}

extension HTTPSession {
    /// Returns the response, with its body in memory if the request's delivery is `.buffered`.
    package func wholeResponse(for request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await response(for: request)
        guard let limit = response.limitOfRest(for: request) else { return response }
        return try await response.buffered(upTo: limit)
    }
}

extension HTTPResponse {
    /// Returns the limit up to which the body must be read into memory for `request`, or `nil` if
    /// it need not be.
    package func limitOfRest(for request: HTTPRequest) -> Int? {
        guard case .buffered(let limit) = request.delivery, !body.isValue else { return nil }
        return limit
    }
}
