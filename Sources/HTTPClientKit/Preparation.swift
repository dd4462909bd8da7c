import HTTPCore
import HTTPMiddleware

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
        if let (headers, origin) = defaults.current {
            try await DefaultHeaders(headers, for: origin).process(request: &request)
        } else if interceptors.isEmpty {
            return try request.prepared()
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

/// The client's current headers, and the origin that may receive the secrets among them.
final class LiveDefaults: Sendable {
    private struct State {
        var headers: HTTPHeaders
        var origin: HTTPOrigin?

        init(_ configuration: HTTPClient.Configuration) {
            headers = configuration.headers
            origin = configuration.baseURL.flatMap { try? HTTPOrigin($0) }
        }
    }

    private let state: Locked<State>

    init(_ configuration: HTTPClient.Configuration) { state = Locked(State(configuration)) }

    /// The current headers; `nil` if there is nothing to add.
    var current: (headers: HTTPHeaders, origin: HTTPOrigin?)? {
        state.withLock { state in
            let isEmpty = state.headers.isEmpty && state.headers.refusedName == nil
            return isEmpty ? nil : (state.headers, state.origin)
        }
    }

    func replace(by configuration: HTTPClient.Configuration) {
        let new = State(configuration)
        state.withLock { $0 = new }
    }
}
