package import HTTPCore

/// The owner of the responses that a cache stores for a request. Layers that compare requests, such
/// as a cache and coalescing, keep those of different owners apart.
package enum CacheOwner: Hashable, Sendable {
    /// A name that the program chose, whatever credentials the requests have.
    case named(String)
    /// The user whose credentials a client adds. Those that the request has by itself count, too.
    case client(String)
    /// Layers below the cache may add credentials of any user.
    case unknown

    package enum Option: HTTPRequestOption {
        package static var defaultValue: CacheOwner? { nil }
    }
}

/// The sensitive fields that a client's layers have added to a request, with their values: default
/// headers and cookies. The request's own credentials are not among them.
package enum ClientCredentials: HTTPRequestOption {
    package static let defaultValue: HTTPHeaders = [:]
}

extension HTTPRequest {
    package var cacheOwner: CacheOwner? {
        get { hasOptions ? self[CacheOwner.Option.self] : nil }
        set {
            if newValue != nil {
                self[CacheOwner.Option.self] = newValue
            } else {
                options.remove(CacheOwner.Option.self)
            }
        }
    }
}
