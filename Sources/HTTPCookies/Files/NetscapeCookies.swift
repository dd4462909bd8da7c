import HTTPCore
import HTTPFormats
import PortableFoundation

/// The Netscape format of cookie files, as curl reads and writes it: one line per cookie with seven
/// fields between tabs.
///
/// It has no `SameSite` attribute, no dates of creation and access, and whole seconds. A line that
/// is not understood is reported and skipped. Lines with `Set-Cookie:`, which curl reads, too, have
/// no host, and are not understood.
enum NetscapeCookies {
    typealias Cookie = HTTPCookieJar.Cookie
    typealias FileFlaw = HTTPCookieJar.FileFlaw

    private static let httpOnlyMark = Array("#HttpOnly_".utf8)
    /// The mark of UTF-8, with which some editors begin a file.
    private static let byteOrderMark = [0xEF, 0xBB, 0xBF] as [UInt8]
    private static let head = """
        # Netscape HTTP Cookie File
        # https://curl.se/docs/http-cookies.html
        # Written by swift-http-session. Programs that use this file may replace it at any time.


        """

    // MARK: Writing

    static func bytes(of cookies: [Cookie]) -> [UInt8] {
        var bytes = Array(head.utf8)
        for cookie in cookies {
            if cookie.isHTTPOnly { bytes += httpOnlyMark }
            if !cookie.isHostOnly { bytes.append(UInt8(ascii: ".")) }
            // curl writes an IPv6 address without its brackets.
            bytes += cookie.domain.utf8.filter { !"[]".utf8.contains($0) }
            bytes += "\t\(cookie.isHostOnly ? "FALSE" : "TRUE")\t".utf8
            bytes += cookie.pathBytes
            // 0 would be a session cookie.
            let expires = cookie.expires.map { max(1, HTTPDate($0).secondsSince1970) } ?? 0
            bytes += "\t\(cookie.isSecure ? "TRUE" : "FALSE")\t\(expires)\t".utf8
            bytes += cookie.nameBytes
            bytes.append(UInt8(ascii: "\t"))
            bytes += cookie.valueBytes
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// Returns the reason why the format cannot express a cookie, or `nil` if it can.
    static func flaw(of cookie: Cookie) -> String? {
        let tab = UInt8(ascii: "\t")
        let hasTab =
            cookie.nameBytes.contains(tab) || cookie.valueBytes.contains(tab)
            || cookie.pathBytes.contains(tab)
        return hasTab ? "it contains a tab, which separates the fields of the Netscape format" : nil
    }

    // MARK: Reading

    /// Returns the cookies of a file, and the lines that are none.
    ///
    /// - Throws: `cookiesNotRead` if the file has contents, but no line of it is a cookie, and it
    ///   does not begin as a cookie file does.
    static func cookies(
        in bytes: [UInt8], suffixes: PublicSuffixList
    ) throws(HTTPError) -> (cookies: [Cookie], flaws: [FileFlaw]) {
        var cookies: [Cookie] = []
        var flaws: [FileFlaw] = []
        var hosts = Cookie.Hosts(suffixes: suffixes)
        let bytes = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            do throws(Cookie.Flaw) {
                if let cookie = try cookie(line, in: &hosts) { cookies.append(cookie) }
            } catch {
                flaws.append(FileFlaw(line: index + 1, reason: error.reason))
            }
        }
        if cookies.isEmpty, !flaws.isEmpty, !isCookieFile(bytes) {
            throw HTTPError(.cookiesNotRead, "the file is not a cookie file in Netscape format")
        }
        return (cookies, flaws)
    }

    private static func isCookieFile(_ bytes: ArraySlice<UInt8>) -> Bool {
        ["# Netscape HTTP Cookie File", "# HTTP Cookie File"].contains {
            bytes.starts(with: $0.utf8)
        }
    }

    /// Returns the cookie of a line, or `nil` if the line is empty or a comment.
    private static func cookie(
        _ line: ArraySlice<UInt8>, in hosts: inout Cookie.Hosts
    ) throws(Cookie.Flaw) -> Cookie? {
        let isHTTPOnly = line.starts(with: httpOnlyMark)
        let line = isHTTPOnly ? line.dropFirst(httpOnlyMark.count) : line
        guard let first = line.first, first != UInt8(ascii: "#"), !line.allSatisfy(\.isBlank)
        else { return nil }
        var fields = line.split(
            separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false
        ).map(Array.init)
        // Some programs leave the path out.
        if fields.count > 2, flag(fields[2]) != nil { fields.insert(Array("/".utf8), at: 2) }
        // The value may be missing if it is empty.
        if fields.count == 6 { fields.append([]) }
        guard fields.count == 7 else {
            throw Cookie.Flaw(reason: "it does not have seven fields between tabs")
        }
        guard let isShared = flag(fields[1]), let isSecure = flag(fields[3]) else {
            throw Cookie.Flaw(reason: "its second or its fourth field is not TRUE or FALSE")
        }
        guard let domain = String(validating: fields[0], as: UTF8.self) else {
            throw Cookie.Flaw(reason: "its domain is not in UTF-8")
        }
        return try Cookie(
            checking: Cookie.Parts(
                name: fields[5], value: fields[6], domain: domain, path: path(fields[2]),
                isHostOnly: !isShared || isSingleLabel(domain), isSecure: isSecure,
                isHTTPOnly: isHTTPOnly, sameSite: nil, expires: try expires(fields[4]),
                mayHaveDefaultPath: true),
            in: &hosts)
    }

    /// Returns `true` for a host such as `localhost`. Some programs write that its cookie is
    /// shared, although there is nothing to share it with.
    private static func isSingleLabel(_ domain: String) -> Bool {
        let name = domain.hasPrefix(".") ? domain.dropFirst() : domain[...]
        return !name.utf8.contains(UInt8(ascii: "."))
    }

    private static func flag(_ field: [UInt8]) -> Bool? {
        switch String(decoding: field, as: UTF8.self).uppercased() {
        case "TRUE": true
        case "FALSE": false
        default: nil
        }
    }

    /// Returns the path. Like curl, reads one in quotes, and takes `/` for one without a slash.
    private static func path(_ field: [UInt8]) -> [UInt8] {
        var path = field[...]
        if path.first == UInt8(ascii: "\"") {
            path = path.dropFirst()
            if path.last == UInt8(ascii: "\"") { path = path.dropLast() }
        }
        return path.first == UInt8(ascii: "/") ? Array(path) : Array("/".utf8)
    }

    /// Returns the date, or `nil` for a session cookie: 0, or nothing, as Python writes it. Like
    /// curl, ignores what follows the digits. A negative date has passed.
    private static func expires(_ field: [UInt8]) throws(Cookie.Flaw) -> Date? {
        let isNegative = field.first == UInt8(ascii: "-")
        let digits = field.dropFirst(isNegative ? 1 : 0).prefix(while: \.isASCIIDigit)
        guard !digits.isEmpty || field.isEmpty else {
            throw Cookie.Flaw(reason: "its date is not a number of seconds")
        }
        let seconds = digits.reduce(0.0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
        // Far enough for any cookie, and safe to convert to an integer.
        let limited = min(seconds, 253_402_300_799)
        return seconds == 0 ? nil : Date(timeIntervalSince1970: isNegative ? -limited : limited)
    }
}
