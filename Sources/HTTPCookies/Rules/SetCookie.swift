import HTTPCore

/// The value of a `Set-Cookie` field, parsed (RFC 6265bis §5.6). A value is not yet a cookie: its
/// attributes depend on the URL that sent it and on the time. See ``CookieStore``.
struct SetCookie: Hashable, Sendable {
    static let mostBytes = 4_096
    static let mostAttributeBytes = 1_024

    var name: [UInt8]
    var value: [UInt8]
    /// The `Domain` attribute in lower case, without one leading dot; `nil` if it is missing or
    /// empty.
    var domain: [UInt8]?
    /// The `Path` attribute; `nil` if it is missing or does not begin with a slash.
    var path: [UInt8]?
    /// The seconds of the `Max-Age` attribute, which has priority over ``expires``.
    var maxAge: Int?
    var expires: CookieDate?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite: HTTPCookieJar.Cookie.SameSite?

    /// Parses a field value. The last attribute of a name counts.
    ///
    /// - Throws: The reason to ignore the cookie.
    init(_ bytes: Span<UInt8>) throws(HTTPCookieJar.Refusal.Reason) {
        try self.init(bytes: unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) })
    }

    /// Parses a field value, as ``init(_:)`` does.
    init(bytes: [UInt8]) throws(HTTPCookieJar.Refusal.Reason) {
        guard !bytes.contains(where: Self.isControl) else { throw .controlCharacter }
        var parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        let pair = parts.popFirst() ?? []
        if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
            name = Array(pair[..<equals].trimmedOfBlanks)
            value = Array(pair[(equals + 1)...].trimmedOfBlanks)
        } else {
            name = []
            value = Array(pair.trimmedOfBlanks)
        }
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        guard name.count + value.count <= Self.mostBytes else { throw .tooLong }
        for part in parts { read(attribute: part) }
    }

    /// Returns `true` for a control character other than tab.
    static func isControl(_ byte: UInt8) -> Bool { !byte.isFieldValueCharacter }

    private mutating func read(attribute: ArraySlice<UInt8>) {
        let equals = attribute.firstIndex(of: UInt8(ascii: "="))
        let name = attribute[..<(equals ?? attribute.endIndex)].trimmedOfBlanks
        let value = equals.map { attribute[($0 + 1)...].trimmedOfBlanks } ?? []
        guard value.count <= Self.mostAttributeBytes, let known = Attribute(name) else { return }
        switch known {
        case .expires: expires = CookieDate(value) ?? expires
        case .maxAge: maxAge = Self.seconds(value) ?? maxAge
        case .domain:
            let name = value.first == UInt8(ascii: ".") ? value.dropFirst() : value
            domain = name.isEmpty ? nil : name.map(\.asciiLowercased)
        case .path: path = value.first == UInt8(ascii: "/") ? Array(value) : nil
        case .secure: isSecure = true
        case .httpOnly: isHTTPOnly = true
        case .sameSite: sameSite = .init(value)
        }
    }

    /// Reads a number of seconds, which may be negative. A number that is too large becomes the
    /// largest.
    private static func seconds(_ value: ArraySlice<UInt8>) -> Int? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        var seconds = 0
        for digit in digits {
            let (tens, isTooLarge) = seconds.multipliedReportingOverflow(by: 10)
            let (sum, isAlsoTooLarge) = tens.addingReportingOverflow(
                Int(digit - UInt8(ascii: "0")))
            guard !isTooLarge, !isAlsoTooLarge else { return isNegative ? -.max : .max }
            seconds = sum
        }
        return isNegative ? -seconds : seconds
    }

    private enum Attribute: String, CaseIterable {
        case expires, domain, path, secure
        case maxAge = "max-age"
        case httpOnly = "httponly"
        case sameSite = "samesite"

        init?(_ name: ArraySlice<UInt8>) {
            let found = Self.allCases.first {
                $0.rawValue.utf8.elementsEqual(name.lazy.map(\.asciiLowercased))
            }
            guard let found else { return nil }
            self = found
        }
    }
}

extension HTTPCookieJar.Cookie.SameSite {
    fileprivate init?(_ value: ArraySlice<UInt8>) {
        self.init(rawValue: String(decoding: value.map(\.asciiLowercased), as: UTF8.self))
    }
}
