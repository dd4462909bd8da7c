public import PortableFoundation

extension HTTPOrigin {
    /// Creates the origin of a URL.
    ///
    /// - Throws: `invalidRequest` saying which part cannot be used, and why.
    public init(_ url: URL) throws(HTTPError) {
        try self.init(HTTPTarget.reference(url.absoluteString))
    }

    /// Creates the origin of a URL from its text.
    ///
    /// - Throws: `invalidRequest` if `url` is not a valid URL (RFC 3986), or has no origin.
    public init(_ url: String) throws(HTTPError) { try self.init(URL(strictly: url)) }

    /// Creates the origin of a separate host: a name, an IPv4 address, or an IPv6 address with or
    /// without brackets.
    ///
    /// A name that is not all ASCII, such as `Bücher.example`, is mapped to its `xn--` labels, as
    /// browsers do (UTS 46). The `xn--` labels of a name in ASCII are not changed.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - host: A name, an IPv4 address, or an IPv6 address with or without brackets.
    ///   - port: The port, or `nil` for the scheme's default.
    /// - Throws: `invalidRequest` saying which part cannot be used, and why.
    public init(scheme: Scheme = .https, host: String, port: Int? = nil) throws(HTTPError) {
        if let port, !(1...65535).contains(port) {
            throw HTTPError(.invalidRequest, "the port is not in 1...65535")
        }
        self.scheme = scheme
        self.host = try Self.canonicalHost(Self.hostInURL(host)[...])
        self.port = port ?? scheme.defaultPort
    }

    package init(_ uri: borrowing URIReference) throws(HTTPError) {
        guard let scheme = uri.scheme, let host = uri.authority?.host else {
            throw HTTPError(.invalidRequest, Self.whyIncomplete(uri))
        }
        switch scheme {
        case "https": self.scheme = .https
        case "http": self.scheme = .http
        default:
            guard let scheme = Scheme(rawValue: scheme.lowercased()) else {
                throw HTTPError(
                    .invalidRequest,
                    "the scheme \(String(scheme).logSafe) is neither http nor https")
            }
            self.scheme = scheme
        }
        self.host = try Self.canonicalHost(host)
        switch uri.authority?.port {
        case nil, "": self.port = self.scheme.defaultPort
        case let digits?:
            guard digits.utf8.count <= 5, let port = Int(digits), (1...65535).contains(port) else {
                throw HTTPError(.invalidRequest, "the URL's port is not in 1...65535")
            }
            self.port = port
        }
    }
}

extension HTTPOrigin {
    /// Returns a sentence about a URL without a scheme or a host.
    private static func whyIncomplete(_ uri: borrowing URIReference) -> String {
        if let advice = adviceOnScheme(uri) { return advice }
        guard let scheme = uri.scheme else {
            return "the URL is relative: a session needs scheme and host, such as "
                + "https://example.com/"
        }
        if Scheme(rawValue: scheme.lowercased()) != nil {
            return "the URL has no host: write \(scheme.lowercased())://, then the host"
        }
        return "the scheme \(String(scheme).logSafe) is neither http nor https"
    }

    /// Returns a sentence about a URL whose scheme was probably left out: `example.com/a` is a
    /// relative path, and `localhost:8080` has the scheme `localhost` (RFC 3986 §4.2). Returns
    /// `nil` for any other URL.
    static func adviceOnScheme(_ uri: borrowing URIReference) -> String? {
        guard uri.authority == nil else { return nil }
        let first = uri.path.prefix { $0 != "/" }
        guard let scheme = uri.scheme else {
            let isHost =
                (first == "localhost" || first.dropFirst().utf8.contains(UInt8(ascii: ".")))
                && first.utf8.first != UInt8(ascii: ".")
                && first.utf8.allSatisfy { ByteSet.unreserved.contains($0) }
            return isHost ? "the URL has no scheme: write https://\(first)/…" : nil
        }
        // The text after another scheme may be a secret, as in `user:password@host`; a port is not.
        let isPort = (1...5).contains(first.utf8.count) && first.utf8.allSatisfy(\.isASCIIDigit)
        return isPort && Scheme(rawValue: scheme.lowercased()) == nil
            ? "the URL has no scheme: write http://\(scheme):\(first)/…" : nil
    }

    /// Returns a separate host as it is written in a URL; ASCII is not changed.
    package static func hostInURL(_ host: String) throws(HTTPError) -> String {
        guard !host.utf8.contains(where: "@/?#".utf8.contains) else {
            throw HTTPError(.invalidRequest, "a host cannot contain user information or a path")
        }
        let isBracketed = host.utf8.first == UInt8(ascii: "[")
        let isAddress = !isBracketed && IPv6Address(host[...]) != nil
        // Checked first, so that no message shows the host: the text after a colon may be a
        // password.
        let end = isBracketed ? host.utf8.lastIndex(of: UInt8(ascii: "]")) : nil
        guard isAddress || !host.utf8[(end ?? host.startIndex)...].contains(UInt8(ascii: ":"))
        else {
            throw HTTPError(.invalidRequest, "a host cannot contain a port: set it separately")
        }
        let written = isAddress ? "[\(host)]" : try DomainName(host).ascii
        let probe = try HTTPTarget.reference("https://" + written)
        _ = try HTTPOrigin(probe)
        return written
    }

    private static func canonicalHost(_ text: Substring) throws(HTTPError) -> String {
        func refuse(_ reason: String) -> HTTPError {
            HTTPError(.invalidRequest, "the URL's host \(String(text).logSafe) \(reason)")
        }
        if text.utf8.first == UInt8(ascii: "[") {
            guard let address = IPv6Address(text.dropFirst().dropLast()) else {
                throw refuse("is not an IPv6 address (RFC 4291 §2.2; zones are not supported)")
            }
            return "[\(address)]"
        }
        guard !text.isEmpty else { throw HTTPError(.invalidRequest, "the URL has no host") }
        let host = text.lowercased()
        guard !host.utf8.contains(UInt8(ascii: "%")) else {
            throw refuse("is percent-encoded: write it plainly, or as xn-- labels")
        }
        guard
            host.utf8.allSatisfy({
                isLowercase($0) || $0.isASCIIDigit || "-._".utf8.contains($0)
            })
        else { throw refuse("contains a character that is not allowed in a host name") }

        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last == "" { labels.removeLast() }  // a fully qualified name's last dot
        guard host.utf8.count <= 254, labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else {
            throw refuse("has an empty label or one of more than 63 bytes, or is too long")
        }
        if let last = labels.last, last.first?.isNumber == true, isNumeric(last) {
            guard labels.count == 4, host.utf8.last != UInt8(ascii: "."),
                labels.allSatisfy({ isDecimalByte($0.utf8) })
            else { throw refuse("is not an IPv4 address: write it as four decimal numbers") }
        }
        return host
    }

    private static func isLowercase(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// Returns `true` if all parsers read a label as the same number of an IPv4 address.
    fileprivate static func isDecimalByte(_ label: some Collection<UInt8>) -> Bool {
        guard (1...3).contains(label.count), label.count == 1 || label.first != UInt8(ascii: "0")
        else { return false }
        var value = 0
        for byte in label {
            guard byte.isASCIIDigit else { return false }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value <= 255
    }

    /// Returns `true` if some parsers would read a host with this last label as an IPv4 address.
    private static func isNumeric(_ label: Substring) -> Bool {
        label.utf8.allSatisfy(\.isASCIIDigit)
            || (label.hasPrefix("0x")
                && label.utf8.dropFirst(2).allSatisfy { $0.hexDigitValue != nil })
    }
}

/// An IPv6 address. It is compared by value, and written as RFC 5952 §4 requires, but never with an
/// IPv4 part (§5).
struct IPv6Address: Hashable, CustomStringConvertible {
    private var groups: [UInt16]

    init?(_ text: Substring) {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        // "::" may occur once; a third colon leaves an empty group, which does not parse.
        guard (1...2).contains(halves.count), !text.isEmpty else { return nil }
        guard let head = Self.parseGroups(halves[0], mayEndInIPv4: halves.count == 1) else {
            return nil
        }
        guard halves.count == 2 else {
            guard head.count == 8 else { return nil }
            self.groups = head
            return
        }
        guard let tail = Self.parseGroups(halves[1], mayEndInIPv4: true),
            head.count + tail.count < 8
        else { return nil }
        self.groups = head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func parseGroups(_ text: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
        if text.isEmpty { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, part.contains(".") {
                let bytes = part.split(separator: ".", omittingEmptySubsequences: false)
                let numbers = bytes.filter { HTTPOrigin.isDecimalByte($0.utf8) }.compactMap {
                    UInt16($0)
                }
                guard bytes.count == 4, numbers.count == 4 else { return nil }
                groups.append(numbers[0] << 8 | numbers[1])
                groups.append(numbers[2] << 8 | numbers[3])
                continue
            }
            guard (1...4).contains(part.utf8.count),
                part.utf8.allSatisfy({ $0.hexDigitValue != nil }),
                let group = UInt16(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups
    }

    var description: String {
        // The longest run of at least two zero groups becomes "::", the first one if several are
        // equal.
        var best = 0..<0
        var index = 0
        while index < groups.count {
            guard groups[index] == 0 else { index += 1; continue }
            let start = index
            while index < groups.count, groups[index] == 0 { index += 1 }
            if index - start > max(best.count, 1) { best = start..<index }
        }
        func write(_ range: Range<Int>) -> String {
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !best.isEmpty else { return write(0..<groups.count) }
        return write(0..<best.lowerBound) + "::" + write(best.upperBound..<groups.count)
    }
}
