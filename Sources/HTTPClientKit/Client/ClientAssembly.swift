import HTTPCookies
import HTTPCore
import HTTPMiddleware
import HTTPRetry
import HTTPValidation

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
        var request = try configuration.completed(original)
            .beginningCall(
                observer: configuration.observer, for: owners, clock: configuration.clock,
                closing: entrance.closing)
        if hasAlternatives { request[AlternativeEntry.self] = entrance }
        if let decoder = formats.defaultDecoder { request[DefaultDecoder.self] = decoder }
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
                let isWhole = isWholeByItself && !request.isAlternative
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
