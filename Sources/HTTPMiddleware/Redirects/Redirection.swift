public import HTTPCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
    ///   308, or it has no `Location`.
    /// - Throws: `redirectRefused` if `Location` is not an http or https URL.
    package init?(
        _ response: HTTPResponse.Head, to request: HTTPRequest, index: Int = 0
    ) throws(HTTPError) {
        guard [301, 302, 303, 307, 308].contains(response.status.code),
            let written = response.headers.bytes(of: .location)
        else { return nil }
        self.response = response
        self.request = request
        self.index = index
        do throws(HTTPError) {
            let target = try Self.target(written, from: request.url)
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

    private static func target(
        _ written: [UInt8], from url: URL
    ) throws(HTTPError) -> (url: URL, origin: HTTPOrigin) {
        let reference = try Self.reference(written)
        let base = try Self.parse(url.absoluteString)
        let target = reference.resolved(against: base)
        // The normalized form: lowercase, without user information and default port.
        let origin = try HTTPOrigin(target)
        var text = origin.description + target.path
        text += target.query.map { "?\($0)" } ?? ""
        text += (reference.fragment ?? base.fragment).map { "#\($0)" } ?? ""
        let location = try URL(strictly: text)
        return (location, origin)
    }

    /// Parses the value of `Location`. Bytes that no URL may contain are percent-encoded, as all
    /// clients do, and so is every number sign but the first. So are brackets, unless they belong
    /// to an address.
    private static func reference(_ written: [UInt8]) throws(HTTPError) -> URIReference {
        let hash = written.firstIndex(of: UInt8(ascii: "#")) ?? written.endIndex
        func encoded(_ allowed: ByteSet) -> String {
            var text = ""
            text.appendPercentEncoded(
                bytes: Array(written[..<hash]), allowed: allowed, keepingTriplets: true)
            guard hash < written.endIndex else { return text }
            text += "#"
            text.appendPercentEncoded(
                bytes: Array(written[(hash + 1)...]), allowed: fragment, keepingTriplets: true)
            return text
        }
        if let reference = try? URIReference(encoded(.unreservedAndReserved)) { return reference }
        return try parse(encoded(.unreserved + ByteSet(":/?#@!$&'()*+,;=")))
    }

    /// The characters that a fragment may contain (RFC 3986 §3.5).
    private static let fragment = ByteSet.unreserved + ByteSet(":/?@!$&'()*+,;=")

    private static func parse(_ text: String) throws(HTTPError) -> URIReference {
        do throws(URIReference.SyntaxError) {
            return try URIReference(text)
        } catch {
            throw HTTPError(.redirectRefused, "at byte \(error.offset), \(error.reason)")
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
