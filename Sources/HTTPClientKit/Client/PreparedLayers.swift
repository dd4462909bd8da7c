import HTTPCaching
import HTTPCookies
import HTTPCore
import HTTPCredentials
import HTTPMiddleware

/// The layers of a hop that must see the request as it will be sent: the cache (row 6) and, if the
/// request or the client has a mode for it, coalescing (row 7).
///
/// They see a prepared copy. The original request is passed on, since each attempt is prepared
/// again below.
struct PreparedLayers: HTTPClientMiddleware {
    private let mode: CoalescingMode?
    /// `false` if only a request with a mode of its own has something to do here.
    private let isUsed: Bool
    private let coalescing: Coalescing
    private let cache: HTTPCache?
    /// The cookies, which are added to the prepared copy only: each exchange gets those that the
    /// jar has then.
    private let cookies: Cookies?
    /// The owner of the credentials that layers add, for the cache.
    private let owner: CacheOwner?
    private let preparation: Preparation
    /// `true` if this layer prepares the request itself, because no layer below makes attempts. The
    /// chain then has no layer for preparation.
    private let isPreparing: Bool

    init(
        _ configuration: HTTPClient.Configuration, _ coalescing: Coalescing,
        _ preparation: Preparation, preparing isPreparing: Bool
    ) {
        mode = configuration.coalescing
        isUsed = configuration.coalescing != nil || configuration.cache != nil
        self.coalescing = coalescing
        cache = configuration.cache
        cookies = configuration.cookies.map { Cookies($0) }
        owner =
            configuration.cachePartition.map { .client($0) }
            ?? (configuration.authentication.isEmpty ? nil : .unknown)
        self.preparation = preparation
        self.isPreparing = isPreparing
    }

    @inline(__always)
    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        let requested = request.hasOptions ? request.coalescing : nil
        guard isUsed || requested != nil else {
            guard isPreparing else { return try await next.response(for: request) }
            return try await next.response(for: preparation.prepared(request))
        }
        return try await response(for: request, requested, requested ?? mode, next)
    }

    private func response(
        for request: HTTPRequest, _ requested: CoalescingMode?, _ mode: CoalescingMode?,
        _ next: any HTTPSession
    ) async throws -> HTTPResponse {
        let original = request.withDuplicatesSeenTo
        var prepared = try await self.preparation.prepared(original).previewing(original)
        if let cookies { prepared = try cookies.attached(to: prepared) }
        if cache != nil, let owner, prepared.cacheOwner == nil { prepared.cacheOwner = owner }
        // Not made with `with`, which looks for conformances each time.
        let preparing: any HTTPSession =
            isPreparing ? PreparingSession(preparation: preparation, next: next) : next
        var sender: any HTTPSession = PreviewedSession(preparing)
        if let mode {
            sender = CoalescedSession(
                coalescing: coalescing, requested: requested, mode: mode, next: sender)
        }
        var response =
            if let cache {
                try await cache.intercept(prepared, next: sender)
            } else {
                try await sender.response(for: prepared)
            }
        response.originalRequest.endPreview()
        return response
    }
}

private struct CoalescedSession: HTTPSession {
    let coalescing: Coalescing
    let requested: CoalescingMode?
    let mode: CoalescingMode
    let next: any HTTPSession

    func response(for prepared: HTTPRequest) async throws -> HTTPResponse {
        try await coalescing.response(
            for: prepared, mode: requested, default: mode, next: next)
    }
}

/// Prepares each request, because no layer below does.
private struct PreparingSession: HTTPSession {
    let preparation: Preparation
    let next: any HTTPSession

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        try await next.response(for: preparation.prepared(request))
    }
}
