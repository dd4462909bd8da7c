public import HTTPCore

/// What stored responses are good for, said to every cache on the way by the request's `Cache-Control`
/// (RFC 9111 §5.2.1). This version stores none itself.
public enum HTTPCachePolicy: Hashable, Sendable {
    /// What the protocol says; no field is added.
    case useProtocol
    /// Ask the origin, whatever is stored: `no-cache`.
    case reload
    /// And store nothing of it: `no-store`.
    case noStore
    /// A stale one, too: `max-stale`.
    case preferStored
    /// A stored one or 504: `only-if-cached`.
    case onlyStored

    var directive: String? {
        switch self {
        case .useProtocol: nil
        case .reload: "no-cache"
        case .noStore: "no-store"
        case .preferStored: "max-stale"
        case .onlyStored: "only-if-cached"
        }
    }
}

extension HTTPRequest {
    private enum Policy: HTTPRequestOption {
        static var defaultValue: HTTPCachePolicy? { nil }
    }

    /// For this request; `nil` for what the client does. A `Cache-Control` field of the request goes
    /// before it.
    public var cachePolicy: HTTPCachePolicy? {
        get { self[Policy.self] }
        set { self[Policy.self] = newValue }
    }

    /// As ``cachePolicy``.
    public func cachePolicy(_ policy: HTTPCachePolicy) -> HTTPRequest {
        option(Policy.self, policy)
    }
}
