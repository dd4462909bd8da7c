package import PortableFoundation

/// The text that the caller of a client with a base URL writes: `new/joke`, `/items?page=2`, or a
/// URL.
package struct Route: Sendable {
    package enum Kind: Hashable, Sendable {
        /// A URL with scheme and authority: `https://h/p`.
        case absolute
        /// An authority without a scheme: `//h/p`. Refused, because a variable after a slash may
        /// begin with another one.
        case authority
        /// A path, query or fragment to append to a base. Includes `users:batchGet` and
        /// `localhost:80`, although RFC 3986 reads `users` and `localhost` as schemes.
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
        if bytes.starts(with: "//".utf8) {
            kind = .authority
        } else if !head.isEmpty, bytes[head.endIndex...].starts(with: "://".utf8) {
            kind = .absolute
        } else {
            kind = .relative
        }
    }

    /// The text after the authority; all of it if there is none.
    private var afterAuthority: Substring {
        let rest: Substring.UTF8View
        switch kind {
        case .relative: return text[...]
        case .authority: rest = text.utf8.dropFirst(2)
        case .absolute: rest = text.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
        }
        return Substring(rest.drop { !"/?#".utf8.contains($0) })
    }

    /// The path, without query and fragment.
    var path: Substring { Substring(afterAuthority.utf8.prefix { !"?#".utf8.contains($0) }) }

    /// `true` if text that is appended belongs to the authority.
    var endsInAuthority: Bool { kind != .relative && afterAuthority.isEmpty }

    /// Returns the absolute URL. A relative route is appended to the path of `base`, and never
    /// leaves it.
    package func joined(to base: URL?) throws(HTTPError) -> URL {
        switch kind {
        case .absolute: return try URL(strictly: text)
        case .authority: throw .namesHost
        case .relative: break
        }
        guard let base else {
            throw HTTPError(
                .invalidRequest,
                (try? URIReference(text)).flatMap(HTTPOrigin.adviceOnScheme)
                    ?? "the URL is relative and there is no base URL: "
                    + "use one such as https://example.com/")
        }
        var target = try HTTPTarget.reference(base.absoluteString)
        guard target.scheme != nil, let authority = target.authority else {
            throw HTTPError(.invalidRequest, "the base URL is relative")
        }
        guard authority.userInfo == nil else {
            throw HTTPError(
                .invalidRequest,
                "the base URL carries user information: put credentials into an Authorization field"
            )
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
        guard !RoutePath(relative.path).leadsAbove else {
            throw HTTPError(
                .invalidRequest,
                "the route leads above the base URL: remove its .. segments, or use an absolute URL"
            )
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

extension HTTPError {
    package static var namesHost: HTTPError {
        HTTPError(
            .invalidRequest,
            "the URL begins with //, so that it names a host: write a scheme in front of it, or a "
                + "single slash for a path")
    }
}
