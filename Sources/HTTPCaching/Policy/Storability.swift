import HTTPCore
import HTTPFormats

/// The rules for storing a response (RFC 9111 §3), for a cache that belongs to one user in each
/// partition.
enum Storability {
    /// A word for `detail` in `Cache-Status`, or `nil` if the response may be stored.
    ///
    /// - Parameter head: The response to a GET request without `no-store`.
    static func refusal(of head: HTTPResponse.Head, _ facts: CacheFacts) -> String? {
        let status = head.status
        // An interim response is not final, 206 is a part, 304 is an update of what is stored.
        // 401 and 407 ask for credentials, which a layer below may have by the next request.
        guard status.code >= 200, status.code < 600, ![206, 304, 401, 407].contains(status.code)
        else { return "status" }
        let directives = facts.directives
        // With `must-understand`, `no-store` is for caches that do not know the status
        // (RFC 9111 §5.2.2.3).
        if directives.mustUnderstand {
            guard status.isUnderstood else { return "must-understand" }
        } else if directives.noStore {
            return "no-store"
        }
        if let vary = head.headers[combined: .vary], Vary(vary) == .anything { return "vary" }
        let mayBeStored =
            facts.isExplicit || directives.isPublic || directives.isPrivate
            || status.isHeuristicallyCacheable
        guard mayBeStored else { return "status" }
        // A response that could never be used takes space for nothing.
        let isOfUse =
            facts.hasPrecondition || facts.lifetime > .zero || directives.staleIfError != nil
            || directives.staleWhileRevalidate > .zero
        return isOfUse ? nil : "no-freshness"
    }
}

extension HTTPStatus {
    /// `true` if the cache knows the caching rules of the status (RFC 9111 §3): those that
    /// RFC 9110 defines, except for parts and updates.
    fileprivate var isUnderstood: Bool {
        switch code {
        case 200...205, 300...303, 305, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }
}
