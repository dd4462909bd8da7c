import HTTPCore
import PortableFoundation

/// The parts of a URL that cookies depend on: the host, the path, and the security of the
/// connection. The port is no part of it.
///
/// Creating one looks up the public suffix, and so may read the system's list. Never create one
/// inside a lock.
struct CookieLocation: Sendable {
    /// The host in the form of an ``/HTTPCore/HTTPOrigin``.
    let host: String
    /// The path, which begins with a slash.
    let path: [UInt8]
    let isSecure: Bool
    let site: CookieSite

    /// - Throws: `invalidRequest` if the URL has no origin.
    init(_ url: URL, suffixes: PublicSuffixList = .current) throws(HTTPError) {
        let uri = try HTTPTarget.reference(url.absoluteString)
        let origin = try HTTPOrigin(uri)
        host = origin.host
        path = uri.path.utf8.first == UInt8(ascii: "/") ? Array(uri.path.utf8) : Array("/".utf8)
        isSecure = origin.scheme == .https || Self.isLoopback(origin.host)
        site = CookieSite(of: origin.host, suffixes: suffixes)
    }

    /// The path of a cookie without a `Path` attribute (RFC 6265bis §5.1.4).
    var defaultPath: [UInt8] {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 else {
            return Array("/".utf8)
        }
        return Array(path[..<slash])
    }

    /// Returns `true` if the connection to a host does not leave the machine. Browsers then treat
    /// `http` as secure, too (Secure Contexts §3.1).
    private static func isLoopback(_ host: String) -> Bool {
        let name = host.utf8.last == UInt8(ascii: ".") ? host.dropLast() : host[...]
        return name == "localhost" || name.hasSuffix(".localhost") || host == "[::1]"
            || host.hasPrefix("127.") && CookieSite.isAddress(host)
    }
}

/// The domains among which a cookie can be shared: a registrable domain with all names in it.
///
/// A host that is a public suffix or an IP address is a site of its own.
struct CookieSite: Hashable, Sendable {
    /// The registrable domain, or the host if it has none.
    let name: String
    /// `true` if no cookie can be shared with other hosts.
    let isSingleHost: Bool

    init(of host: String, suffixes: PublicSuffixList = .current) {
        let domain = Self.isAddress(host) ? nil : suffixes.registrableDomain(of: host)
        // A host with a dot at its end is another host, and so is its site another site.
        let dot = host.utf8.last == UInt8(ascii: ".") ? "." : ""
        name = domain.map { $0 + dot } ?? host
        isSingleHost = domain == nil
    }

    /// Returns `true` for an IP address in the form of an ``/HTTPCore/HTTPOrigin``. No name ends
    /// with a numeric label there.
    static func isAddress(_ host: String) -> Bool {
        if host.utf8.first == UInt8(ascii: "[") { return true }
        let last = host.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }
        return !last.isEmpty && last.allSatisfy(\.isASCIIDigit)
    }
}

extension String {
    /// Returns `true` if this host is `domain` or a name in it (RFC 6265bis §5.1.3).
    func domainMatches(_ domain: String) -> Bool {
        guard utf8.count > domain.utf8.count else { return self == domain }
        return !domain.isEmpty && hasSuffix(domain)
            && utf8.dropLast(domain.utf8.count).last == UInt8(ascii: ".")
            && !CookieSite.isAddress(self)
    }
}

extension [UInt8] {
    /// Returns `true` if a cookie of the path `cookiePath` is sent to this path
    /// (RFC 6265bis §5.1.4).
    func pathMatches(_ cookiePath: [UInt8]) -> Bool {
        guard starts(with: cookiePath) else { return false }
        return count == cookiePath.count || cookiePath.last == UInt8(ascii: "/")
            || self[cookiePath.count] == UInt8(ascii: "/")
    }

    func startsIgnoringCase(with prefix: String) -> Bool {
        count >= prefix.utf8.count
            && zip(self, prefix.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// The bytes without the spaces and tabs around them.
    var withoutBlanks: [UInt8] { Array(self[...].trimmedOfBlanks) }

    /// The bytes as text: UTF-8 if they are valid UTF-8, else ISO 8859-1, as in
    /// ``/HTTPCore/HTTPHeaders``.
    var cookieText: String {
        String(validating: self, as: UTF8.self)
            ?? String(String.UnicodeScalarView(map { Unicode.Scalar($0) }))
    }
}

extension ArraySlice<UInt8> {
    var trimmedOfBlanks: ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isBlank }),
            let last = lastIndex(where: { !$0.isBlank })
        else { return [] }
        return self[first...last]
    }
}
