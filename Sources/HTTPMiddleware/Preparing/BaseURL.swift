public import HTTPCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Makes relative requests absolute: appends their path to a base, with one slash at the joint. Absolute
/// ones stay as they are.
///
/// Runs once per call, first of all (row 0), since a call is bound to the origin of its URL.
public struct BaseURL: HTTPRequestInterceptor {
    public let url: URL

    /// - Throws: `invalidRequest` when `url` has no origin to send anything to.
    public init(_ url: URL) throws(HTTPError) {
        _ = try HTTPOrigin(url)
        self.url = url
    }

    public func process(request: inout HTTPRequest) async throws {
        request = try request.joined(to: url)
    }
}
