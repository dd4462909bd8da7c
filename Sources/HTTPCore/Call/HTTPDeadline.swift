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
    /// Asks `session`, and reads the body inside when its delivery is `.buffered`. Ends with the call's
    /// deadline on the call's clock even if the session does not, and binds it for nested calls.
    ///
    /// On the real clock a transport ends by itself and says more: it gets a moment to do so.
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

    /// What a call throws whose deadline has passed, or would before it could be sent.
    package func deadlineError(phase: HTTPError.Phase) -> HTTPError {
        HTTPError(
            .timedOut, "the call's deadline has passed", phase: phase,
            timer: HTTPError.Timer(.deadline, limit ?? .zero), mayHaveReachedServer: sends > 0
        ).noting(nil, timeline: timeline)
    }
}

extension HTTPSession {
    /// The answer with its body in memory when that is what the request asks for.
    package func wholeResponse(for request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await response(for: request)
        guard let limit = response.limitOfRest(for: request) else { return response }
        return try await response.buffered(upTo: limit)
    }
}

extension HTTPResponse {
    /// Up to how many bytes `request` wants the body in memory, to be read any number of times, where it
    /// is not.
    package func limitOfRest(for request: HTTPRequest) -> Int? {
        guard case .buffered(let limit) = request.delivery, !body.isValue else { return nil }
        return limit
    }
}
