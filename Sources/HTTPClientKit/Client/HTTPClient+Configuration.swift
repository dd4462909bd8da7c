public import HTTPCaching
public import HTTPCookies
public import HTTPCore
public import HTTPFormats
public import HTTPMiddleware
public import HTTPRetry
public import HTTPValidation
public import PortableFoundation

extension HTTPClient {
    /// The settings of a client. Members are in the order in which they take part in a call,
    /// outermost first.
    public struct Configuration: Sendable {
        /// Creates a configuration with the defaults of a client: no base URL,
        /// ``/HTTPValidation/HTTPDefaultValidator``, redirects, no retries.
        public init() {}

        // MARK: The call

        /// The URL that relative requests are appended to. Its query and fragment are ignored.
        public var baseURL: URL?
        /// Parameters added to every call, after its own. With a ``baseURL``, they are sent to its
        /// origin only, since they may contain keys.
        public var query: [URLQueryItem] = []
        /// The time limit of a call, from its beginning to the last byte of the body. A request's
        /// own deadline takes precedence.
        public var deadline: Duration?
        /// The limits of each exchange. They apply where the request leaves a limit at `.standard`.
        public var timeouts = HTTPTimeouts()
        /// The cache policy of requests that have none. It is sent to all caches on the way, also
        /// without a ``cache`` of the client's own.
        public var cachePolicy: HTTPCachePolicy = .useProtocol
        /// The decoder of JSON, for each convenience that is not passed one:
        /// `$0.decoder.keyDecodingStrategy = .convertFromSnakeCase`.
        ///
        /// A client keeps a copy of its coders, made when it is created, derived or updated. Two
        /// configurations that were copied from each other have one decoder, since it is an object.
        public var decoder = JSONDecoder()
        /// The encoder of JSON for contents that are made for this client, such as that of
        /// `client.post("users", json: user)`, unless they are passed one. Sorts members by name.
        ///
        /// A request that is made apart from the client has been encoded already.
        public var encoder: JSONEncoder = .sortedJSON
        /// The encoding of query parameters, and of forms that are made for this client. A
        /// request's own ``/HTTPCore/HTTPRequest/queryEncoding(_:)`` takes precedence for its
        /// query, and an encoding that a form is passed for the form.
        public var queryEncoding = QueryEncoding()
        /// The observer of all calls; `nil` for none. Two are joined with `+`.
        public var observer: (any HTTPObserver)?
        /// The clock for waits, deadlines and dates.
        public var clock: any HTTPClock = .system

        // MARK: Once per call

        /// Middleware that sees what the caller sees: one request, one verdict. The first is
        /// outermost.
        public var callMiddleware: [any HTTPClientMiddleware] = []
        /// The validators, in order. Without validators, every response is returned, whatever its
        /// status.
        public var validators: [any HTTPValidator] = [HTTPDefaultValidator()]
        /// The response transformers, in order. They run before the validators.
        public var transformers: [ResponseTransformer] = []
        /// The rules for redirects. A request's own mode takes precedence.
        public var redirects = Redirects()

        // MARK: Once per hop

        /// The jar of cookies; `nil` for none. Several clients may share one. Its cookies are sent
        /// with each exchange, and those of each response are stored before the response is passed
        /// on, so that the next hop or attempt sends them.
        public var cookies: HTTPCookieJar?
        /// The cache; `nil` for none. Several clients may share one, over transports with the same
        /// client certificate or none.
        ///
        /// With layers of ``authentication``, requests pass by the cache, because it cannot know
        /// whose credentials they add: set ``cachePartition``.
        public var cache: HTTPCache?
        /// The name of the user whose credentials this client has, such as an account's id: those
        /// in ``cookies`` and ``headers``, and those that ``authentication`` adds. `nil` if they
        /// may be those of several users.
        ///
        /// Stored responses are for this user, whatever the credentials are at the time, and for
        /// the credentials that a request has by itself. A request's own
        /// ``/HTTPCore/HTTPRequest/cachePartition`` takes precedence.
        public var cachePartition: String?
        /// The coalescing mode of GET and HEAD requests that have none; see
        /// ``/HTTPMiddleware/Coalescing``. If `nil`, such requests join no other request, and no
        /// other request joins them.
        public var coalescing: CoalescingMode?
        /// The policy for attempts that fail, `.none` by default. A request's own `maxRetries`
        /// takes precedence.
        public var retry: RetryPolicy = .none
        /// The budget that limits how often all calls together may send again, for ``retry`` and
        /// for the ``validators``.
        ///
        /// Its window knows the calls that may be sent again. While only a
        /// ``/HTTPValidation/HTTPDefaultValidator`` without a rule can ask for that, these are the
        /// calls with a `maxRetries` of their own. After a change of the configuration, such as a
        /// ``retry`` policy, the calls before the change are missing in the window.
        public var retryBudget: RetryBudget? = RetryBudget()
        /// A second request for a response that is late; `nil` for none.
        public var hedging: Hedging?

        // MARK: Once per attempt

        /// The default header fields. Each is added to a request that has no field of that name,
        /// neither set nor from its body. They are read for every attempt, also in calls under way.
        /// Secret fields are sent only to the origin of the ``baseURL`` or, without one, to the
        /// origin that the call was for.
        public var headers: HTTPHeaders = [:]
        /// Interceptors that change the request before each attempt, in order, after the default
        /// headers. Each attempt begins with the request that the caller made.
        public var interceptors: [any HTTPRequestInterceptor] = []
        /// The compression of request bodies; `nil` for none. Requests are sent as they are to
        /// servers that have refused it, which it remembers.
        public var compression: RequestCompression?
        /// The authentication layers. The first is outermost.
        public var authentication: [any HTTPClientMiddleware] = []

        // MARK: Once per exchange

        /// The circuit breaker, which may be shared with other clients; `nil` for none.
        public var circuitBreaker: CircuitBreaker?
        /// The pauses that servers ask for, which may be shared with other clients; `nil` to pass
        /// on such responses and nothing else.
        public var originPause: OriginPause?
        /// The limits on requests and bytes in a time, which may be shared with other clients. The
        /// first is outermost.
        public var rateLimits: [RateLimit] = []
        /// The limit on exchanges at a time, which may be shared with other clients; `nil` for none
        /// beside the transport's own.
        public var concurrencyLimit: ConcurrencyLimit?
        /// Middleware that sees what is sent and what is received. The first is outermost.
        public var attemptMiddleware: [any HTTPClientMiddleware] = []
        /// The log of each attempt and hop; `nil` for none.
        public var logging: HTTPLogging?
        /// Origins that may receive secrets in addition to the origin that a call was for, such as
        /// the upload host of a service: those among ``headers``, and those that the client's
        /// layers add. A redirect there leaves the secrets of the request itself behind. No other
        /// origin receives a secret, except the one that issued the credential.
        public var trustedOrigins: Set<HTTPOrigin> = []
    }
}

extension HTTPClient.Configuration: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The base URL without user information, query and fragment.
    public var description: String { "configuration for \(baseURL?.logSafe ?? "any URL")" }
    public var debugDescription: String { description }
    /// Shows no secrets: only the types of the layers and the number of query parameters.
    public var customMirror: Mirror {
        func types(_ layers: [Any]) -> [String] { layers.map { "\(type(of: $0))" } }
        return Mirror(
            self,
            children: [
                "baseURL": baseURL?.logSafe as Any, "queryParameters": query.count,
                "deadline": deadline as Any, "timeouts": timeouts, "cachePolicy": cachePolicy,
                "queryEncoding": queryEncoding,
                "cookies": cookies as Any, "cache": types([cache].compactMap(\.self)),
                "observer": types([observer].compactMap(\.self)), "clock": types([clock]),
                "callMiddleware": types(callMiddleware), "validators": types(validators),
                "transformers": transformers.count, "redirects": redirects.mode,
                "coalescing": coalescing as Any, "maxRetries": retry.maxRetries,
                "headers": headers, "interceptors": types(interceptors),
                "compression": compression?.coding as Any,
                "authentication": types(authentication),
                "circuitBreaker": types([circuitBreaker].compactMap(\.self)),
                "originPause": types([originPause].compactMap(\.self)),
                "rateLimits": rateLimits.count,
                "attemptMiddleware": types(attemptMiddleware), "trustedOrigins": trustedOrigins,
            ])
    }
}

extension HTTPClient.Configuration {
    var formats: ClientFormats {
        ClientFormats(decoder: decoder, encoder: encoder, queryEncoding: queryEncoding)
    }

    /// A configuration with the same settings, and coders of its own.
    var detached: Self {
        var copy = self
        copy.decoder = decoder.copy
        copy.encoder = encoder.copy
        return copy
    }
}
