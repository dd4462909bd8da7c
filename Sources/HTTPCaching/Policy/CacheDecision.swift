import HTTPCore
import PortableFoundation

/// The decision on a request, given the responses that are stored for its key (RFC 9111 §4).
///
/// A value without I/O: the cache looks up, decides, and acts.
enum CacheDecision: Hashable, Sendable {
    /// Use the stored response.
    case serve(HTTPStoredResponse, timeToLive: Duration)
    /// Use the stored response, and revalidate it meanwhile (RFC 5861 §3).
    case serveAndRevalidate(HTTPStoredResponse, timeToLive: Duration)
    /// Ask the origin; the stored response may be revalidated, or used if that fails.
    case forward(HTTPCacheStatus.Forward, HTTPStoredResponse?)
    /// Only a stored response was wanted, and there is none (RFC 9111 §5.2.1.7).
    case unsatisfiable

    init(
        for request: CacheRequest, fields: HTTPHeaders, key: HTTPCacheKey,
        stored: [HTTPStoredResponse], now: Date
    ) {
        guard !stored.isEmpty else {
            self = request.onlyIfCached ? .unsatisfiable : .forward(.uriMiss, nil)
            return
        }
        guard let response = Self.selected(from: stored, for: fields, key) else {
            self = request.onlyIfCached ? .unsatisfiable : .forward(.varyMiss, nil)
            return
        }
        let facts = response.facts.directives
        let age = response.age(at: now)
        let timeToLive = response.facts.lifetime - age
        let isFresh = timeToLive > .zero
        // Stale responses that the origin forbids to use without its word (RFC 9111 §4.2.4).
        let mayBeStale = !facts.noCache && !facts.mustRevalidate

        if request.noCache || facts.noCache {
            self =
                request.onlyIfCached
                ? .unsatisfiable : .forward(request.noCache ? .request : .stale, response)
        } else if isFresh, request.accepts(age, timeToLive, isImmutable: facts.isImmutable) {
            self = .serve(response, timeToLive: timeToLive)
        } else if !isFresh, mayBeStale, request.acceptsStale(age: age, by: .zero - timeToLive) {
            self = .serve(response, timeToLive: timeToLive)
        } else if !isFresh, mayBeStale, request.maxAge.map({ age <= $0 }) ?? true,
            request.minFresh == .zero, !request.onlyIfCached,
            .zero - timeToLive < facts.staleWhileRevalidate
        {
            self = .serveAndRevalidate(response, timeToLive: timeToLive)
        } else if request.onlyIfCached {
            self = .unsatisfiable
        } else {
            self = .forward(isFresh ? .request : .stale, response)
        }
    }

    /// The newest response whose selecting fields the request matches; one with `Vary` before one
    /// without (RFC 9111 §4.1).
    private static func selected(
        from stored: [HTTPStoredResponse], for fields: HTTPHeaders, _ key: HTTPCacheKey
    ) -> HTTPStoredResponse? {
        var best: HTTPStoredResponse?
        for response in stored {
            let names = response.selectingFields
            if let best, best.isPreferred(to: response) { continue }
            if names.isEmpty
                || SelectingFields.variant(of: names, in: fields, for: key) == response.variant
            {
                best = response
            }
        }
        return best
    }
}

extension CacheRequest {
    /// Returns `true` if the request takes a fresh response of this age. An immutable one is as
    /// good as a new one, whatever age the request prefers (RFC 8246 §2).
    fileprivate func accepts(
        _ age: Duration, _ timeToLive: Duration, isImmutable: Bool
    ) -> Bool {
        guard !isImmutable else { return timeToLive >= minFresh }
        // `max-stale` also lifts the request's own limit (RFC 9111 §5.2.1.2).
        let isYoung = maxAge.map { age <= $0 + (maxStale ?? .zero) } ?? true
        return isYoung && timeToLive >= minFresh
    }

    fileprivate func acceptsStale(age: Duration, by staleness: Duration) -> Bool {
        guard let maxStale, minFresh == .zero else { return false }
        return staleness <= maxStale && (maxAge.map { age <= $0 + maxStale } ?? true)
    }
}

extension HTTPStoredResponse {
    func age(at now: Date) -> Duration {
        facts.age(requested: requestDate, received: responseDate, now: now)
    }

    fileprivate func isPreferred(to other: HTTPStoredResponse) -> Bool {
        guard selectingFields.isEmpty == other.selectingFields.isEmpty else {
            return !selectingFields.isEmpty
        }
        let (own, others) = (
            facts.date.map(Double.init) ?? responseDate.timeIntervalSince1970,
            other.facts.date.map(Double.init) ?? other.responseDate.timeIntervalSince1970
        )
        return own == others ? responseDate > other.responseDate : own > others
    }

    /// Returns `true` if this response may be used in the place of an error (RFC 5861 §4).
    func mayReplaceError(of request: CacheRequest, at now: Date) -> Bool {
        let directives = facts.directives
        guard !directives.noCache, !directives.mustRevalidate, !request.noCache else {
            return false
        }
        let staleness = max(.zero, age(at: now) - facts.lifetime)
        let limits = [directives.staleIfError, request.staleIfError].compactMap(\.self)
        return limits.contains { staleness <= $0 }
    }
}
