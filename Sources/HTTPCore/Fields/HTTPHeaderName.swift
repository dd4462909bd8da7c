/// The name of a header or trailer field (RFC 9110 §5.1). Comparison ignores case; the spelling is
/// sent as it is.
///
/// Any text can be written as a name, because a literal cannot fail. ``HTTPHeaders`` refuses a name
/// that is not a token, so such a name is never sent.
public struct HTTPHeaderName: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it is sent over HTTP/1.1. HTTP/2 and HTTP/3 send it in lower case.
    public let spelling: String
    let fold: FieldNameFold
    /// `true` if the spelling is a token (RFC 9110 §5.6.2). Only a token can be sent.
    public let isToken: Bool

    public init(_ spelling: String) {
        self.spelling = spelling
        (fold, isToken) = spelling.withBytes { bytes in
            (FieldNameFold(bytes), !bytes.isEmpty && bytes.tokenPrefix == bytes.count)
        }
    }

    /// Creates the name of a field that is in a section, and so was checked before.
    init(proven spelling: String, fold: FieldNameFold) {
        self.spelling = spelling
        self.fold = fold
        isToken = true
    }

    public init(stringLiteral value: String) { self.init(value) }

    public var description: String { spelling }
}

extension HTTPHeaderName: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        a.fold == b.fold
            && a.spelling.withBytes { x in
                b.spelling.withBytes { y in x.equalsIgnoringCase(y) }
            }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(fold.value) }
}

/// A hash of a name that ignores ASCII case, so that a lookup compares spellings only on a match.
///
/// It affects speed, never equality. It clears the bit that distinguishes the case of letters in
/// eight bytes at a time, even in bytes that are not letters.
struct FieldNameFold: Equatable, Sendable {
    let value: UInt32

    init(_ bytes: Span<UInt8>) {
        let lowerCase: UInt64 = 0x2020_2020_2020_2020
        var hash = UInt64(truncatingIfNeeded: bytes.count)
        var index = 0
        while index &+ 8 <= bytes.count {
            hash.combine(bytes.word(at: index) | lowerCase)
            index &+= 8
        }
        if index < bytes.count {
            var rest: UInt64 = 0
            while index < bytes.count {
                rest = rest << 8 | UInt64(bytes[index])
                index &+= 1
            }
            hash.combine(rest | lowerCase)
        }
        value = UInt32(truncatingIfNeeded: hash >> 32)
    }
}

extension UInt64 {
    fileprivate mutating func combine(_ word: UInt64) {
        self = (self ^ word) &* 0x9E37_79B9_7F4A_7C15
        self ^= self >> 32
    }
}

extension String {
    /// Calls `body` with the bytes of the text in UTF-8. Copies them only if they are not
    /// contiguous.
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        unsafe utf8.withContiguousStorageIfAvailable { unsafe body(Span(_unsafeElements: $0)) }
            ?? body(Array(utf8).span)
    }
}

// The names that programs use most. Any other name is written as a literal.
extension HTTPHeaderName {
    public static let accept: Self = "Accept"
    public static let acceptEncoding: Self = "Accept-Encoding"
    public static let acceptLanguage: Self = "Accept-Language"
    public static let acceptRanges: Self = "Accept-Ranges"
    public static let age: Self = "Age"
    public static let allow: Self = "Allow"
    public static let authorization: Self = "Authorization"
    public static let cacheControl: Self = "Cache-Control"
    public static let connection: Self = "Connection"
    public static let contentDisposition: Self = "Content-Disposition"
    public static let contentEncoding: Self = "Content-Encoding"
    public static let contentLanguage: Self = "Content-Language"
    public static let contentLength: Self = "Content-Length"
    public static let contentLocation: Self = "Content-Location"
    public static let contentRange: Self = "Content-Range"
    public static let contentType: Self = "Content-Type"
    public static let cookie: Self = "Cookie"
    public static let date: Self = "Date"
    public static let eTag: Self = "ETag"
    public static let expect: Self = "Expect"
    public static let expires: Self = "Expires"
    public static let host: Self = "Host"
    public static let ifMatch: Self = "If-Match"
    public static let ifModifiedSince: Self = "If-Modified-Since"
    public static let ifNoneMatch: Self = "If-None-Match"
    public static let ifRange: Self = "If-Range"
    public static let ifUnmodifiedSince: Self = "If-Unmodified-Since"
    public static let keepAlive: Self = "Keep-Alive"
    public static let lastEventID: Self = "Last-Event-ID"
    public static let lastModified: Self = "Last-Modified"
    public static let link: Self = "Link"
    public static let location: Self = "Location"
    public static let origin: Self = "Origin"
    public static let priority: Self = "Priority"
    public static let proxyAuthenticate: Self = "Proxy-Authenticate"
    public static let proxyAuthorization: Self = "Proxy-Authorization"
    public static let range: Self = "Range"
    public static let referer: Self = "Referer"
    public static let retryAfter: Self = "Retry-After"
    public static let server: Self = "Server"
    public static let setCookie: Self = "Set-Cookie"
    public static let te: Self = "TE"
    public static let traceparent: Self = "Traceparent"
    public static let tracestate: Self = "Tracestate"
    public static let trailer: Self = "Trailer"
    public static let transferEncoding: Self = "Transfer-Encoding"
    public static let upgrade: Self = "Upgrade"
    public static let userAgent: Self = "User-Agent"
    public static let vary: Self = "Vary"
    public static let via: Self = "Via"
    public static let wwwAuthenticate: Self = "WWW-Authenticate"
}

// Names that only the typed fields use.
extension HTTPHeaderName {
    package static let acceptCharset: Self = "Accept-Charset"
    package static let acceptPatch: Self = "Accept-Patch"
    package static let acceptPost: Self = "Accept-Post"
    package static let altSvc: Self = "Alt-Svc"
    package static let authenticationInfo: Self = "Authentication-Info"
    package static let contentDigest: Self = "Content-Digest"
    package static let proxyAuthenticationInfo: Self = "Proxy-Authentication-Info"
    package static let reprDigest: Self = "Repr-Digest"
    package static let wantContentDigest: Self = "Want-Content-Digest"
    package static let wantReprDigest: Self = "Want-Repr-Digest"
    package static let serverTiming: Self = "Server-Timing"
    package static let strictTransportSecurity: Self = "Strict-Transport-Security"
    package static let deprecation: Self = "Deprecation"
    package static let sunset: Self = "Sunset"
}
