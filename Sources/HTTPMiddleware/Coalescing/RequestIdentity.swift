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
    /// A refresh does not wait for what may wait for it.
    private let refreshOwner: ObjectIdentifier?

    /// - Throws: `unsupportedOption` for a request whose answer cannot be shared: its body is not
    ///   in memory, its delivery streamed, or it has options for the transport alone.
    init(_ request: HTTPRequest) throws(HTTPError) {
        guard let body = request.body.bytes else {
            throw Self.refusal("its body is not in memory, where two could be compared")
        }
        guard case .buffered(let limit) = request.delivery else {
            throw Self.refusal(
                "its response is streamed, to one reader: ask for .buffered(upTo:) delivery")
        }
        guard !request.options.hasTransportOptions else {
            throw Self.refusal("it has options for the transport, which cannot be compared")
        }
        method = request.method
        url = request.url
        headers = request.headers
        self.body = body
        self.limit = limit
        home = request.call?.origin
        version = request.version
        timeouts = request.timeouts
        refreshOwner = request.refreshOwner
    }

    private static func refusal(_ reason: String) -> HTTPError {
        HTTPError(
            .unsupportedOption, "coalescing cannot be done for this request: \(reason)",
            phase: .preparing)
    }
}
