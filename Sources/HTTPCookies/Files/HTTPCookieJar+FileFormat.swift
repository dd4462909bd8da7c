import HTTPCore

extension HTTPCookieJar {
    /// The format of a cookie file.
    public enum FileFormat: Hashable, Sendable {
        /// The format of curl, wget and many other programs.
        ///
        /// It has no `SameSite` attribute and no dates except that of expiry. A cookie with a tab
        /// cannot be written, and stays in memory only.
        case netscape
        /// A format of this package, which keeps everything.
        case json
    }

    /// A part of a cookie file that was skipped, or a cookie that could not be written. It contains
    /// no value. See ``HTTPCookieJar/flaws``.
    public struct FileFlaw: Hashable, Sendable, CustomStringConvertible {
        /// The number of the line, or of the cookie in a JSON file, from 1; `nil` for a cookie that
        /// could not be written.
        public let line: Int?
        /// The reason, as a clause.
        public let reason: String

        init(line: Int?, reason: String) {
            self.line = line
            self.reason = reason
        }

        public var description: String {
            (line.map { "line \($0): \(reason)" } ?? reason).escapingControls()
        }
    }
}

extension HTTPCookieJar.FileFormat {
    /// - Throws: `cookiesNotRead` if the bytes are no cookie file at all.
    func cookies(
        in bytes: [UInt8], suffixes: PublicSuffixList = .current
    ) throws(HTTPError) -> (cookies: [HTTPCookieJar.Cookie], flaws: [HTTPCookieJar.FileFlaw]) {
        switch self {
        case .netscape: try NetscapeCookies.cookies(in: bytes, suffixes: suffixes)
        case .json: try JSONCookies.cookies(in: bytes, suffixes: suffixes)
        }
    }

    func bytes(of cookies: [HTTPCookieJar.Cookie]) throws(HTTPError) -> [UInt8] {
        switch self {
        case .netscape: NetscapeCookies.bytes(of: cookies)
        case .json: try JSONCookies.bytes(of: cookies)
        }
    }

    /// Returns the reason why the format cannot express a cookie, or `nil` if it can.
    func flaw(of cookie: HTTPCookieJar.Cookie) -> String? {
        self == .netscape ? NetscapeCookies.flaw(of: cookie) : nil
    }
}
