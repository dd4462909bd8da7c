import HTTPCore
import HTTPMiddleware
import Synchronization

/// Prepares a request for sending: adds the default headers, runs the interceptors, then applies
/// the changes from `modify`.
///
/// Row 4, run inside retries and again for each attempt: a new token in the client's headers is in
/// the next attempt.
struct Preparation: HTTPClientMiddleware {
    private let defaults: LiveDefaults
    private let interceptors: [any HTTPRequestInterceptor]

    init(_ defaults: LiveDefaults, _ interceptors: [any HTTPRequestInterceptor]) {
        self.defaults = defaults
        self.interceptors = interceptors
    }

    func prepared(_ original: HTTPRequest) async throws -> HTTPRequest {
        var request = original
        if let defaults = defaults.current {
            try await defaults.process(request: &request)
        } else if interceptors.isEmpty {
            return request.mayNeedPreparing ? try request.prepared() : request
        }
        for interceptor in interceptors {
            try await interceptor.process(request: &request)
            try Task.checkCancellation()
        }
        return try request.prepared()
    }

    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        try await next.response(for: prepared(request))
    }
}

/// The client's current headers, and the origins that may receive the secrets among them.
final class LiveDefaults: Sendable {
    private let state = Locked<DefaultHeaders?>(nil)
    /// `true` while there is something to add, which most clients never have.
    private let isUsed = Atomic(false)

    init(_ configuration: HTTPClient.Configuration) { replace(by: configuration) }

    /// The layer that adds the current headers; `nil` if there is nothing to add.
    var current: DefaultHeaders? {
        isUsed.load(ordering: .acquiring) ? state.withLock { $0 } : nil
    }

    func replace(by configuration: HTTPClient.Configuration) {
        let new = Self.defaults(configuration)
        state.withLock { $0 = new }
        isUsed.store(new != nil, ordering: .releasing)
    }

    private static func defaults(_ configuration: HTTPClient.Configuration) -> DefaultHeaders? {
        let headers = configuration.headers
        guard !headers.isEmpty || headers.refusedName != nil else { return nil }
        return DefaultHeaders(
            headers, for: configuration.baseURL.flatMap { try? HTTPOrigin($0) },
            and: configuration.trustedOrigins)
    }
}
