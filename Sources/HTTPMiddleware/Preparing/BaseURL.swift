public import HTTPCore
public import PortableFoundation

/// A middleware that makes relative requests absolute. It appends their path to a base, with one
/// slash at the joint. Absolute requests stay as they are.
///
/// Runs once per call, before all other layers (row 0), because a call is bound to the origin of
/// its URL.
public struct BaseURL: HTTPRequestInterceptor {
    package let url: URL

    /// - Throws: `invalidRequest` if `url` has no origin.
    public init(_ url: URL) throws(HTTPError) {
        _ = try HTTPOrigin(url)
        self.url = url
    }

    public func process(request: inout HTTPRequest) async throws {
        request = try request.joined(to: url)
    }
}
