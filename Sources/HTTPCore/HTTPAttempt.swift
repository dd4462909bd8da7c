extension HTTPSession {
    /// Makes one attempt: sends `request` and, under `.buffered` delivery, reads the body to its
    /// end.
    ///
    /// The attempt ends at the deadline of the request's call, even if the session does not.
    ///
    /// - Parameter isPreparing: `true` if no layer below prepares the request.
    /// - Returns: The response, or why there is none.
    /// - Throws: `CancellationError`. Every other failure is a result.
    // Inlined, since it is part of every call of every layer that may send again.
    @inlinable @inline(__always)
    package func attempt(
        _ request: HTTPRequest, preparing isPreparing: Bool = false
    ) async throws(CancellationError) -> Result<HTTPResponse, any Error> {
        do {
            // Most calls have no deadline, and nothing to prepare.
            if request.deadline != nil || isPreparing && request.mayNeedPreparing {
                return .success(try await limitedResponse(for: request, preparing: isPreparing))
            }
            let response = try await response(for: request)
            guard response.isWhole(for: request) else {
                return .success(try await response.whole(for: request))
            }
            return .success(response)
        } catch let error as CancellationError {
            throw error
        } catch {
            return .failure(error)
        }
    }

    /// Returns the response of an attempt that ends at its call's deadline.
    @usableFromInline func limitedResponse(
        for request: HTTPRequest, preparing isPreparing: Bool
    ) async throws -> HTTPResponse {
        let request = isPreparing ? try request.prepared() : request
        guard let deadline = request.deadline, let call = request.call, !call.isEnforcingDeadline
        else { return try await response(for: request).whole(for: request) }
        return try await call.response(to: request, from: self, by: deadline)
    }
}

extension HTTPResponse {
    /// Returns whether `request` does not ask for the body in memory, or the body is there already.
    @usableFromInline func isWhole(for request: HTTPRequest) -> Bool {
        if case .buffered = request.delivery { body.isValue } else { true }
    }

    /// Returns the response with its body in memory if `request` asks for that.
    @usableFromInline func whole(for request: HTTPRequest) async throws -> HTTPResponse {
        guard case .buffered(let limit) = request.delivery, !body.isValue else { return self }
        do { return try await buffered(upTo: limit) } catch { throw error.afterResponse }
    }
}

extension HTTPSession {
    /// Sends a request for a call that has reached a server before, such as the next hop of a
    /// redirect. An error says so.
    package func followUp(_ request: HTTPRequest) async throws -> HTTPResponse {
        do {
            return try await response(for: request)
        } catch let error as HTTPError {
            throw error.havingReachedServer()
        }
    }
}

extension HTTPCall {
    /// Makes an attempt that ends at `deadline` on the call's clock even if the session does not,
    /// and binds the deadline for nested calls.
    ///
    /// On the real clock, a transport has a moment to end by itself: its error says more.
    func response(
        to request: HTTPRequest, from session: any HTTPSession, by deadline: HTTPInstant
    ) async throws -> HTTPResponse {
        let limit = request.deadlineLimit ?? limit
        guard clock.now < deadline else {
            throw deadlineError(phase: .preparing, after: limit)
        }
        let scope = HTTPDeadline.Scope(
            instant: deadline, clock: clock, limit: limit ?? .zero, enforcedCall: id)
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
            throw deadlineError(
                phase: sends > sendsBefore ? .waiting : .preparing, after: request.deadlineLimit)
        }
        return try outcome.get()
    }
}
