import HTTPCore
import HTTPMiddleware

/// Row 7, for requests that say what is to be done with duplicates, or clients that do.
///
/// What makes two requests one is what would be sent, so they are compared as prepared; what goes on is
/// what came, since each attempt is prepared anew below.
struct CoalescingOnDemand: HTTPClientMiddleware {
    private let handling: CoalescingMode?
    private let coalescing: Coalescing
    private let preparation: Preparation
    /// Whether it prepares what goes on itself, as long as nobody between makes attempts: one layer less.
    private let isPreparing: Bool

    init(
        _ handling: CoalescingMode?, _ coalescing: Coalescing, _ preparation: Preparation,
        preparing isPreparing: Bool
    ) {
        self.handling = handling
        self.coalescing = coalescing
        self.preparation = preparation
        self.isPreparing = isPreparing
    }

    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        let wish = request.coalescing
        guard let handling = wish ?? handling else {
            guard isPreparing else { return try await next.response(for: request) }
            return try await next.response(for: preparation.prepared(request))
        }
        let next = isPreparing ? next.with(preparation) : next
        var prepared = try await preparation.prepared(request)
        prepared[Unprepared.self] = request.withDuplicatesSeenTo
        var response = try await coalescing.response(
            for: prepared, handling: wish, default: handling, next: Unpreparing(next: next))
        response.originalRequest.options.remove(Unprepared.self)
        return response
    }
}

private enum Unprepared: HTTPRequestOption {
    static var defaultValue: HTTPRequest? { nil }
}

/// Sends the request that came, as part of the call that serves several.
private struct Unpreparing: HTTPSession {
    let next: any HTTPSession

    func response(for prepared: HTTPRequest) async throws -> HTTPResponse {
        guard var request = prepared[Unprepared.self], let call = prepared.call else {
            return try await next.response(for: prepared)
        }
        request.deadline = prepared.deadline
        return try await next.response(for: request.joining(call))
    }
}
