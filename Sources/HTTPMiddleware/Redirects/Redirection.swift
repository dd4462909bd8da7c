public import HTTPCore
import HTTPFormats
public import PortableFoundation

/// A redirect (RFC 9110 §15.4), with the request that follows it by the rules of the Fetch standard
/// (§4.4, "HTTP-redirect fetch").
///
/// This type sends nothing, so the meaning of a redirect can be read and tested without a session.
public struct Redirection: Sendable {
    /// The head of the redirect response.
    public let response: HTTPResponse.Head
    /// The request that was redirected.
    public let request: HTTPRequest
    /// The absolute target, without user information. Its fragment is that of `Location`, or else
    /// that of the request.
    public let location: URL
    /// The number of earlier redirects in the call, 0 for the first.
    package let index: Int

    /// A Boolean value that indicates whether the scheme, host or port differs from that of
    /// ``request``.
    public let isCrossOrigin: Bool

    /// Creates the redirect that a response asks for.
    ///
    /// - Returns: `nil` if the response is not a redirect: its status is not 301, 302, 303, 307 or
    ///   308, or it has no `Location`, or an empty one.
    /// - Throws: `redirectRefused` if `Location` is not an http or https URL.
    package init?(
        _ response: HTTPResponse.Head, to request: HTTPRequest, index: Int = 0
    ) throws(HTTPError) {
        guard [301, 302, 303, 307, 308].contains(response.status.code),
            let written = response.headers.bytes(of: .location), !written.isEmpty
        else { return nil }
        self.response = response
        self.request = request
        self.index = index
        do throws(HTTPError) {
            let target = try ReceivedTarget(written, from: request.url, inheritingFragment: true)
            location = target.url
            isCrossOrigin = try request.origin() != target.origin
        } catch {
            throw HTTPError(
                .redirectRefused,
                "the Location of this \(response.status.code) is not a usable URL: "
                    + error.message,
                mayHaveReachedServer: true, response: response
            ).ending(request)
        }
    }
}

// MARK: - The request that follows

extension Redirection {
    /// A Boolean value that indicates whether the next request is a GET without a body, whatever
    /// the request was.
    ///
    /// A 303 changes every method to GET except GET and HEAD; a 301 or 302 changes only POST. That
    /// is what servers have come to expect (RFC 9110 §15.4).
    package var isRewrittenToGet: Bool {
        switch response.status.code {
        case 303: request.method != .get && request.method != .head
        case 301, 302: request.method == .post
        default: false
        }
    }

    /// Returns the request that follows the redirect to ``location``. It is rewritten to GET if
    /// `isRewrittenToGet` is `true`. Everything that must not leave its origin is removed:
    /// secrets, fields that refer to it, and transport options that are bound to it.
    ///
    /// The body may be one that cannot be sent again. See `canBeSent`.
    ///
    /// - Parameter keepingMethod: keeps the method and the body, whatever the status.
    public func next(keepingMethod: Bool = false) -> HTTPRequest {
        var next = request
        next.url = location
        if isRewrittenToGet, !keepingMethod {
            next.method = .get
            next.body = .empty
            for name in Set(next.headers.map(\.name))
            where name.spelling.lowercased().hasPrefix("content-") {
                next.headers.remove(name)
            }
        }
        next.removeWhatBelongs(to: try? request.origin())
        return next
    }
}
