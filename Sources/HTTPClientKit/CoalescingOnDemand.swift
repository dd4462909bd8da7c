import HTTPCore
import HTTPMiddleware

/// Coalesces duplicate requests (row 7) if the request or the client has a coalescing mode.
///
/// Two requests are duplicates if the same message would be sent for both, so they are compared as
/// prepared. The original request is passed on, since each attempt is prepared again below.
struct CoalescingOnDemand: HTTPClientMiddleware {
    private let mode: CoalescingMode?
    private let coalescing: Coalescing
    private let preparation: Preparation
    /// `true` if this layer prepares the request itself, because no layer below makes attempts. The
    /// chain then has no layer for preparation.
    private let isPreparing: Bool

    init(
        _ mode: CoalescingMode?, _ coalescing: Coalescing, _ preparation: Preparation,
        preparing isPreparing: Bool
    ) {
        self.mode = mode
        self.coalescing = coalescing
        self.preparation = preparation
        self.isPreparing = isPreparing
    }

    @inline(__always)
    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        let requested = request.coalescing
        guard let mode = requested ?? mode else {
            guard isPreparing else { return try await next.response(for: request) }
            return try await next.response(for: preparation.prepared(request))
        }
        let next = isPreparing ? next.with(preparation) : next
        var prepared = try await preparation.prepared(request)
        prepared = prepared.prepared(from: request.withDuplicatesSeenTo)
        var response = try await coalescing.response(
            for: prepared, mode: requested, default: mode, next: Unpreparing(next: next))
        response.originalRequest.forgetUnprepared()
        return response
    }
}

/// Sends the request that each attempt is prepared from, as part of the call that serves several
/// callers.
private struct Unpreparing: HTTPSession {
    let next: any HTTPSession

    func response(for prepared: HTTPRequest) async throws -> HTTPResponse {
        try await next.response(for: prepared.unprepared)
    }
}
