import HTTPCore
import HTTPCredentials
import HTTPFormats

/// The use of a cache that a request allows (RFC 9111 §5.2.1), read from its method and fields.
struct CacheRequest: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A GET or HEAD request that may be served from the cache.
        case lookup
        /// A GET request for one range of bytes, which is served from a fresh response that is
        /// stored as a whole, and passes by otherwise.
        case range(HTTPRange.Part)
        /// A request that passes by: the word for `detail` in `Cache-Status`.
        case bypass(String)
        /// A method that may change what the URL stands for.
        case unsafe
    }

    let kind: Kind
    let isHead: Bool
    var noCache = false
    var onlyIfCached = false
    var maxAge: Duration?
    var minFresh = Duration.zero
    var maxStale: Duration?
    var staleIfError: Duration?

    init(_ request: HTTPRequest) {
        let headers = request.headers
        isHead = request.method == .head
        let control =
            headers.contains(.cacheControl)
            ? headers[combined: .cacheControl].map { CacheControl($0) } : nil
        onlyIfCached = control?.onlyIfCached ?? false
        guard request.method == .get || isHead else {
            kind = request.method.isSafe ? .bypass("method") : .unsafe
            return
        }
        if let reason = Self.reason(request, control) {
            kind = .bypass(reason)
        } else if headers.contains(.range), !isHead {
            kind = Self.range(headers).map { .range($0) } ?? .bypass("range")
        } else {
            kind = .lookup
        }
        guard let control else {
            // Only for servers and programs of HTTP/1.0 (RFC 9111 §5.4).
            noCache = headers[combined: .pragma].map { CacheControl($0).noCache } ?? false
            return
        }
        noCache = control.noCache
        maxAge = control.maxAge
        minFresh = control.minFresh ?? .zero
        maxStale = control.maxStale
        staleIfError = control.staleIfError
    }

    private static func reason(_ request: HTTPRequest, _ control: CacheControl?) -> String? {
        if control?.noStore == true { return "no-store" }
        // A program with preconditions of its own holds a copy and wants the origin's word.
        if conditions.contains(where: { request.headers.contains($0) }) { return "precondition" }
        if !request.body.isEmpty { return "body" }
        // The field names the target, which is then not the URL (RFC 9110 §7.1).
        if request.headers.contains(.host) { return "host" }
        if request.cacheOwner == .unknown { return "credentials" }
        // Such an option may prove an identity or choose another server.
        if request.hasOptions, request.options.hasTransportOptions, request.cachePartition == nil {
            return "transport-option"
        }
        return nil
    }

    /// Returns the only range that is asked for, or `nil`.
    private static func range(_ headers: HTTPHeaders) -> HTTPRange.Part? {
        let values = headers[values: .range]
        guard values.count == 1, let range = HTTPRange(values[0]), range.unit == "bytes",
            range.parts.count == 1
        else { return nil }
        return range.parts[0]
    }

    private static let conditions: [HTTPHeaderName] = [
        .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince,
    ]
}
