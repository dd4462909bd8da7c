import HTTPCore
import HTTPMiddleware
import HTTPRetry
import HTTPValidation

/// A configuration, and the chain that it comes to: put together when the configuration changes, and
/// not for each call. Layers that would do nothing are left out.
final class ClientAssembly: Sendable {
    let configuration: HTTPClient.Configuration
    private let chain: any HTTPSession
    /// Whether somebody may send other requests for a call's sake: they enter at the top.
    private let hasAlternatives: Bool
    /// Whether a layer reads the bodies of buffered responses, and nothing outside it can be late.
    private let isWholeByItself: Bool

    init(
        _ configuration: HTTPClient.Configuration, _ transport: any HTTPSession,
        _ defaults: LiveDefaults, _ coalescing: Coalescing
    ) {
        self.configuration = configuration
        hasAlternatives = configuration.validators.contains {
            ($0 as? HTTPDefaultValidator).map { $0.rule != nil } ?? true
        }
        isWholeByItself =
            !configuration.validators.isEmpty && configuration.callMiddleware.isEmpty
        chain = transport.with(configuration.layers(defaults, coalescing))
    }

    /// - Parameter layers: outside of all others, for this call.
    func response(
        for original: HTTPRequest, entering entrance: ClientEntrance,
        through layers: [any HTTPClientMiddleware] = []
    ) async throws -> HTTPResponse {
        var request = try configuration.completed(original)
            .beginningCall(observer: configuration.observer, clock: configuration.clock)
        if hasAlternatives { request[AlternativeEntry.self] = entrance }
        let chain = layers.isEmpty ? chain : chain.with(layers)
        guard !isWholeByItself || !layers.isEmpty || request.isAlternative else {
            return try await chain.response(for: request)
        }
        return try await wholeResponse(for: request, from: chain)
    }

    // Apart, so that most calls have a small frame.
    private func wholeResponse(
        for request: HTTPRequest, from chain: any HTTPSession
    ) async throws -> HTTPResponse {
        try await chain.attempt(request).get()
    }
}

extension HTTPClient.Configuration {
    /// The rows of Docs/Architecture.md, outermost first.
    fileprivate func layers(
        _ defaults: LiveDefaults, _ coalescing: Coalescing
    ) -> [any HTTPClientMiddleware] {
        let preparation = Preparation(defaults, interceptors)
        var layers = callMiddleware
        if !validators.isEmpty { layers.append(Validation(validators)) }
        layers += transformers.reversed() as [any HTTPClientMiddleware]
        layers.append(redirects)
        let makesAttempts = retry.isActive || hedging != nil
        layers.append(
            CoalescingOnDemand(
                self.coalescing, coalescing, preparation, preparing: !makesAttempts))
        if makesAttempts {
            layers.append(
                Retry(retry, budget: retryBudget, hedging: hedging, preparing: false))
            layers.append(preparation)
        } else if retryBudget != nil, !validators.isEmpty {
            // Verdicts draw on it, too.
            layers.append(Retry(retry, budget: retryBudget, hedging: nil, preparing: false))
        }
        layers += authentication
        if let concurrencyLimit { layers.append(concurrencyLimit) }
        layers += attemptMiddleware
        if let logging, logging.level > .none { layers.append(logging) }
        layers.append(OriginGuard(origins: trustedOrigins))
        return layers
    }
}
