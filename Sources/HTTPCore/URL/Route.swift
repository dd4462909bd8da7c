#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The text that the caller of a client with a base URL writes: `new/joke`, `/items?page=2`, or a
/// URL.
package struct Route: Sendable {
    package enum Kind: Hashable, Sendable {
        /// A URL with scheme and authority: `https://h/p`.
        case absolute
        /// An authority without a scheme: `//h/p`.
        case authority
        /// A local host without a scheme: `localhost:8080/p`.
        case localhost
        /// A path, query or fragment to append to a base. Includes `users:batchGet`, although RFC
        /// 3986 reads `users` as a scheme.
        case relative
    }

    /// The route that means the base itself. No `URL` holds an empty text, so it is an empty
    /// fragment, which is not sent.
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

    /// Returns the absolute URL, based on `base` if the route is not absolute.
    package func joined(to base: URL?) throws(HTTPError) -> URL {
        guard let base else {
            switch kind {
            case .absolute: return try URL(strictly: text)
            case .authority: return try URL(strictly: "https:" + text)
            case .localhost: return try URL(strictly: "http://" + text)
            case .relative:
                throw HTTPError(
                    .invalidRequest,
                    "the URL is relative and there is no base URL: "
                        + "use one such as https://example.com/"
                )
            }
        }
        var target = try HTTPTarget.reference(base.absoluteString)
        guard let scheme = target.scheme, let authority = target.authority else {
            throw HTTPError(.invalidRequest, "the base URL is relative")
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
                .invalidRequest, "the URL has a scheme but no host: write // after the scheme")
        }
        let isWhole = text.isEmpty || text.utf8.first.map("/?#".utf8.contains) == true
        let relative: URIReference
        do throws(URIReference.SyntaxError) {
            // A leading slash prevents a colon in the first segment from ending a scheme.
            relative = try URIReference(isWhole ? text : "/" + text)
        } catch {
            throw HTTPError(
                .invalidRequest,
                "the URL is invalid (RFC 3986) at byte \(error.offset - (isWhole ? 0 : 1)): "
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
    /// Returns this URL as a base with `route` appended to its path by exactly one slash: both
    /// `https://h/api` and `https://h/api/` with `x` or `/x` give `https://h/api/x`.
    ///
    /// This is not the resolution of RFC 3986: the last segment of the base stays, and a `..` is
    /// not removed. See ``resolving(_:)``. An empty route gives the base itself. Query and fragment
    /// come from the route only; an empty fragment is left out. An absolute `route` is returned as
    /// it is. A route that begins with `//`, or with `localhost` as its whole first segment, gets
    /// this URL's scheme.
    ///
    /// - Throws: `invalidRequest` if this URL is relative or has user information, or if the result
    ///   is not a valid URL (RFC 3986).
    package func joining(_ route: String) throws(HTTPError) -> URL {
        try Route(route).joined(to: self)
    }
}

extension HTTPRequest {
    /// Returns this request with an absolute URL: its own, or its own appended to `base`. See
    /// `URL.joining(_:)`.
    ///
    /// - Parameter base: The base URL, or `nil` for none. Without a base, `//host` is read as
    ///   https, and `localhost` as http.
    /// - Throws: `invalidRequest` if the URL is relative and there is no base, or if the result is
    ///   not a valid URL.
    package func joined(to base: URL?) throws(HTTPError) -> HTTPRequest {
        var request = self
        request.url = try Route(url.absoluteString).joined(to: base)
        return request
    }
}
