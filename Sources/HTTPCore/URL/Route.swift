#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What the caller of a client with a base URL writes: `new/joke`, `/items?page=2`, or a URL.
package struct Route: Sendable {
    package enum Kind: Hashable, Sendable {
        /// Scheme and authority: `https://h/p`.
        case absolute
        /// `//h/p`
        case authority
        /// `localhost:8080/p`
        case localhost
        /// To be appended to a base. `users:batchGet` too, which RFC 3986 takes for a scheme.
        case relative
    }

    /// What names nothing but the base itself, since no `URL` holds an empty text: a fragment that is empty,
    /// and goes nowhere.
    package static let base = "#"

    package let text: String
    package let kind: Kind

    package init(_ text: String) {
        self.text = text
        let bytes = text.utf8
        let head = bytes.prefix { ByteSet.alphanumerics.contains($0) || "+-.".utf8.contains($0) }
        let rest = bytes[head.endIndex...]
        if bytes.starts(with: "//".utf8) {
            kind = .authority
        } else if !head.isEmpty, rest.starts(with: "://".utf8) {
            kind = .absolute
        } else if head.map(\.asciiLowercased).elementsEqual("localhost".utf8),
            rest.isEmpty || rest.first.map("/?#".utf8.contains) == true || Self.isPort(rest)
        {
            kind = .localhost
        } else {
            kind = .relative
        }
    }

    private static func isPort(_ rest: Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: ":") else { return false }
        let digits = rest.dropFirst().prefix { $0.isASCIIDigit }
        let end = rest[digits.endIndex...]
        return !digits.isEmpty && (end.isEmpty || end.first.map("/?#".utf8.contains) == true)
    }

    /// The absolute URL, which `base` begins where the route does not.
    package func joined(to base: URL?) throws(HTTPError) -> URL {
        guard let base else {
            switch kind {
            case .absolute: return try URL(strictly: text)
            case .authority: return try URL(strictly: "https:" + text)
            case .localhost: return try URL(strictly: "http://" + text)
            case .relative:
                throw HTTPError(
                    .invalidRequest,
                    "the URL is relative and there is no base URL: use one such as https://example.com/"
                )
            }
        }
        var target = try HTTPTarget.reference(base.absoluteString)
        guard let scheme = target.scheme, let authority = target.authority else {
            throw HTTPError(.invalidRequest, "the base URL is relative itself")
        }
        guard authority.userInfo == nil else {
            throw HTTPError(
                .invalidRequest,
                "the base URL carries user information: put credentials into an Authorization field"
            )
        }
        switch kind {
        case .absolute: return try URL(strictly: text)
        case .authority: return try URL(strictly: "\(scheme):\(text)")
        case .localhost: return try URL(strictly: "\(scheme)://\(text)")
        case .relative: break
        }
        let lowercased = text.utf8.prefix(6).map(\.asciiLowercased)
        guard !lowercased.starts(with: "http:".utf8), !lowercased.starts(with: "https:".utf8) else {
            throw HTTPError(
                .invalidRequest, "the URL has a scheme and no host: // follows the scheme")
        }
        let isWhole = text.isEmpty || text.utf8.first.map("/?#".utf8.contains) == true
        let relative: URIReference
        do throws(URIReference.SyntaxError) {
            // A slash in front keeps a colon in the first segment from ending a scheme.
            relative = try URIReference(isWhole ? text : "/" + text)
        } catch {
            throw HTTPError(
                .invalidRequest,
                "the URL is not one (RFC 3986), at byte \(error.offset - (isWhole ? 0 : 1)): "
                    + error.reason)
        }
        if !relative.path.isEmpty {
            let endsInSlash = target.path.utf8.last == UInt8(ascii: "/")
            target.path = (endsInSlash ? target.path.dropLast() : target.path) + relative.path
        }
        target.query = relative.query
        target.fragment = relative.fragment.flatMap { $0.isEmpty ? nil : $0 }
        return try URL(strictly: target.recomposed)
    }
}

extension URL {
    /// This URL as a base, with `route` appended to its path by exactly one slash: both
    /// `https://h/api` and `https://h/api/` with `x` or `/x` give `https://h/api/x`.
    ///
    /// Not the resolution of RFC 3986, see ``resolving(_:)``: a base's last segment stays, and a `..`
    /// is left as it is. An empty route names the base itself. Query and fragment are the route's alone, an
    /// empty fragment is left out. An absolute `route` is the answer
    /// itself; one that begins with `//`, or with `localhost` as its whole first segment, gets this
    /// URL's scheme.
    ///
    /// - Throws: `invalidRequest` when this URL is relative or carries user information, or the
    ///   outcome is no URL to the letter of RFC 3986.
    public func joining(_ route: String) throws(HTTPError) -> URL {
        try Route(route).joined(to: self)
    }
}

extension HTTPRequest {
    /// This request with an absolute URL: its own, or `base` with it appended, see
    /// `URL.joining(_:)`.
    ///
    /// - Parameter base: `nil` for none; `//host` is then taken for https, and `localhost` for http.
    /// - Throws: `invalidRequest` when the URL is relative and there is no base, or no URL comes out.
    public func joined(to base: URL?) throws(HTTPError) -> HTTPRequest {
        var request = self
        request.url = try Route(url.absoluteString).joined(to: base)
        return request
    }
}
