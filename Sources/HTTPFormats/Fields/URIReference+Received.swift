package import HTTPCore
package import PortableFoundation

extension URIReference {
    /// Reads a reference that a server has written: the value of `Location`, or the target of a
    /// link.
    ///
    /// Servers write what no URL may contain, and all clients follow it. Such bytes are
    /// percent-encoded: spaces, `|`, those from 0x80, and every number sign but the first. So are
    /// brackets, unless they belong to an address. A host outside ASCII is mapped to its `xn--`
    /// labels (``DomainName``). A reference that begins with a colon has no scheme, and is a path.
    ///
    /// - Throws: `invalidRequest` if it is not a URL even so.
    package init(received written: [UInt8]) throws(HTTPError) {
        let hash = written.firstIndex(of: UInt8(ascii: "#")) ?? written.endIndex
        let authority = Self.authority(in: written[..<hash])
        let isColonPath = written.first == UInt8(ascii: ":")
        var text = isColonPath ? "./" : ""
        text.appendPercentEncoded(
            bytes: Array(written[..<authority.lowerBound]), allowed: Self.pathAndQuery,
            keepingTriplets: true)
        text.appendPercentEncoded(
            bytes: try Self.mappingHost(written[authority]), allowed: .unreservedAndReserved,
            keepingTriplets: true)
        text.appendPercentEncoded(
            bytes: Array(written[authority.upperBound..<hash]), allowed: Self.pathAndQuery,
            keepingTriplets: true)
        if hash < written.endIndex {
            text += "#"
            text.appendPercentEncoded(
                bytes: Array(written[(hash + 1)...]), allowed: Self.pathAndQuery,
                keepingTriplets: true)
        }
        self = try HTTPTarget.reference(text)
    }

    /// The characters that a path, a query and a fragment may contain (RFC 3986 §3), with the
    /// question mark before a query.
    private static let pathAndQuery = ByteSet.unreserved + ByteSet(":/?@!$&'()*+,;=")

    /// Returns the place of the authority, without the slashes before it; empty, and at the
    /// beginning, if there is none.
    private static func authority(in written: ArraySlice<UInt8>) -> Range<Int> {
        let schemeBytes = ByteSet.alphanumerics + ByteSet("+-.")
        let end = written.firstIndex { !schemeBytes.contains($0) } ?? written.endIndex
        let hasScheme =
            end > written.startIndex && end < written.endIndex
            && written[end] == UInt8(ascii: ":")
        let start = hasScheme ? end + 1 : written.startIndex
        guard written[start...].starts(with: "//".utf8) else { return 0..<0 }
        let rest = written[(start + 2)...]
        return rest.startIndex..<(rest.firstIndex { "/?".utf8.contains($0) } ?? rest.endIndex)
    }

    /// Returns an authority whose host is in ASCII, if it is one in UTF-8, percent-encoded or not.
    private static func mappingHost(_ authority: ArraySlice<UInt8>) throws(HTTPError) -> [UInt8] {
        let start =
            authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
        let end = authority[start...].firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        let host = Array(authority[start..<end]).percentDecoded()
        guard host.contains(where: { $0 >= 0x80 }),
            let name = String(validating: host, as: UTF8.self)
        else { return Array(authority) }
        return authority[..<start] + Array(try DomainName(name).ascii.utf8) + authority[end...]
    }
}

extension URL {
    /// Returns the URL that a reference which a server has written means in a response from this
    /// URL (RFC 3986 §5). See ``URIReference/init(received:)``.
    ///
    /// - Throws: `invalidRequest` if this URL has no scheme, or the result is not a URL.
    package func resolving(received reference: [UInt8]) throws(HTTPError) -> URL {
        let base = try HTTPTarget.reference(absoluteString)
        guard base.scheme != nil else {
            throw HTTPError(.invalidRequest, "only an absolute URL can resolve a reference")
        }
        return try URL(URIReference(received: reference).resolved(against: base))
    }
}

/// The target of a redirect or of a link that is followed: an http or https URL in its normal form,
/// with a scheme and a host in lower case, without user information and without a default port.
package struct ReceivedTarget: Sendable {
    package let url: URL
    package let origin: HTTPOrigin

    /// Reads a reference that a server has written in a response from `base`.
    ///
    /// - Parameter inheritingFragment: `true` to take the fragment of `base` if the reference has
    ///   none (RFC 9110 §10.2.2).
    /// - Throws: `invalidRequest` if it leads to no http or https URL.
    package init(
        _ written: [UInt8], from base: URL, inheritingFragment: Bool
    ) throws(HTTPError) {
        let base = try HTTPTarget.reference(base.absoluteString)
        let reference = try URIReference(received: written)
        let target = reference.resolved(against: base)
        origin = try HTTPOrigin(target)
        let fragment = reference.fragment ?? (inheritingFragment ? base.fragment : nil)
        url = try URL(
            strictly: origin.description + target.path + (target.query.map { "?\($0)" } ?? "")
                + (fragment.map { "#\($0)" } ?? ""))
    }
}
