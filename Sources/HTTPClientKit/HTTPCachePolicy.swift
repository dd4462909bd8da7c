public import HTTPCore

/// A policy for stored responses, sent in the request's `Cache-Control` to every cache on the way
/// (RFC 9111 §5.2.1).
///
/// The client itself stores no responses in this version.
public enum HTTPCachePolicy: Hashable, Sendable {
    /// The rules of the protocol; no field is added.
    case useProtocol
    /// Asks the origin even if a response is stored: `no-cache`.
    case reload
    /// Asks caches to store nothing of the request or its response: `no-store`.
    case noStore
    /// Accepts a stale stored response, too: `max-stale`.
    case preferStored
    /// Accepts only a stored response, or else a 504: `only-if-cached`.
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

    /// The cache policy of this request; `nil` for the client's policy. A `Cache-Control` field of
    /// the request takes precedence.
    public var cachePolicy: HTTPCachePolicy? {
        get { self[Policy.self] }
        set { self[Policy.self] = newValue }
    }

    /// Returns the request with this ``cachePolicy``.
    public func cachePolicy(_ policy: HTTPCachePolicy) -> HTTPRequest {
        option(Policy.self, policy)
    }
}
