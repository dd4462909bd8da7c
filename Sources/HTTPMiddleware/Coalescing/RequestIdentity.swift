import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What makes two requests one: all that a server, or a layer between, could answer differently.
///
/// Two users' requests differ in the fields with their credentials, or in the call's first origin,
/// which decides on credentials to come.
struct RequestIdentity: Hashable {
    private let method: HTTPMethod
    private let url: URL
    private let headers: HTTPHeaders
    private let body: Data
    private let limit: Int
    private let home: HTTPOrigin?
    private let version: HTTPVersion?
    private let timeouts: HTTPTimeouts

    /// - Returns: `nil` for a request whose answer is not to be shared: other methods than GET and HEAD,
    ///   bodies that are not in memory, streamed delivery, options for the transport alone.
    init?(_ request: HTTPRequest) {
        guard request.method == .get || request.method == .head,
            case .buffered(let limit) = request.delivery, let body = request.body.octets,
            !request.options.hasTransportOptions
        else { return nil }
        method = request.method
        url = request.url
        headers = request.headers
        self.body = body
        self.limit = limit
        home = request.call?.origin
        version = request.version
        timeouts = request.timeouts
    }
}
