public import HTTPCore
import HTTPFormats
public import HTTPMiddleware
public import HTTPRetry
public import HTTPValidation

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension HTTPClient {
    /// Everything that a client can be told. Members stand in the order in which they take part in a
    /// call, outermost first.
    public struct Configuration: Sendable {
        public init() {}

        // MARK: The call

        /// What relative requests are appended to; its query and fragment do not count.
        public var baseURL: URL?
        /// Parameters that every call gets, after its own. With a ``baseURL`` they go to its origin
        /// alone, since they may be keys.
        public var query: [URLQueryItem] = []
        /// For each call, from its beginning to its body's last byte; a request's own goes before it.
        public var deadline: Duration?
        /// For each exchange, where the request leaves a limit at `.standard`.
        public var timeouts = HTTPTimeouts()
        /// Where the request says nothing.
        public var cachePolicy: HTTPCachePolicy = .useProtocol
        public var observer: (any HTTPObserver)?
        /// What waits, deadlines and dates go by.
        public var clock: any HTTPClock = .system

        // MARK: Once per call

        /// Sees what the caller sees: one request, one verdict. The first is outermost.
        public var callMiddleware: [any HTTPClientMiddleware] = []
        /// In order; none gives plain responses, whatever their status.
        public var validators: [any HTTPValidator] = [HTTPDefaultValidator()]
        /// In order, before the validators.
        public var transformers: [ResponseTransformer] = []
        public var redirects = Redirects()

        // MARK: Once per hop

        /// What is done with GET and HEAD that say nothing, as ``HTTPMiddleware/Coalescing`` does;
        /// `nil` leaves requests alone that say nothing: they join no other, and no other joins them.
        public var coalescing: CoalescingMode?
        public var retry: RetryPolicy = .none
        /// What all calls together may send again, by ``retry`` and by the ``validators``.
        public var retryBudget: RetryBudget? = RetryBudget()
        public var hedging: Hedging?

        // MARK: Once per attempt

        /// Fields that requests get which have none of that name, neither set nor from their body. Read
        /// at every attempt, also of calls under way. Secrets among them go to the origin of the
        /// ``baseURL``, or else to that which the call was for.
        public var headers: HTTPHeaders = [:]
        /// Change the request before each attempt, in order, after the default headers; each time the
        /// one that the caller made.
        public var interceptors: [any HTTPRequestInterceptor] = []
        /// The first is outermost.
        public var authentication: [any HTTPClientMiddleware] = []

        // MARK: Once per exchange

        public var concurrencyLimit: ConcurrencyLimit?
        /// Sees what is sent, and what comes off the wire. The first is outermost.
        public var attemptMiddleware: [any HTTPClientMiddleware] = []
        public var logging: HTTPLogging?
        /// Origins that may get secrets beside the one that a call was for, such as that of a service's
        /// uploads. Nobody but these and those who issued a credential gets any.
        public var trustedOrigins: Set<HTTPOrigin> = []
    }
}

extension HTTPClient.Configuration: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The base URL without user information, query and fragment.
    public var description: String { "configuration for \(baseURL?.logSafe ?? "any URL")" }
    public var debugDescription: String { description }
    /// Of layers and query only so much as is no secret: their types, and how many parameters there are.
    public var customMirror: Mirror {
        func types(_ layers: [Any]) -> [String] { layers.map { "\(type(of: $0))" } }
        return Mirror(
            self,
            children: [
                "baseURL": baseURL?.logSafe as Any, "queryParameters": query.count,
                "deadline": deadline as Any, "timeouts": timeouts, "cachePolicy": cachePolicy,
                "observer": types([observer].compactMap(\.self)), "clock": types([clock]),
                "callMiddleware": types(callMiddleware), "validators": types(validators),
                "transformers": transformers.count, "redirects": redirects.mode,
                "coalescing": coalescing as Any, "maxRetries": retry.maxRetries,
                "headers": headers, "interceptors": types(interceptors),
                "authentication": types(authentication),
                "attemptMiddleware": types(attemptMiddleware), "trustedOrigins": trustedOrigins,
            ])
    }
}

extension HTTPClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "client with \(configuration)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["transport": "\(type(of: transport))", "configuration": configuration])
    }
}

extension HTTPClient.Configuration {
    /// The request as the call begins: absolute, with its query and its limits.
    func completed(_ original: HTTPRequest) throws(HTTPError) -> HTTPRequest {
        var request = original
        if !original.isAbsolute { request = try original.joined(to: baseURL) }
        if !query.isEmpty, try isHome(request) { request = request.addingQuery(items: query) }
        // A write costs a copy of the request.
        if timeouts != HTTPTimeouts() { request.timeouts.inherit(timeouts) }
        if request.call == nil, request.deadline == nil, let deadline {
            request.deadline = clock.now + deadline
        }
        if let directive = (request.cachePolicy ?? cachePolicy).directive,
            !request.headers.contains(.cacheControl)
        {
            request.headers[.cacheControl] = directive
        }
        return request
    }

    private func isHome(_ request: HTTPRequest) throws(HTTPError) -> Bool {
        guard let baseURL else { return true }
        return try HTTPOrigin(request.url) == HTTPOrigin(baseURL)
    }
}

extension HTTPRequest {
    /// Whether there is nothing to join: cheap, and `false` where that is not plain to see.
    fileprivate var isAbsolute: Bool {
        let text = url.absoluteString
        return text.hasPrefix("https://") || text.hasPrefix("http://")
    }
}

extension HTTPTimeouts {
    fileprivate mutating func inherit(_ defaults: HTTPTimeouts) {
        if connect == .standard { connect = defaults.connect }
        if idle == .standard { idle = defaults.idle }
        if total == .standard { total = defaults.total }
    }
}
