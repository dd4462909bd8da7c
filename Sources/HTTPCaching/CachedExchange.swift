import HTTPCore
import HTTPFormats
import PortableFoundation

/// A request that a cache serves or sends, and what is needed for both.
struct CachedExchange: Sendable {
    let cache: HTTPCache
    let request: HTTPRequest
    let rules: CacheRequest
    let key: HTTPCacheKey
    let clock: any HTTPClock
    let next: any HTTPSession
    /// `true` for a revalidation in the background, which is not counted as a request.
    var isInBackground = false
}

// MARK: - Serving

extension CachedExchange {
    /// Looks into the store and decides.
    func decision() async -> CacheDecision {
        let stored = await cache.responses(for: key)
        return CacheDecision(
            for: rules, fields: request.headers, key: key, stored: stored, now: clock.date)
    }

    /// Returns a stored response, or `nil` if the store no longer has its body.
    ///
    /// - Parameter basis: The response of the origin in whose place it is returned.
    func served(
        _ stored: HTTPStoredResponse, _ status: HTTPCacheStatus, _ range: StoredRange? = nil,
        basis: HTTPResponse? = nil
    ) async -> HTTPResponse? {
        guard let body = await body(of: stored) else { return nil }
        var headers = range?.headers ?? stored.headers
        headers[.age] = stored.age(at: clock.date).deltaSeconds
        let head = HTTPResponse.Head(
            status: range == nil ? stored.status : .partialContent, headers: headers,
            url: request.url, version: basis?.version)
        var response = basis ?? HTTPResponse(head, to: request)
        response.head = head
        response.body = delivered(range?.body(of: body) ?? body)
        let length = rules.isHead ? 0 : (range.map { Int64($0.range.count) } ?? stored.bodyLength)
        if !isInBackground { count(status, length) }
        return response.with(status, for: request)
    }

    private func count(_ status: HTTPCacheStatus, _ length: Int64) {
        cache.count {
            if status.forwardStatus?.code == 304 {
                $0.revalidated += 1
            } else if status.isHit || status.isCollapsed, (status.timeToLive ?? .zero) > .zero {
                $0.hits += 1
            } else {
                $0.staleHits += 1
            }
            if status.isCollapsed { $0.collapsed += 1 }
            $0.bytesServed = $0.bytesServed.adding(clamped: max(0, length))
        }
    }

    private func body(of stored: HTTPStoredResponse) async -> HTTPBody? {
        guard !rules.isHead else { return .empty }
        do {
            return try await cache.store.body(of: stored, for: key)
        } catch {
            cache.count(error)
            return nil
        }
    }

    /// Returns the body so that the limit of a buffered delivery applies to it, as it would to one
    /// that arrives.
    private func delivered(_ body: HTTPBody) -> HTTPBody {
        guard case .buffered(let limit) = request.delivery, let bytes = body.bytes,
            bytes.count > limit
        else { return body }
        return HTTPBody(arrived: bytes, trailers: body.trailers)
    }

    /// The response if only a stored one was wanted and there is none (RFC 9111 §5.2.1.7).
    func gatewayTimeout() -> HTTPResponse {
        cache.count { $0.misses += 1 }
        var response = HTTPResponse(.gatewayTimeout, to: request)
        response.handBack(
            because: "the request has only-if-cached, and no stored response may be used")
        return response.with(HTTPCacheStatus(isHit: false, detail: "only-if-cached"), for: request)
    }
}

// MARK: - Sending

extension CachedExchange {
    /// A response, and what it means for requests that wait.
    struct Outcome {
        var response: HTTPResponse
        var end: PendingRequests.End
    }

    /// Sends the request as the one that others wait for.
    func led(
        _ reason: HTTPCacheStatus.Forward, _ stored: HTTPStoredResponse?
    ) async throws -> HTTPResponse {
        do {
            let outcome = try await CacheLead.$isLeading.withValue(true) {
                try await forwarded(reason, stored)
            }
            cache.pending.end(key, outcome.end)
            return outcome.response
        } catch {
            cache.pending.end(key, error is CancellationError ? .cancelled : .open)
            throw error
        }
    }

    /// Sends the request, as a conditional one if there is a stored response to revalidate, and
    /// stores the response.
    func forwarded(
        _ reason: HTTPCacheStatus.Forward, _ stored: HTTPStoredResponse?
    ) async throws -> Outcome {
        let isConditional = !rules.isHead && stored?.facts.hasPrecondition == true
        let moment = cache.moment
        let requested = clock.date
        let response: HTTPResponse
        do {
            // A body that is wanted as a whole is read here, so that requests that wait find it.
            response = try await next.attempt(
                isConditional ? request.revalidating(stored) : request
            ).get()
        } catch {
            guard error.isFailureToReach, !Task.isCancelled,
                let stale = await replacement(of: reason, stored, nil)
            else {
                if !isInBackground { cache.count { $0.misses += 1 } }
                throw error
            }
            return Outcome(response: stale, end: .open)
        }
        let received = clock.date
        if isConditional, response.status.code == 304, let stored {
            await response.discard()
            return try await revalidated(
                stored, by: response, reason, requested: requested, received: received, moment)
        }
        if [500, 502, 503, 504].contains(response.status.code),
            let stale = await replacement(of: reason, stored, response)
        {
            await response.discard()
            return Outcome(response: stale, end: .open)
        }
        if !isInBackground { cache.count { $0.misses += 1 } }
        return await taken(
            response, instead: stored, requested: requested, received: received, moment, reason)
    }

    /// Sends the request without a condition, after a 304 that is of no use.
    private func forwardedAgain(_ reason: HTTPCacheStatus.Forward) async throws -> Outcome {
        do {
            return try await forwarded(reason, nil)
        } catch let error as HTTPError {
            throw error.havingReachedServer()
        }
    }

    /// Returns the stored response in the place of an error (RFC 5861 §4).
    private func replacement(
        of reason: HTTPCacheStatus.Forward, _ stored: HTTPStoredResponse?, _ failed: HTTPResponse?
    ) async -> HTTPResponse? {
        let now = clock.date
        guard let stored, stored.mayReplaceError(of: rules, at: now) else { return nil }
        return await served(
            stored,
            HTTPCacheStatus(
                forward: reason, forwardStatus: failed?.status,
                timeToLive: stored.facts.lifetime - stored.age(at: now), detail: "stale-if-error"),
            basis: failed)
    }

    /// Updates a stored response by a 304 and returns it (RFC 9111 §4.3.4).
    private func revalidated(
        _ stored: HTTPStoredResponse, by response: HTTPResponse,
        _ reason: HTTPCacheStatus.Forward, requested: Date, received: Date, _ moment: UInt64
    ) async throws -> Outcome {
        guard stored.isConfirmed(by: response.headers) else {
            // The 304 is about other bytes than the stored ones.
            await cache.drop(stored, key)
            return try await forwardedAgain(reason)
        }
        let updated = stored.updated(
            by: response.headers, requested: requested, received: received)
        let status = HTTPCacheStatus(
            forward: reason, forwardStatus: response.status,
            timeToLive: updated.facts.lifetime - updated.age(at: received))
        let served = await served(updated, status, basis: response)
        // With other selecting fields, the response is for this request alone: the variant that is
        // stored is that of the former ones.
        let isUsable =
            !updated.facts.directives.noStore && !updated.headers.variesByAnything
            && SelectingFields.names(in: updated.headers) == stored.selectingFields
        if served == nil || !isUsable {
            await cache.drop(stored, key)
        } else if cache.isValid(key, since: moment) {
            do { try await cache.store.update(updated, for: key) } catch { cache.count(error) }
        }
        guard let served else { return try await forwardedAgain(reason) }
        return Outcome(response: served, end: isUsable ? .stored : .open)
    }
}

// MARK: - Revalidating in the background

extension CachedExchange {
    /// Revalidates a stored response in a task of its own, unless this is under way. The work
    /// belongs to no caller: it has no caller's deadline or cancellation, and no request waits for
    /// it.
    func revalidateInBackground(_ stored: HTTPStoredResponse) {
        guard cache.pending.beginRevalidation(key) else { return }
        cache.count { $0.backgroundRevalidations += 1 }
        var request = request.servingSeveral(for: .seconds(600))
        request.amend { request in
            request.options.remove(ReceivingProgress.self)
            // The deadline would turn these off, and a server that does not respond would be
            // waited for until then.
            if request.timeouts.connect == .standard {
                request.timeouts.connect = .after(.seconds(10))
            }
            if request.timeouts.idle == .standard { request.timeouts.idle = .after(.seconds(60)) }
        }
        let own = CachedExchange(
            cache: cache, request: request, rules: rules, key: key, clock: clock, next: next,
            isInBackground: true)
        Task.detached {
            // The caller has its response: an error is in the events of this call.
            if let response = try? await own.reported(stored) {
                do { for try await _ in response.body {} } catch {}
            }
            own.cache.pending.endRevalidation(own.key)
        }
    }

    private func reported(_ stored: HTTPStoredResponse) async throws -> HTTPResponse {
        try await request.currentCall.reportingEnd {
            try await forwarded(.stale, stored).response
        }
    }
}

// MARK: - Values

extension HTTPRequest {
    /// Returns this request as a conditional one for a stored response (RFC 9111 §4.3.1).
    fileprivate func revalidating(_ stored: HTTPStoredResponse?) -> HTTPRequest {
        guard let stored else { return self }
        var request = self
        request.amend { request in
            if let tag = stored.headers[.eTag], EntityTag(tag) != nil {
                request.headers[.ifNoneMatch] = tag
            }
            if let date = stored.headers[.lastModified] {
                request.headers[.ifModifiedSince] = date
            }
        }
        return request
    }
}

extension HTTPStoredResponse {
    /// Returns the response after a later one has confirmed it.
    func updated(
        by headers: HTTPHeaders, requested: Date, received: Date
    ) -> HTTPStoredResponse {
        var new = StoredFields.updated(self.headers, by: headers)
        // Bytes that are only equivalent do not get a strong tag.
        if let own = self.headers[.eTag] { new[.eTag] = own }
        if !headers.contains(.date) { new[.date] = HTTPDate(received).description }
        return HTTPStoredResponse(
            id: id, status: status, headers: new, selectingFields: selectingFields,
            variant: variant, requestDate: requested, responseDate: received,
            bodyLength: bodyLength, trailers: trailers)
    }
}

extension HTTPStoredResponse {
    /// Returns `true` if a 304 with these fields is about this response (RFC 9111 §4.3.4).
    fileprivate func isConfirmed(by update: HTTPHeaders) -> Bool {
        if let text = update[.eTag] {
            guard let own = headers[.eTag] else {
                // A strong tag that no stored response has is about other bytes.
                return EntityTag(text)?.isWeak == true && hasSameDate(as: update)
            }
            guard let new = EntityTag(text), let old = EntityTag(own) else { return text == own }
            return new.matchesWeakly(old)
        }
        return hasSameDate(as: update)
    }

    private func hasSameDate(as update: HTTPHeaders) -> Bool {
        guard let new = update[.lastModified], let old = headers[.lastModified] else { return true }
        return new == old
    }
}

extension HTTPHeaders {
    var variesByAnything: Bool { self[combined: .vary].map { Vary($0) } == .anything }
}

extension Error {
    /// `true` if the origin could not be reached, or its response was not received: an error in
    /// whose place a stale response may be used (RFC 5861 §4). A request that cannot be sent, a
    /// server that is not trusted and a login that has failed are none.
    fileprivate var isFailureToReach: Bool {
        guard let error = self as? HTTPError else { return false }
        return [
            HTTPError.Code.nameNotResolved, .cannotConnect, .proxyFailed, .tlsFailed,
            .connectionLost, .protocolViolation, .headersTooLarge, .bodyIncomplete,
            .contentDecodingFailed, .timedOut, .queueTimedOut,
        ].contains(error.innermostCode)
    }
}
