public import HTTPCore
import HTTPFormats
public import PortableFoundation

extension HTTPCookieJar {
    /// A cookie with its attributes (RFC 6265bis §5.7).
    ///
    /// It is nested in the jar, because Foundation has an `HTTPCookie`. No description contains the
    /// value.
    public struct Cookie: Sendable {
        /// The `SameSite` attribute. A jar keeps it, but has no use for it: it knows only the URL
        /// of a request, and not the page that caused it.
        public enum SameSite: String, Hashable, Sendable {
            /// The value `Strict`: sent with requests of the same site only.
            case strict
            /// The value `Lax`: sent also when a user follows a link to the site.
            case lax
            /// The value `None`. It has another name, because `.none` would be `nil` where an
            /// optional is expected.
            case unrestricted = "none"
        }

        // Bytes, because servers use any encoding, and expect the same bytes back.
        let nameBytes: [UInt8]
        let valueBytes: [UInt8]
        let pathBytes: [UInt8]
        /// The host that the cookie belongs to, in lower case and with `xn--` labels. Hosts in this
        /// domain receive the cookie, too, unless ``isHostOnly`` is `true`.
        public let domain: String
        /// `true` if the cookie is for the host ``domain`` alone, because it came without a
        /// `Domain` attribute.
        public let isHostOnly: Bool
        /// `true` if the cookie is sent only over a secure connection.
        public let isSecure: Bool
        /// `true` if scripts of a page must not see the cookie. It has no effect here.
        public let isHTTPOnly: Bool
        /// The attribute, or `nil` if it was missing or unknown.
        public let sameSite: SameSite?
        /// The date at which the cookie expires, or `nil` for a session cookie.
        public internal(set) var expires: Date?
        /// The date at which a jar first stored the cookie; `Date.distantPast` if none has.
        public internal(set) var creationDate = Date.distantPast
        /// The date at which the cookie was last stored or sent; `Date.distantPast` if its file
        /// does not have this date.
        public internal(set) var lastAccessDate = Date.distantPast

        /// The number of the cookie in the order in which its store created them.
        var order = 0
        let site: CookieSite

        /// The name; empty for a cookie that is only a value.
        public var name: String { nameBytes.cookieText }
        /// The value. Its bytes are read as UTF-8, or as ISO 8859-1 if they are not valid UTF-8.
        public var value: String { valueBytes.cookieText }
        /// The path that the path of a request must begin with.
        public var path: String { pathBytes.cookieText }
    }
}

extension HTTPCookieJar.Cookie {
    /// Creates a cookie by hand.
    ///
    /// - Parameters:
    ///   - name: The name of the cookie.
    ///   - value: The value of the cookie.
    ///   - domain: The host that receives the cookie.
    ///   - path: The path that the cookie is sent to, with all paths below it.
    ///   - isHostOnly: `false` to send the cookie to the hosts in this domain, too.
    ///   - isSecure: `true` if the cookie is sent only over a secure connection.
    ///   - isHTTPOnly: `true` if scripts of a page must not see the cookie.
    ///   - sameSite: The `SameSite` attribute, which has no effect here.
    ///   - expires: The date at which the cookie expires, or `nil` for a session cookie.
    /// - Throws: `invalidCookie` if a server could not set the cookie: a part contains a character
    ///   that is not allowed there or is too long, the attributes do not suit the name's prefix, or
    ///   the cookie would be shared by the hosts of a public suffix, such as `co.uk`.
    public init(
        _ name: String, _ value: String, domain: String, path: String = "/",
        isHostOnly: Bool = true, isSecure: Bool = false, isHTTPOnly: Bool = false,
        sameSite: SameSite? = nil, expires: Date? = nil
    ) throws(HTTPError) {
        do throws(Flaw) {
            try self.init(
                checking: Parts(
                    name: Array(name.utf8), value: Array(value.utf8), domain: domain,
                    path: Array(path.utf8), isHostOnly: isHostOnly, isSecure: isSecure,
                    isHTTPOnly: isHTTPOnly, sameSite: sameSite, expires: expires))
        } catch {
            throw HTTPError(
                .invalidCookie, "the cookie \(name.logSafe) is invalid: \(error.reason)")
        }
    }

    /// The parts of a cookie from outside of a response, before they are checked.
    struct Parts {
        var name: [UInt8]
        var value: [UInt8]
        var domain: String
        var path: [UInt8]
        var isHostOnly: Bool
        var isSecure: Bool
        var isHTTPOnly: Bool
        var sameSite: SameSite?
        var expires: Date?
        /// `true` to accept any path that the URL of a response can have: a cookie without a `Path`
        /// attribute takes it from there, with semicolons and at any length.
        var mayHaveDefaultPath = false
    }

    /// The reason why parts are no cookie; a clause without the value.
    struct Flaw: Error, Hashable {
        let reason: String
    }

    /// Creates a cookie that was not set by a response. Looks up the public suffix, and so is not
    /// for use inside a lock.
    init(checking parts: Parts, suffixes: PublicSuffixList = .current) throws(Flaw) {
        var hosts = Hosts(suffixes: suffixes)
        try self.init(checking: parts, in: &hosts)
    }

    /// The hosts of many cookies. Each one is examined once: a file has few hosts in many lines.
    struct Hosts {
        let suffixes: PublicSuffixList
        private var known: [String: (host: String, site: CookieSite)] = [:]

        init(suffixes: PublicSuffixList) { self.suffixes = suffixes }

        /// Returns the host of a domain, which may begin with a dot, and its site.
        mutating func host(_ domain: String) throws(Flaw) -> (host: String, site: CookieSite) {
            if let found = known[domain] { return found }
            do throws(HTTPError) {
                let name = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
                let host = try HTTPOrigin(host: name).host
                let found = (host, CookieSite(of: host, suffixes: suffixes))
                known[domain] = found
                return found
            } catch {
                throw Flaw(reason: "its domain is not a host name or an IP address")
            }
        }
    }

    init(checking parts: Parts, in hosts: inout Hosts) throws(Flaw) {
        try Self.check(parts)
        let host: String
        (host, site) = try hosts.host(parts.domain)
        if !parts.isHostOnly, site.isSingleHost, !CookieSite.isAddress(host) {
            throw Flaw(reason: "its domain is a public suffix, whose hosts must not share a cookie")
        }
        nameBytes = parts.name
        valueBytes = parts.value
        pathBytes = parts.path
        domain = host
        // An address has no hosts in it.
        isHostOnly = parts.isHostOnly || CookieSite.isAddress(host)
        isSecure = parts.isSecure
        isHTTPOnly = parts.isHTTPOnly
        sameSite = parts.sameSite
        expires = parts.expires
        guard sameSite != .unrestricted || isSecure else {
            throw Flaw(reason: HTTPCookieJar.Refusal.Reason.sameSiteNone.rawValue)
        }
        if let prefix = CookiePrefix(of: nameBytes), !prefix.isKept(by: self, hasPath: true) {
            throw Flaw(
                reason: "its name begins with \(prefix.rawValue), whose attributes it does not have"
            )
        }
    }

    private static func check(_ parts: Parts) throws(Flaw) {
        func isAllowed(_ bytes: [UInt8], without separators: String) -> Bool {
            bytes.withoutBlanks == bytes
                && !bytes.contains { SetCookie.isControl($0) || separators.utf8.contains($0) }
        }
        guard isAllowed(parts.name, without: ";=") else {
            throw Flaw(
                reason: "its name has a control character, a semicolon, an equals sign, or a blank "
                    + "at an end")
        }
        guard isAllowed(parts.value, without: ";") else {
            throw Flaw(
                reason: "its value has a control character, a semicolon, or a blank at an end")
        }
        guard parts.path.first == UInt8(ascii: "/"),
            isAllowed(parts.path, without: parts.mayHaveDefaultPath ? "" : ";"),
            parts.mayHaveDefaultPath || parts.path.count <= SetCookie.mostAttributeBytes
        else {
            throw Flaw(
                reason:
                    "its path does not begin with a slash, has a control character, a semicolon, "
                    + "or a blank at its end, or is longer than 1024 bytes")
        }
        guard parts.expires?.timeIntervalSince1970.isNaN != true else {
            throw Flaw(reason: "its date of expiry is not a number")
        }
        guard !parts.name.isEmpty || !parts.value.isEmpty else {
            throw Flaw(reason: HTTPCookieJar.Refusal.Reason.empty.rawValue)
        }
        guard parts.name.count + parts.value.count <= SetCookie.mostBytes else {
            throw Flaw(reason: HTTPCookieJar.Refusal.Reason.tooLong.rawValue)
        }
        if parts.name.isEmpty, CookiePrefix(of: parts.value) != nil {
            throw Flaw(reason: "it has no name, and its value begins with a prefix of names")
        }
    }

    /// Creates the cookie that a response sets (RFC 6265bis §5.7).
    ///
    /// - Throws: The reason to ignore it, as far as it does not depend on other cookies.
    init(
        _ field: SetCookie, from location: CookieLocation, now: Date
    ) throws(HTTPCookieJar.Refusal.Reason) {
        let shared = try Self.domain(of: field, from: location)
        nameBytes = field.name
        valueBytes = field.value
        pathBytes = field.path ?? location.defaultPath
        domain = shared ?? location.host
        isHostOnly = shared == nil
        isSecure = field.isSecure
        isHTTPOnly = field.isHTTPOnly
        sameSite = field.sameSite
        site = location.site
        if let seconds = field.maxAge {
            expires = seconds > 0 ? now.addingTimeInterval(Double(seconds)) : .distantPast
        } else {
            expires = field.expires.map { Date(timeIntervalSince1970: Double($0.secondsSince1970)) }
        }
        if isSecure, !location.isSecure { throw .secureOverHTTP }
        if sameSite == .unrestricted, !isSecure { throw .sameSiteNone }
        if let prefix = CookiePrefix(of: nameBytes),
            !prefix.isKept(by: self, hasPath: field.path != nil)
        {
            throw .prefix
        }
        if nameBytes.isEmpty, CookiePrefix(of: valueBytes) != nil { throw .prefix }
    }

    /// Returns the domain whose hosts share the cookie, or `nil` if it is for one host.
    private static func domain(
        of field: SetCookie, from location: CookieLocation
    ) throws(HTTPCookieJar.Refusal.Reason) -> String? {
        guard let bytes = field.domain else { return nil }
        let domain = String(decoding: bytes, as: UTF8.self)
        // A single host has no domain to share with. This includes an IP address.
        if domain == location.host, location.site.isSingleHost { return nil }
        guard bytes.allSatisfy({ $0 < 0x80 }), location.host.domainMatches(domain) else {
            throw .domainElsewhere
        }
        // Like browsers, also refuses a domain that is above a public suffix, but not one itself.
        guard !location.site.isSingleHost, domain.domainMatches(location.site.name) else {
            throw .publicSuffix
        }
        return domain
    }
}

extension HTTPCookieJar.Cookie {
    /// The parts by which a new cookie replaces an old one.
    struct Key: Hashable, Sendable {
        let name: [UInt8]
        let domain: String
        let isHostOnly: Bool
        let path: [UInt8]
    }

    var key: Key {
        Key(name: nameBytes, domain: domain, isHostOnly: isHostOnly, path: pathBytes)
    }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Returns `true` if the cookie is sent to `location`.
    func isSent(to location: CookieLocation) -> Bool {
        (isHostOnly ? location.host == domain : location.host.domainMatches(domain))
            && (!isSecure || location.isSecure) && location.path.pathMatches(pathBytes)
    }
}

extension HTTPCookieJar.Cookie: Hashable {
    /// Returns `true` if all attributes and dates are equal.
    public static func == (a: Self, b: Self) -> Bool {
        a.key == b.key && a.valueBytes == b.valueBytes && a.isSecure == b.isSecure
            && a.isHTTPOnly == b.isHTTPOnly && a.sameSite == b.sameSite && a.expires == b.expires
            && a.creationDate == b.creationDate && a.lastAccessDate == b.lastAccessDate
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension HTTPCookieJar.Cookie: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// One line without the value.
    public var description: String {
        "\(name.logSafe) of \(isHostOnly ? "" : "*.")\(domain.escapingControls())"
            + ", path \(path.logSafe)"
            + (isSecure ? ", secure" : "")
            + (expires.map { ", expires \(HTTPDate($0))" } ?? ", session")
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
