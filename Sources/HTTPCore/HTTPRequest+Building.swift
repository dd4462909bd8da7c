#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension HTTPRequest {
    /// A GET.
    public init(url: URL) { self.init(.get, url) }

    /// A GET.
    ///
    /// - Throws: `invalidRequest` when `url` is no URL to the letter of RFC 3986; nothing is repaired.
    public init(_ url: String) throws(HTTPError) { try self.init(.get, url) }

    /// A request finished in a closure: `HTTPRequest(.post, url) { try $0.headers.append("X-Tag", tag) }`.
    ///
    /// What `build` leaves is the request, even where it assigns a whole new one.
    ///
    /// - Throws: as ``init(_:_:headers:body:)``, and what `build` throws.
    public init(
        _ method: HTTPMethod, _ url: String,
        _ build: (inout HTTPRequest) throws -> Void
    ) throws {
        var request = try HTTPRequest(method, url)
        try build(&request)
        self = request
    }
}
