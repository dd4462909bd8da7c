public import HTTPCore

/// A middleware that names this client in `User-Agent`, unless the request already has that field
/// (RFC 9110 §10.1.5).
///
/// Runs per attempt (row 4).
public struct UserAgent: HTTPRequestInterceptor {
    private let product: String

    /// - Parameter product: for example `mine/1.0 (deliverer)`.
    /// - Throws: `invalidRequest` if no field can contain `product`.
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
