public import HTTPCore
import HTTPFormats
public import PortableFoundation

/// A private cache (RFC 9111) with the extensions for stale responses (RFC 5861), as a middleware.
///
/// ```swift
/// let cache = HTTPCache.inMemory(limit: 64 << 20)
/// let client = HTTPClient(cache: cache)
/// let session = CurlTransport().with(cache)
/// ```
///
/// A cache may serve several clients and users: a stored response is given only to requests with
/// the credentials of the request that it was stored for. See
/// ``/HTTPCore/HTTPRequest/cachePartition``.
///
/// Requests pass by if they have `no-store`, preconditions, a body, a `Host` field or options for
/// the transport, or if their method is not GET or HEAD. A range is served from a response that is
/// stored as a whole, and passes by otherwise. Each response has a `Cache-Status` field (RFC 9211),
/// and the call's timeline and observer are told the same (``HTTPCacheStatus``).
///
/// Identical requests at the same time wait for the head of the first one's response. If the
/// response is stored by then, which is so for a body in memory, they get it. Otherwise they are
/// sent.
///
/// - Important: The cache does not see credentials of the transport, such as a client certificate
///   in its settings. Over transports with different ones, use different caches, or name the
///   partitions.
///
/// Runs per hop, inside redirects and around retries (row 6), so that each hop has an entry of its
/// own, a hit needs no connection, and a stale response is used only when the retries are used up.
public final class HTTPCache: HTTPClientMiddleware {
    let store: any HTTPCacheStore
    let pending = PendingRequests()
    private let numbers = Locked(HTTPCacheStatistics())
    private let invalidations = Locked(Invalidations())

    /// - Parameter store: the store of the responses. Several caches may share one.
    public init(store: any HTTPCacheStore) { self.store = store }

    /// A cache over a new ``HTTPMemoryCacheStore``, of 64 MiB.
    public static var inMemory: HTTPCache { HTTPCache(store: HTTPMemoryCacheStore()) }

    /// Creates a cache over a new ``HTTPMemoryCacheStore``.
    ///
    /// - Parameter limit: the size of the store, in bytes.
    public static func inMemory(limit: Int) -> HTTPCache {
        HTTPCache(store: HTTPMemoryCacheStore(limit: limit))
    }

    /// Creates a cache over a ``HTTPDiskCacheStore``.
    ///
    /// - Parameters:
    ///   - folder: the path of the folder, which is created if it does not exist.
    ///   - limit: the size of the store, in bytes. See ``HTTPDiskCacheStore`` for when it holds.
    /// - Throws: `cacheFolderUnusable` if the folder cannot be used.
    public static func disk(at folder: String, limit: Int64) throws(HTTPError) -> HTTPCache {
        HTTPCache(store: try HTTPDiskCacheStore(folder: folder, limit: limit))
    }

    /// Creates a cache in the folder of a file URL. See ``disk(at:limit:)-(String,_)``.
    public static func disk(at folder: URL, limit: Int64) throws(HTTPError) -> HTTPCache {
        try disk(at: folder.filePath, limit: limit)
    }

    /// The numbers since the cache was made.
    public var statistics: HTTPCacheStatistics { numbers.withLock { $0 } }

    /// The number of requests that wait for the response to another one.
    package var waiterCount: Int { pending.waiterCount }

    /// The number of revalidations in the background that have not ended.
    package var revalidationCount: Int { pending.revalidationCount }

    /// Removes all stored responses. Responses on their way are not stored.
    ///
    /// - Throws: the error of the store.
    public func removeAll() async throws {
        invalidations.withLock { $0.addAll() }
        try await store.removeAll()
    }

    public func intercept(
        _ original: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = original
        request.applyCachePolicy()
        var next = next
        if request.mayNeedPreparing, !request.isPreview {
            // The cache must see what `modify` changes; each attempt is prepared again.
            request = try request.prepared().previewing(request)
            next = PreviewedSession(next)
        }
        var rules = CacheRequest(request)
        if rules.onlyIfCached, !rules.kind.mayBeServed {
            return try exchange(request, rules, next).gatewayTimeout()
        }
        if rules.kind == .lookup,
            request.currentCall.isAskingCacheAgain(for: try request.target().url)
        {
            // Its first response was not accepted, or has led back to the URL.
            rules.noCache = true
        }
        switch rules.kind {
        case .lookup: return try await lookedUp(request, rules, next)
        case .unsafe: return try await sentUnsafe(request, next)
        case .range(let part):
            if let response = try await servedRange(part, of: request, rules, next) {
                return response
            }
            return try await passed(request, "range", next)
        case .bypass(let reason): return try await passed(request, reason, next)
        }
    }

    private func passed(
        _ request: HTTPRequest, _ reason: String, _ next: any HTTPSession
    ) async throws -> HTTPResponse {
        count { $0.bypassed += 1 }
        let response = try await next.response(for: request)
        return response.with(
            HTTPCacheStatus(
                forward: reason == "method" ? .method : .bypass, forwardStatus: response.status,
                detail: reason),
            for: request)
    }

    private func lookedUp(
        _ request: HTTPRequest, _ rules: CacheRequest, _ next: any HTTPSession
    ) async throws -> HTTPResponse {
        let exchange = try exchange(request, rules, next)
        let key = exchange.key
        var reasonToWait: HTTPCacheStatus.Forward?
        var hasWaited = false
        while true {
            switch await exchange.decision() {
            case .serve(let response, let timeToLive):
                let status = HTTPCacheStatus(
                    forward: reasonToWait, timeToLive: timeToLive, isCollapsed: hasWaited)
                if let served = await exchange.served(response, status) { return served }
                return try await exchange.forwarded(.uriMiss, nil).response
            case .serveAndRevalidate(let response, let timeToLive):
                let status = HTTPCacheStatus(
                    timeToLive: timeToLive, detail: "stale-while-revalidate")
                guard let served = await exchange.served(response, status) else {
                    return try await exchange.forwarded(.uriMiss, nil).response
                }
                exchange.revalidateInBackground(response)
                return served
            case .unsatisfiable: return exchange.gatewayTimeout()
            case .forward(let reason, let response):
                // A HEAD request stores nothing, `no-cache` asks for a response that was made after
                // it, and a refresh must not wait for a request that may wait for the refresh.
                guard !hasWaited, !rules.isHead, !rules.noCache, request.refreshOwner == nil,
                    !CacheLead.isLeading, response?.facts.directives.noCache != true
                else { return try await exchange.forwarded(reason, response).response }
                switch pending.enter(key) {
                case .leader: return try await exchange.led(reason, response)
                case .none: return try await exchange.forwarded(reason, response).response
                case .follower(let followers):
                    try await followers.gate.wait(for: request.currentCall)
                    (hasWaited, reasonToWait) = (!followers.areOrphaned, reason)
                }
            }
        }
    }

    /// Returns a range of a stored response, or `nil` if it cannot be served from the store.
    private func servedRange(
        _ part: HTTPRange.Part, of request: HTTPRequest, _ rules: CacheRequest,
        _ next: any HTTPSession
    ) async throws -> HTTPResponse? {
        let exchange = try exchange(request, rules, next)
        if case .serve(let stored, let timeToLive) = await exchange.decision(),
            let range = StoredRange(part, of: stored, for: request.headers)
        {
            let status = HTTPCacheStatus(timeToLive: timeToLive)
            if let response = await exchange.served(stored, status, range) { return response }
        }
        return rules.onlyIfCached ? exchange.gatewayTimeout() : nil
    }

    private func exchange(
        _ request: HTTPRequest, _ rules: CacheRequest, _ next: any HTTPSession
    ) throws -> CachedExchange {
        let key = HTTPCacheKey(
            partition: CachePartition.text(of: request), url: try request.target().url)
        return CachedExchange(
            cache: self, request: request, rules: rules, key: key,
            clock: request.currentCall.clock, next: next)
    }

    /// Sends a request with an unsafe method, and removes what it may have changed
    /// (RFC 9111 §4.4).
    private func sentUnsafe(
        _ request: HTTPRequest, _ next: any HTTPSession
    ) async throws -> HTTPResponse {
        count { $0.bypassed += 1 }
        let response: HTTPResponse
        do {
            response = try await next.response(for: request)
        } catch {
            // The server may have done what it was asked for.
            if !error.reachedNoServer {
                await invalidate([request.url], for: request)
            }
            throw error
        }
        if (200..<400).contains(response.status.code) {
            var urls = [request.url]
            for name in [HTTPHeaderName.location, .contentLocation] {
                // Another origin has no say in what is stored for this one.
                guard let written = response.headers.bytes(of: name),
                    let url = try? request.url.resolving(received: written),
                    let origin = try? HTTPOrigin(url), origin == (try? request.origin())
                else { continue }
                urls.append(url)
            }
            await invalidate(urls, for: request)
        }
        return response.with(
            HTTPCacheStatus(forward: .method, forwardStatus: response.status), for: request)
    }

    private func invalidate(_ urls: [URL], for request: HTTPRequest) async {
        let partitions = Set(["", CachePartition.text(of: request)])
        for url in urls {
            guard let text = try? HTTPTarget(url).url else { continue }
            let date = request.currentCall.clock.date
            invalidations.withLock { $0.add(url: text, at: date) }
            for partition in partitions {
                let key = HTTPCacheKey(partition: partition, url: text)
                invalidations.withLock { $0.add(key) }
                do { try await store.remove(key) } catch { count(error) }
            }
        }
        count { $0.invalidated += urls.count }
    }
}

// MARK: - For the parts of the cache

extension HTTPCache {
    func responses(for key: HTTPCacheKey) async -> [HTTPStoredResponse] {
        do {
            let stored = try await store.responses(for: key)
            return invalidations.withLock { $0.usable(stored, for: key) }
        } catch {
            count(error)
            return []
        }
    }

    /// Removes a response that must not be used again.
    func drop(_ response: HTTPStoredResponse, _ key: HTTPCacheKey) async {
        do {
            try await store.remove(response, for: key)
        } catch {
            count(error)
            let date = response.requestDate.addingTimeInterval(0.001)
            invalidations.withLock { $0.add(url: key.url, at: date) }
        }
    }

    /// A number to compare later invalidations with.
    var moment: UInt64 { invalidations.withLock { $0.now } }

    func isValid(_ key: HTTPCacheKey, since moment: UInt64) -> Bool {
        invalidations.withLock { !$0.contains(key, since: moment) }
    }

    func count(_ change: (inout HTTPCacheStatistics) -> Void) { numbers.withLock { change(&$0) } }

    func count(_ error: any Error) {
        let text = (error as? HTTPError)?.description ?? "\(type(of: error))"
        count {
            $0.storeFailures += 1
            $0.lastStoreFailure = text
        }
    }
}

extension HTTPResponse {
    private static let cacheName = Array("Cache-Status: swift-http-session; ".utf8)

    /// Returns this response with the status in its `Cache-Status` (RFC 9211), and in the call's
    /// timeline and events.
    func with(_ status: HTTPCacheStatus, for request: HTTPRequest) -> HTTPResponse {
        request.currentCall.record(status)
        var response = self
        let line = Self.cacheName + status.bytes
        // Only a detail that holds a control character would be refused, and none does.
        if !response.headers.append(line: line.span) { response.headers.refuse(.cacheStatus) }
        return response
    }
}

// MARK: - Requests

/// The URLs that caches were asked for during a call.
private struct AskedURLs: HTTPRequestOption {
    static var defaultValue: AskedURLs? { nil }

    let first: String
    var others: [String] = []
}

extension HTTPCall {
    /// Notes that a cache is asked for a URL. Returns `true` if one was asked before.
    fileprivate func isAskingCacheAgain(for url: String) -> Bool {
        withOptions { options in
            guard var asked = options[AskedURLs.self] else {
                options[AskedURLs.self] = AskedURLs(first: url)
                return false
            }
            guard asked.first != url, !asked.others.contains(url) else { return true }
            asked.others.append(url)
            options[AskedURLs.self] = asked
            return false
        }
    }
}

extension CacheRequest.Kind {
    /// `true` if the request may be served without asking the origin.
    fileprivate var mayBeServed: Bool {
        switch self {
        case .lookup, .range: true
        case .bypass, .unsafe: false
        }
    }
}
