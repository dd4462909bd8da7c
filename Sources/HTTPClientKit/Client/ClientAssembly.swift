import HTTPCaching
import HTTPCookies
import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPRetry
import HTTPValidation
import PortableFoundation

/// A configuration and the chain of layers made from it. It is assembled when the configuration
/// changes, not for each call. Layers that would do nothing are left out.
final class ClientAssembly: Sendable {
    let configuration: HTTPClient.Configuration
    let formats: ClientFormats
    private let chain: any HTTPSession
    /// The chain of calls that nothing may send again, which the budget of retries does not count.
    private let uncountedChain: any HTTPSession
    private let isClosed: Bool
    /// `true` if a layer may send alternative requests during a call. They enter at the top of the
    /// chain.
    private let hasAlternatives: Bool
    /// `true` if the chain itself reads the bodies of buffered responses, in its outermost layer,
    /// so that nothing remains to be read after it.
    private let isWholeByItself: Bool
    /// The defaults of requests, which are `nil` in most clients.
    private let queryEncoding: QueryEncoding?
    private let timeouts: HTTPTimeouts?
    private let cachePolicy: HTTPCachePolicy?

    init(
        _ configuration: HTTPClient.Configuration, _ transport: any HTTPSession,
        _ defaults: LiveDefaults, _ coalescing: Coalescing, isClosed: Bool
    ) {
        self.configuration = configuration
        formats = configuration.formats
        self.isClosed = isClosed
        hasAlternatives = configuration.validators.contains {
            ($0 as? HTTPDefaultValidator).map { $0.rule != nil } ?? true
        }
        isWholeByItself =
            !configuration.validators.isEmpty && configuration.callMiddleware.isEmpty
        func changed<Value: Equatable>(_ setting: Value, from standard: Value) -> Value? {
            setting == standard ? nil : setting
        }
        queryEncoding = changed(configuration.queryEncoding, from: QueryEncoding())
        timeouts = changed(configuration.timeouts, from: HTTPTimeouts())
        cachePolicy = changed(configuration.cachePolicy, from: .useProtocol)
        chain = transport.with(configuration.layers(defaults, coalescing, counting: true))
        uncountedChain =
            hasAlternatives || configuration.mayAskForAttempts
            ? chain
            : transport.with(configuration.layers(defaults, coalescing, counting: false))
    }

    /// Returns a request as its call begins: absolute, with its limits, clock and observer.
    private func begun(
        _ original: HTTPRequest, entering entrance: ClientEntrance
    ) throws -> HTTPRequest {
        let owners: [any AnyObject & Sendable] = configuration.observer == nil ? [] : [entrance]
        var request = try completed(original)
            .beginningCall(
                observer: configuration.observer, for: owners, clock: configuration.clock,
                closing: entrance.closing)
        if hasAlternatives { request[AlternativeEntry.self] = entrance }
        if let decoder = formats.defaultDecoder { request[DefaultDecoder.self] = decoder }
        return request
    }

    /// Returns the request as the call begins: absolute, with its query and its limits.
    private func completed(_ original: HTTPRequest) throws(HTTPError) -> HTTPRequest {
        var request = original
        if let queryEncoding { request = request.queryEncoding(orDefault: queryEncoding) }
        let baseURL = configuration.baseURL
        if !original.isAbsolute { request = try request.joined(to: baseURL) }
        if !configuration.query.isEmpty, try request.goes(to: baseURL) {
            request = request.addingQuery(items: configuration.query)
        }
        // Assigning costs a copy of the request.
        if let timeouts { request.timeouts.inherit(timeouts) }
        if let deadline = configuration.deadline, request.deadline == nil {
            request.setDeadline(in: deadline, on: request.call?.clock ?? configuration.clock)
        }
        if request.hasOptions || cachePolicy != nil {
            request.applyCachePolicy(or: cachePolicy ?? .useProtocol)
        }
        return request
    }

    /// Returns a request whose call begins before it enters the client: layers around the client
    /// see it first.
    func beginningCall(
        for original: HTTPRequest, entering entrance: ClientEntrance
    ) throws -> HTTPRequest {
        try refuseIfClosed(original)
        var request = try begun(original, entering: entrance)
        request[CompletedBy.self] = entrance
        return request
    }

    private func refuseIfClosed(_ request: HTTPRequest) throws(HTTPError) {
        guard isClosed else { return }
        throw HTTPError(.sessionClosed, "the client was closed: make a new one", phase: .preparing)
            .naming(request)
    }

    /// Returns the response to a request that enters the client.
    func response(
        for original: HTTPRequest, entering entrance: ClientEntrance
    ) async throws -> HTTPResponse {
        try refuseIfClosed(original)
        guard let call = original.call else {
            let request = try begun(original, entering: entrance)
            let call = request.currentCall
            // With the default validators, a call has the retries of its request.
            let hasRetries = original.hasOptions && original.maxRetries != nil
            let chain = hasRetries ? chain : uncountedChain
            guard call.isObserved else {
                let isAlternative = request.hasOptions && request.isAlternative
                let isWhole = isWholeByItself && !isAlternative
                guard !isWhole else { return try await chain.response(for: request) }
                return try await wholeResponse(for: request, through: chain)
            }
            return try await call.reportingEnd {
                try await wholeResponse(for: request, through: chain)
            }
        }
        guard original[CompletedBy.self] !== entrance else {
            return try await wholeResponse(for: original, through: chain)
        }
        // The call was begun elsewhere, or a layer around the client has made another request.
        let outer = call.closing
        call.closing = entrance.closing
        defer { call.closing = outer }
        let request = try begun(original, entering: entrance)
        if let observer = configuration.observer { call.add(observer, for: entrance) }
        return try await call.reportingEnd {
            try await wholeResponse(for: request, through: chain)
        }
    }

    // A function of its own, so that most calls have a small frame.
    private func wholeResponse(
        for request: HTTPRequest, through chain: any HTTPSession
    ) async throws -> HTTPResponse {
        try await chain.attempt(request).get()
    }
}

extension HTTPRequest {
    /// `true` if the URL needs no base. The check is cheap: it may return `false` for an absolute
    /// URL.
    fileprivate var isAbsolute: Bool {
        let text = url.absoluteString
        return text.hasPrefix("https://") || text.hasPrefix("http://")
    }

    /// Returns whether the URL has the origin of `base`, if there is one.
    fileprivate func goes(to base: URL?) throws(HTTPError) -> Bool {
        guard let base else { return true }
        return try HTTPOrigin(url) == HTTPOrigin(base)
    }
}

extension HTTPTimeouts {
    fileprivate mutating func inherit(_ defaults: HTTPTimeouts) {
        if connect == .standard { connect = defaults.connect }
        if tls == .standard { tls = defaults.tls }
        if responseHead == .standard { responseHead = defaults.responseHead }
        if idle == .standard { idle = defaults.idle }
        if total == .standard { total = defaults.total }
    }
}

/// The client that has completed a request, which needs to be done once.
private enum CompletedBy: HTTPRequestOption {
    static var defaultValue: ClientEntrance? { nil }
}

extension HTTPClient.Configuration {
    private var makesAttempts: Bool { retry.isActive || hedging != nil }

    /// `true` if another attempt may be asked for by more than the validators: by the policy, or by
    /// layers that may do anything.
    fileprivate var mayAskForAttempts: Bool {
        makesAttempts || !callMiddleware.isEmpty || !authentication.isEmpty
            || !attemptMiddleware.isEmpty
    }

    /// The rows of Docs/Architecture.md, outermost first.
    ///
    /// - Parameter isCounting: `true` if verdicts may draw on the budget of retries.
    fileprivate func layers(
        _ defaults: LiveDefaults, _ coalescing: Coalescing, counting isCounting: Bool
    ) -> [any HTTPClientMiddleware] {
        let preparation = Preparation(defaults, interceptors)
        var layers = callMiddleware
        if !validators.isEmpty { layers.append(Validation(validators)) }
        layers += transformers.reversed() as [any HTTPClientMiddleware]
        layers.append(redirects)
        layers.append(
            PreparedLayers(self, coalescing, preparation, preparing: !makesAttempts))
        if makesAttempts {
            layers.append(
                Retry(retry, budget: retryBudget, hedging: hedging, preparing: false))
            layers.append(preparation)
        } else if isCounting, retryBudget != nil, !validators.isEmpty {
            layers.append(Retry(retry, budget: retryBudget, hedging: nil, preparing: false))
        }
        if let compression { layers.append(compression) }
        layers += authentication
        layers += limits
        if let cookies { layers.append(Cookies(cookies)) }
        layers += attemptMiddleware
        if let logging, logging.level > .none { layers.append(logging) }
        layers.append(OriginGuard(origins: trustedOrigins))
        return layers
    }

    /// The limits of an exchange: what fails or waits for long is outside what takes units and
    /// permits, and what learns from the exchange is inside (Decision 0061).
    private var limits: [any HTTPClientMiddleware] {
        var layers: [any HTTPClientMiddleware] = []
        // Without limits between them, the inner place alone is enough.
        if !rateLimits.isEmpty || concurrencyLimit != nil {
            if let circuitBreaker { layers.append(circuitBreaker.gate) }
            if let originPause { layers.append(originPause.gate) }
        }
        layers += rateLimits as [any HTTPClientMiddleware]
        if let concurrencyLimit { layers.append(concurrencyLimit) }
        if let originPause { layers.append(originPause) }
        if let circuitBreaker { layers.append(circuitBreaker) }
        return layers
    }
}
