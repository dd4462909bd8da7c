public import HTTPCore

/// The use that a cache made of its stored responses for a request, as in the field `Cache-Status`
/// (RFC 9211 §2).
///
/// It is an event, `case .layer(let status as HTTPCacheStatus)`, which the timeline keeps, too.
public struct HTTPCacheStatus: HTTPTimelineEvent {
    /// The reason for passing a request on (RFC 9211 §2.2).
    public enum Forward: String, Hashable, Sendable {
        /// The cache was not to be used for this request.
        case bypass
        /// The method cannot be served from a cache.
        case method
        /// No response is stored for the URL.
        case uriMiss = "uri-miss"
        /// Responses are stored for the URL, but none for the request's fields (`Vary`).
        case varyMiss = "vary-miss"
        /// The request does not allow the use of the stored response.
        case request
        /// The stored response is stale.
        case stale
    }

    /// `true` if a stored response was used without asking the origin first.
    public var isHit: Bool
    /// The reason for passing the request on, or for waiting for the request of another call; `nil`
    /// for a hit, and for a response that the cache made itself.
    public var forward: Forward?
    /// The status that the origin sent, such as 304 for a stored response that was revalidated;
    /// `nil` if it sent none.
    public var forwardStatus: HTTPStatus?
    /// The time for which the response remains fresh; negative for a stale one, `nil` if nothing is
    /// stored.
    public var timeToLive: Duration?
    /// `true` if the response is being stored.
    public var isStored: Bool
    /// `true` if the response came from the request of another call.
    public var isCollapsed: Bool
    /// A word for what else happened, such as `stale-if-error`; it contains no secrets.
    public var detail: String?

    /// - Parameters:
    ///   - isHit: `nil` for a hit unless there is a reason to pass the request on.
    ///   - forward: See ``forward``.
    ///   - forwardStatus: See ``forwardStatus``.
    ///   - timeToLive: See ``timeToLive``.
    ///   - isStored: See ``isStored``.
    ///   - isCollapsed: See ``isCollapsed``.
    ///   - detail: See ``detail``.
    public init(
        isHit: Bool? = nil, forward: Forward? = nil, forwardStatus: HTTPStatus? = nil,
        timeToLive: Duration? = nil,
        isStored: Bool = false, isCollapsed: Bool = false, detail: String? = nil
    ) {
        self.isHit = isHit ?? (forward == nil)
        self.forward = forward
        self.forwardStatus = forwardStatus
        self.timeToLive = timeToLive
        self.isStored = isStored
        self.isCollapsed = isCollapsed
        self.detail = detail
    }

    public var timelineClause: String? { "cache: \(self)" }
}

extension HTTPTimeline {
    /// The statuses of caches, in order: one element for each hop that passed a cache.
    public var cacheStatuses: [HTTPCacheStatus] { events(of: HTTPCacheStatus.self) }
}

extension HTTPCacheStatus: CustomStringConvertible {
    /// The parameters as in the field, such as `hit; ttl=30` or
    /// `fwd=stale; fwd-status=304; ttl=60`.
    public var description: String { String(decoding: bytes, as: UTF8.self).escapingControls() }

    /// The parameters as they are sent.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(96)
        func add(_ name: String, _ value: String = "") {
            if !bytes.isEmpty { bytes += "; ".utf8 }
            bytes += name.utf8
            bytes += value.utf8
        }
        if isHit { add("hit") }
        if let forward { add("fwd=", forward.rawValue) }
        if let forwardStatus { add("fwd-status=", String(forwardStatus.code)) }
        if let timeToLive { add("ttl=", String(timeToLive.components.seconds)) }
        if isStored { add("stored") }
        if isCollapsed { add("collapsed") }
        if let detail { add("detail=", detail) }
        return bytes
    }
}
