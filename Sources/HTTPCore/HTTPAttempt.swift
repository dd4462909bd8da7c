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
        let sendsBefore = sends
        let grace: Duration = clock is HTTPSystemClock ? .milliseconds(50) : .zero
        let (result, isLate) = await HTTPDeadline.$scope.withValue(scope) {
            await limited(until: deadline + grace, on: clock) {
                try await session.attempt(request).get()
            }
        }
        guard isLate else { return try result.get() }
        switch result {
        case .success(let response): response.body.abandon()
        case .failure(let error as HTTPError) where error.timer != nil: throw error
        case .failure: break
        }
        throw deadlineError(
            phase: sends > sendsBefore ? .waiting : .preparing, after: request.deadlineLimit)
    }
}
