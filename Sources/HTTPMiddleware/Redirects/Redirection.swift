public import HTTPCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a response asks for that sends its client elsewhere (RFC 9110 §15.4), and the request that
/// would follow it by the rules of the Fetch standard (§4.4, "HTTP-redirect fetch").
///
/// Takes no part in sending: what a redirect means can be read and tested without a session.
public struct Redirection: Sendable {
    /// The head that asked for it.
    public let response: HTTPResponse.Head
    /// The request that it answered.
    public let request: HTTPRequest
    /// The target, absolute, without user information; with the fragment of `Location` or else of
    /// the request.
    public let location: URL
    /// How many redirects of the call came before, 0 for the first.
    public let index: Int

    /// Scheme, host or port are not those of ``request``.
    public let isCrossOrigin: Bool

    /// - Returns: `nil` where nobody is sent elsewhere: another status than 301, 302, 303, 307 and 308,
    ///   or no `Location`.
    /// - Throws: `redirectRefused` when `Location` is no URL of http or https.
    public init?(
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
                "the Location of this \(response.status.code) leads nowhere: \(error.message)",
                mayHaveReachedServer: true, response: response
            ).ending(request.url)
        }
    }

    private static func target(
        _ written: [UInt8], from url: URL
    ) throws(HTTPError) -> (url: URL, origin: HTTPOrigin) {
        let reference = try Self.reference(written)
        let base = try Self.parse(url.absoluteString)
        let target = reference.resolved(against: base)
        // Written as it is compared: in lower case, without user information and default port.
        let origin = try HTTPOrigin(target)
        var text = origin.description + target.path
        text += target.query.map { "?\($0)" } ?? ""
        text += (reference.fragment ?? base.fragment).map { "#\($0)" } ?? ""
        let location = try URL(strictly: text)
        return (location, origin)
    }

    /// Bytes that no URL may hold are percent-encoded, as all clients do, and so is every number
    /// sign but the first; brackets are left to addresses.
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

    /// What a fragment may hold (RFC 3986 §3.5).
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
    /// Whether the next request is a GET without a body, whatever the request was.
    ///
    /// A 303 makes a GET of all but GET and HEAD, a 301 and a 302 only of POST: that is what servers
    /// have come to expect (RFC 9110 §15.4).
    public var isRewrittenToGet: Bool {
        switch response.status.code {
        case 303: request.method != .get && request.method != .head
        case 301, 302: request.method == .post
        default: false
        }
    }

    /// The request to follow with: at ``location``, rewritten to GET where that is the rule, without
    /// what must not leave its origin: secrets, and transport options that are bound to it.
    ///
    /// Its body may be one that cannot be sent again, see `canBeSent`.
    ///
    /// - Parameter keepingMethod: sends what was sent, whatever the status.
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
        next.withholdOptions(home: try? request.origin())
        if isCrossOrigin {
            for field in next.headers where field.isSensitive || Self.bound.contains(field.name) {
                next.headers.remove(field.name)
            }
        }
        return next
    }

    /// Beside secrets: fields that speak of the origin they were made for.
    private static let bound: Set<HTTPHeaderName> = [.host, .origin, "WWW-Authenticate"]
}
