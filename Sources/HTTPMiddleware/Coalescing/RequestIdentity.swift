import HTTPCore
import HTTPCredentials
import PortableFoundation

/// The parts of a request that must match for two requests to be sent as one: everything that could
/// make a server, or a layer in between, respond differently.
///
/// Requests of two users differ in the fields with their credentials, or in the call's first
/// origin, which decides what credentials are added later.
struct RequestIdentity: Hashable {
    private let method: HTTPMethod
    private let url: URL
    private let headers: HTTPHeaders
    private let body: Data
    private let limit: Int
    private let home: HTTPOrigin
    private let version: HTTPVersion?
    private let timeouts: HTTPTimeouts
    /// The owner of the refresh that the request belongs to, if any. A refresh must not wait for a
    /// request that may wait for the refresh.
    private let refreshOwner: ObjectIdentifier?
    private let cacheOwner: CacheOwner?

    /// - Throws: `unsupportedOption` if the response cannot be shared: the request's body is not in
    ///   memory, its delivery is streamed, or it has transport options.
    init(_ request: HTTPRequest) throws(HTTPError) {
        guard let body = request.body.bytes else {
            throw Self.refusal("its body is not in memory, so it cannot be compared")
        }
        guard case .buffered(let limit) = request.delivery else {
            throw Self.refusal(
                "its response is streamed to one reader: ask for .buffered(upTo:) delivery")
        }
        guard !request.options.hasTransportOptions else {
            throw Self.refusal("it has options for the transport, which cannot be compared")
        }
        method = request.method
        url = request.url
        headers = request.headers
        self.body = body
        self.limit = limit
        home = request.currentCall.origin
        version = request.version
        timeouts = request.timeouts
        refreshOwner = request.refreshOwner
        cacheOwner = request.cacheOwner
    }

    private static func refusal(_ reason: String) -> HTTPError {
        HTTPError(
            .unsupportedOption, "coalescing cannot be done for this request: \(reason)",
            phase: .preparing)
    }
}
