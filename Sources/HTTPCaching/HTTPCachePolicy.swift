public import HTTPCore

/// A policy for stored responses: a directive in the request's `Cache-Control` (RFC 9111 §5.2.1).
///
/// It is honoured by ``HTTPCache``, and sent to every cache on the way.
public enum HTTPCachePolicy: Hashable, Sendable {
    /// The rules of the protocol; no field is added.
    case useProtocol
    /// Asks the origin even if a response is stored: `no-cache`.
    case reload
    /// Uses no stored response, and asks caches to store nothing of this one: `no-store`.
    case noStore
    /// Accepts a stale stored response, too: `max-stale`.
    case preferStored
    /// Accepts only a stored response, or else a 504: `only-if-cached`.
    case onlyStored

    package var directive: String? {
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
    /// Adds the directive of the ``cachePolicy`` or, without one, of `policy`, unless the request
    /// has a `Cache-Control` field.
    package mutating func applyCachePolicy(or policy: HTTPCachePolicy = .useProtocol) {
        let own = hasOptions ? cachePolicy : nil
        guard let directive = (own ?? policy).directive, !headers.contains(.cacheControl) else {
            return
        }
        amend { $0.headers[.cacheControl] = directive }
    }

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
