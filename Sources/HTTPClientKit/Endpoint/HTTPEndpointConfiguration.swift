public import HTTPCore
public import HTTPValidation
public import PortableFoundation

/// The settings that endpoints share. See ``HTTPEndpoint/defaults``.
///
/// Create it once, as a `static let`: calls that are refused at the same time share a refresh only
/// if they share the validator. With a validator per call, each call refreshes. The requests of a
/// refresh never cause another refresh.
public struct HTTPEndpointConfiguration: Sendable {
    /// Creates a configuration with the defaults: ``HTTPClient/shared``, no interceptors, no
    /// validators.
    public init() {}

    /// A configuration with the defaults.
    public static var standard: Self { Self() }

    /// The session that sends the requests: a client, a mock or any other. It need not check
    /// statuses. If it does, an error that it throws because of a status is converted back into the
    /// response.
    public var session: any HTTPSession = HTTPClient.shared
    /// Interceptors and other middleware. The hooks of interceptors run in the order of the list in
    /// both directions, on requests and then on responses, error responses too. All of them run
    /// again when ``validators`` have a call sent again. Other middleware surrounds the session,
    /// the first outermost.
    public var interceptors: [any HTTPClientMiddleware] = []
    /// Validators that check the session's response before it is decoded, mainly to refresh
    /// credentials (``/HTTPValidation/HTTPAltTaskValidator``). No validator that refreshes checks
    /// the calls of a refresh.
    public var validators: [any HTTPValidator] = []
    /// The media type of the body; `nil` for the one that its encoding sets.
    public var contentType: MediaType?
    /// The total time limit of each exchange; `nil` for the session's limit.
    public var timeout: Duration? = .seconds(30)
    /// The number of times that a call may be sent again, by the session's policies and all
    /// validators together; `nil` for the session's limit.
    public var maxRetries: Int?
    /// `true` if requests may be sent again whatever their method, though the server may have
    /// processed them already. See ``/HTTPCore/HTTPRequest/isRepeatable``.
    public var isRepeatable = false
    /// The cache policy of the requests; `nil` for the session's policy.
    public var cachePolicy: HTTPCachePolicy?
    /// The encoder of values; `nil` for that of the session's client.
    public var encoder: JSONEncoder?
    /// The decoder of responses; `nil` for that of the session's client.
    public var decoder: JSONDecoder?
}
