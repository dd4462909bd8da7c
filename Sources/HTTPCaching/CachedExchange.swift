import HTTPCore
import HTTPFormats
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A request that a cache serves or sends, and what is needed for both.
struct CachedExchange: Sendable {
    let cache: HTTPCache
    let request: HTTPRequest
    let rules: CacheRequest
    let key: HTTPCacheKey
    let clock: any HTTPClock
    let next: any HTTPSession
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
    func served(
        _ stored: HTTPStoredResponse, _ status: HTTPCacheStatus, _ range: StoredRange? = nil
    ) async -> HTTPResponse? {
        guard let response = await response(from: stored, range) else { return nil }
        let length = rules.isHead ? 0 : (range.map { Int64($0.range.count) } ?? stored.bodyLength)
        cache.count {
            if status.forwardStatus?.code == 304 {
                $0.revalidated += 1
            } else if status.isHit, (status.timeToLive ?? .zero) > .zero {
                $0.hits += 1
            } else {
                $0.staleHits += 1
            }
            if status.isCollapsed { $0.collapsed += 1 }
            $0.bytesServed += length
        }
        return response.with(status, for: request)
    }

    private func response(
        from stored: HTTPStoredResponse, _ range: StoredRange?
    ) async -> HTTPResponse? {
        var body: HTTPBody? = .empty
        if !rules.isHead {
            do {
                body = try await cache.store.body(of: stored, for: key)
            } catch {
                cache.count(error)
                body = nil
            }
        }
        guard let body else { return nil }
        var headers = range?.headers ?? stored.headers
        headers[.age] = stored.age(at: clock.date).deltaSeconds
        return HTTPResponse(
            HTTPResponse.Head(
                status: range == nil ? stored.status : .partialContent, headers: headers,
                url: request.url),
            body: range?.body(of: body) ?? body, to: request)
    }

    /// The response if only a stored one was wanted and there is none (RFC 9111 §5.2.1.7).
    func gatewayTimeout() -> HTTPResponse {
        cache.count { $0.misses += 1 }
        return HTTPResponse(.gatewayTimeout, to: request)
            .with(HTTPCacheStatus(forward: .request, detail: "only-if-cached"), for: request)
    }
}

// MARK: - Sending

extension CachedExchange {
    /// Sends the request as the one that others wait for.
    func led(
        _ reason: HTTPCacheStatus.Forward, _ stored: HTTPStoredResponse?
    ) async throws -> HTTPResponse {
        do {
            let response = try await forwarded(reason, stored)
            cache.pending.end(key, cancelled: false)
            return response
        } catch {
            cache.pending.end(key, cancelled: error is CancellationError)
            throw error
        }
    }

    /// Sends the request, as a conditional one if there is a stored response to revalidate, and
    /// stores the response.
    func forwarded(
        _ reason: HTTPCacheStatus.Forward, _ stored: HTTPStoredResponse?
    ) async throws -> HTTPResponse {
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
            guard !(error is CancellationError), !Task.isCancelled,
                let stale = await replacement(of: reason, stored, nil)
            else {
                cache.count { $0.misses += 1 }
                throw error
            }
            return stale
        }
        let received = clock.date
        if isConditional, response.status.code == 304, let stored {
            await response.discard()
            return try await revalidated(
                stored, by: response.head, reason, requested: requested, received: received,
                moment)
        }
        if [500, 502, 503, 504].contains(response.status.code),
            let stale = await replacement(of: reason, stored, response.status)
        {
            await response.discard()
            return stale
        }
        cache.count { $0.misses += 1 }
        return await taken(
            response, instead: stored, requested: requested, received: received, moment, reason)
    }

    /// Returns the stored response in the place of an error (RFC 5861 §4).
    private func replacement(
        of reason: HTTPCacheStatus.Forward, _ stored: HTTPStoredResponse?, _ status: HTTPStatus?
    ) async -> HTTPResponse? {
        let now = clock.date
        guard let stored, stored.mayReplaceError(of: rules, at: now) else { return nil }
        return await served(
            stored,
            HTTPCacheStatus(
                forward: reason, forwardStatus: status,
                timeToLive: stored.facts.lifetime - stored.age(at: now), detail: "stale-if-error"))
    }

    /// Updates a stored response by a 304 and returns it (RFC 9111 §4.3.4).
    private func revalidated(
        _ stored: HTTPStoredResponse, by head: HTTPResponse.Head,
        _ reason: HTTPCacheStatus.Forward, requested: Date, received: Date, _ moment: UInt64
    ) async throws -> HTTPResponse {
        let tags = (head.headers[.entityTag], stored.headers[.entityTag])
        var isOther = false
        if let new = tags.0, let old = tags.1 { isOther = !new.isSameTag(as: old) }
        if !isOther {
            let updated = stored.updated(
                by: head.headers, requested: requested, received: received)
            if updated.facts.directives.noStore {
                await cache.drop(stored, key)
            } else if cache.isValid(key, since: moment) {
                do { try await cache.store.update(updated, for: key) } catch { cache.count(error) }
            }
            let status = HTTPCacheStatus(
                forward: reason, forwardStatus: head.status,
                timeToLive: updated.facts.lifetime - updated.age(at: received))
            if let response = await served(updated, status) { return response }
        }
        // The 304 is about other bytes than the stored ones, or they are gone.
        await cache.drop(stored, key)
        return try await forwarded(reason, nil)
    }
}

// MARK: - Storing

extension CachedExchange {
    /// Returns a response of the origin, which is stored while it is read if it may be.
    private func taken(
        _ response: HTTPResponse, instead old: HTTPStoredResponse?, requested: Date,
        received: Date, _ moment: UInt64, _ reason: HTTPCacheStatus.Forward
    ) async -> HTTPResponse {
        var status = HTTPCacheStatus(forward: reason, forwardStatus: response.status)
        guard !rules.isHead else {
            if let old { await freshen(old, by: response.head, requested, received, moment) }
            return response.with(status, for: request)
        }
        let facts = CacheFacts(
            status: response.status, headers: response.headers, received: received)
        if let refusal = refusal(of: response, facts) {
            status.detail = refusal
            // What is stored is no longer what the origin sends.
            if let old, response.status.code < 500 { await cache.drop(old, key) }
            return response.with(status, for: request)
        }
        var response = response
        let stored = newlyStored(response, facts, requested: requested, received: received)
        if let writer = await writer(of: stored, response.body.length, moment) {
            status.isStored = await storing(&response, writer)
        }
        if status.isStored { status.timeToLive = stored.facts.lifetime - stored.age(at: received) }
        return response.with(status, for: request)
    }

    private func refusal(of response: HTTPResponse, _ facts: CacheFacts) -> String? {
        // A layer below has followed a redirect: the response belongs to another URL.
        guard response.url == request.url || (try? HTTPTarget(response.url).url) == key.url else {
            return "redirected"
        }
        guard CachePartition.covers(response.originalRequest, seen: request) else {
            return "credentials"
        }
        return Storability.refusal(of: response.head, facts)
    }

    private func newlyStored(
        _ response: HTTPResponse, _ facts: CacheFacts, requested: Date, received: Date
    ) -> HTTPStoredResponse {
        var headers = StoredFields.stored(response.headers)
        // A field that `Connection` names does not count for a stored response.
        let isSame = headers.count == response.headers.count
        if !headers.contains(.date) { headers[.date] = HTTPDate(received).description }
        let names = SelectingFields.names(in: headers)
        var fields = request.headers
        // Cookies may have changed since the cache saw the request.
        if names.contains("cookie") {
            fields[values: .cookie] = response.originalRequest.headers[values: .cookie]
        }
        return HTTPStoredResponse(
            id: HTTPStoredResponse.newID(), status: response.status, headers: headers,
            selectingFields: names,
            variant: SelectingFields.variant(of: names, in: fields, for: key),
            requestDate: requested, responseDate: received, facts: isSame ? facts : nil)
    }

    private func writer(
        of stored: HTTPStoredResponse, _ length: Int64?, _ moment: UInt64
    ) async -> StoringWriter? {
        do {
            return try await cache.store.beginStoring(stored, for: key, length: length).map {
                StoringWriter(cache: cache, writer: $0, key: key, moment: moment)
            }
        } catch {
            cache.count(error)
            return nil
        }
    }

    /// Stores a body that is in memory at once, and any other while it is read.
    ///
    /// - Returns: `false` if the store does not take it.
    private func storing(_ response: inout HTTPResponse, _ writer: StoringWriter) async -> Bool {
        guard let bytes = response.body.bytes else {
            response.body = HTTPBody(
                source: StoringBodySource(response.body, writer), length: response.body.length)
            return true
        }
        if !bytes.isEmpty, await !writer.append(bytes) { return false }
        await writer.commit(trailers: response.body.trailers)
        return true
    }

    /// Updates a stored response by a response to HEAD, or removes it if they differ
    /// (RFC 9111 §4.3.5).
    private func freshen(
        _ old: HTTPStoredResponse, by head: HTTPResponse.Head, _ requested: Date, _ received: Date,
        _ moment: UInt64
    ) async {
        guard head.status.code == 200, old.status.code == 200 else { return }
        let isSame = [HTTPHeaderName.entityTag, .lastModified, .contentLength].allSatisfy {
            head.headers[$0].map { [value = old.headers[$0]] in $0 == value } ?? true
        }
        guard isSame else { return await cache.drop(old, key) }
        let updated = old.updated(by: head.headers, requested: requested, received: received)
        guard cache.isValid(key, since: moment) else { return }
        do { try await cache.store.update(updated, for: key) } catch { cache.count(error) }
    }
}

// MARK: - Revalidating in the background

extension CachedExchange {
    /// Revalidates a stored response in a task of its own, unless a request for its key is under
    /// way. The work belongs to no caller: it has no caller's deadline or cancellation.
    func revalidateInBackground(_ stored: HTTPStoredResponse) {
        guard cache.pending.lead(key) else { return }
        cache.count { $0.backgroundRevalidations += 1 }
        cache.revalidations.add(1, ordering: .relaxed)
        let own = CachedExchange(
            cache: cache, request: request.servingSeveral(for: .seconds(600)), rules: rules,
            key: key, clock: clock, next: next)
        Task.detached {
            // The caller has its response: an error is in the events of this call.
            if let response = try? await own.forwarded(.stale, stored) {
                do { for try await _ in response.body {} } catch {}
            }
            own.cache.pending.end(own.key, cancelled: false)
            own.cache.revalidations.subtract(1, ordering: .releasing)
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
            if let tag = stored.headers[.entityTag], EntityTag(tag) != nil {
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
    private static let programID = UInt64.random(in: .min ... .max)
    private static let lastNumber = Atomic(UInt64.random(in: .min ... .max))

    /// Returns the identity of new bytes: a random number of this program, and the next one.
    fileprivate static func newID() -> String {
        let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        return programID.hexadecimal + number.hexadecimal
    }

    /// Returns the response after a later one has confirmed it.
    fileprivate func updated(
        by headers: HTTPHeaders, requested: Date, received: Date
    ) -> HTTPStoredResponse {
        var new = StoredFields.updated(self.headers, by: headers)
        if !headers.contains(.date) { new[.date] = HTTPDate(received).description }
        return HTTPStoredResponse(
            id: id, status: status, headers: new, selectingFields: selectingFields,
            variant: variant, requestDate: requested, responseDate: received,
            bodyLength: bodyLength, trailers: trailers)
    }
}

extension String {
    /// Returns `true` if both are the same entity tag, by weak comparison (RFC 9110 §8.8.3.2).
    fileprivate func isSameTag(as other: String) -> Bool {
        guard let own = EntityTag(self), let other = EntityTag(other) else { return self == other }
        return own.matchesWeakly(other)
    }
}

extension UInt64 {
    /// The number as 16 hexadecimal digits.
    fileprivate var hexadecimal: String {
        var digits = ""
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: self >> UInt64(shift)) & 15
            digits.unicodeScalars.append(
                Unicode.Scalar(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)))
        }
        return digits
    }
}
