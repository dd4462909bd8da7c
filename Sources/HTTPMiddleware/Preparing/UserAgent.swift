public import HTTPCore

/// Names this client in `User-Agent`, unless the request already does (RFC 9110 §10.1.5).
///
/// Runs per hop, before the cache (row 4).
public struct UserAgent: HTTPRequestInterceptor {
    private let product: String

    /// - Parameter product: such as `mine/1.0 (deliverer)`.
    /// - Throws: `invalidRequest` for what no field may hold.
    public init(_ product: String) throws(HTTPError) {
        var probe = HTTPHeaders()
        try probe.set(.userAgent, product)
        self.product = product
    }

    public func process(request: inout HTTPRequest) async throws {
        guard !request.headers.contains(.userAgent) else { return }
        try request.headers.set(.userAgent, product)
    }
}
