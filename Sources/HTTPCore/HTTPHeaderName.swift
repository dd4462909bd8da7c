/// The name of a header or trailer field (RFC 9110 §5.1): equal without regard to case, sent as spelled.
///
/// Any text can be written as a name, since a literal cannot fail; a name that is no token is
/// refused by every door of ``HTTPHeaders``, and so never reaches a wire.
public struct HTTPHeaderName: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// As it goes on an HTTP/1.1 wire. HTTP/2 and HTTP/3 send lower case.
    public let spelling: String
    let fold: FieldNameFold

    public init(_ spelling: String) {
        self.spelling = spelling
        var fold = FieldNameFold()
        for byte in spelling.utf8 { fold.combine(byte) }
        self.fold = fold
    }

    public init(stringLiteral value: StaticString) { self.init("\(value)") }

    public var description: String { spelling }

    /// Whether the spelling is a token (RFC 9110 §5.6.2), the only thing that may be sent.
    public var isToken: Bool { spelling.isToken }
}

extension HTTPHeaderName: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        guard a.fold == b.fold else { return false }
        let (a, b) = (a.spelling.utf8, b.spelling.utf8)
        return a.count == b.count
            && zip(a, b).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(fold.value) }
}

/// A hash of a name that ignores ASCII case, so that a lookup compares spellings only on a match.
///
/// FNV-1a; it decides speed, never equality.
struct FieldNameFold: Equatable, Sendable {
    private(set) var value: UInt32 = 2_166_136_261

    mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt32(byte.asciiLowercased)) &* 16_777_619
    }
}

extension HTTPHeaderName {
    public static var accept: Self { "Accept" }
    public static var acceptCharset: Self { "Accept-Charset" }
    public static var acceptEncoding: Self { "Accept-Encoding" }
    public static var acceptLanguage: Self { "Accept-Language" }
    public static var acceptRanges: Self { "Accept-Ranges" }
    public static var age: Self { "Age" }
    public static var allow: Self { "Allow" }
    public static var authorization: Self { "Authorization" }
    public static var cacheControl: Self { "Cache-Control" }
    public static var connection: Self { "Connection" }
    public static var contentDisposition: Self { "Content-Disposition" }
    public static var contentEncoding: Self { "Content-Encoding" }
    public static var contentLanguage: Self { "Content-Language" }
    public static var contentLength: Self { "Content-Length" }
    public static var contentLocation: Self { "Content-Location" }
    public static var contentRange: Self { "Content-Range" }
    public static var contentType: Self { "Content-Type" }
    public static var cookie: Self { "Cookie" }
    public static var date: Self { "Date" }
    public static var entityTag: Self { "ETag" }
    public static var expect: Self { "Expect" }
    public static var expires: Self { "Expires" }
    public static var from: Self { "From" }
    public static var host: Self { "Host" }
    public static var ifMatch: Self { "If-Match" }
    public static var ifModifiedSince: Self { "If-Modified-Since" }
    public static var ifNoneMatch: Self { "If-None-Match" }
    public static var ifRange: Self { "If-Range" }
    public static var ifUnmodifiedSince: Self { "If-Unmodified-Since" }
    public static var lastModified: Self { "Last-Modified" }
    public static var link: Self { "Link" }
    public static var location: Self { "Location" }
    public static var origin: Self { "Origin" }
    public static var proxyAuthenticate: Self { "Proxy-Authenticate" }
    public static var proxyAuthorization: Self { "Proxy-Authorization" }
    public static var range: Self { "Range" }
    public static var referer: Self { "Referer" }
    public static var retryAfter: Self { "Retry-After" }
    public static var server: Self { "Server" }
    public static var setCookie: Self { "Set-Cookie" }
    public static var te: Self { "TE" }
    public static var trailer: Self { "Trailer" }
    public static var transferEncoding: Self { "Transfer-Encoding" }
    public static var upgrade: Self { "Upgrade" }
    public static var userAgent: Self { "User-Agent" }
    public static var vary: Self { "Vary" }
    public static var via: Self { "Via" }
    public static var wwwAuthenticate: Self { "WWW-Authenticate" }
}
