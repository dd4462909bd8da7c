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

    /// Creates a name from its spelling, which is kept. Names are compared without case. A name
    /// that is not a token (RFC 9110 §5.1) makes setting the field throw.
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

    /// The spelling, escaped as by `escapingControls()`.
    public var description: String { spelling.escapingControls() }
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
    /// `Accept`: the media types that the client takes (RFC 9110 §12.5.1).
    public static let accept: Self = "Accept"
    /// `Accept-Encoding`: the content codings that the client can decode (RFC 9110 §12.5.3).
    public static let acceptEncoding: Self = "Accept-Encoding"
    /// `Accept-Language`: the languages that the client prefers (RFC 9110 §12.5.4).
    public static let acceptLanguage: Self = "Accept-Language"
    /// `Accept-Ranges`: the range units that the server supports (RFC 9110 §14.3).
    public static let acceptRanges: Self = "Accept-Ranges"
    /// `Age`: the seconds since the origin server made or confirmed a stored response (RFC 9111
    /// §5.1).
    public static let age: Self = "Age"
    /// `Allow`: the methods that the resource supports (RFC 9110 §10.2.1).
    public static let allow: Self = "Allow"
    /// `Authorization`: the credentials for the server; sensitive (RFC 9110 §11.6.2).
    public static let authorization: Self = "Authorization"
    /// `Cache-Control`: directives for caches (RFC 9111 §5.2).
    public static let cacheControl: Self = "Cache-Control"
    /// `Connection`: options of this connection only (RFC 9110 §7.6.1).
    public static let connection: Self = "Connection"
    /// `Content-Disposition`: how to handle the content, such as its file name (RFC 6266 §4).
    public static let contentDisposition: Self = "Content-Disposition"
    /// `Content-Encoding`: the codings that were applied to the content (RFC 9110 §8.4).
    public static let contentEncoding: Self = "Content-Encoding"
    /// `Content-Language`: the languages of the audience (RFC 9110 §8.5).
    public static let contentLanguage: Self = "Content-Language"
    /// `Content-Length`: the length of the content in bytes (RFC 9110 §8.6).
    public static let contentLength: Self = "Content-Length"
    /// `Content-Location`: the URL of the enclosed representation (RFC 9110 §8.7).
    public static let contentLocation: Self = "Content-Location"
    /// `Content-Range`: the part of a representation that is enclosed (RFC 9110 §14.4).
    public static let contentRange: Self = "Content-Range"
    /// `Content-Type`: the media type of the content (RFC 9110 §8.3).
    public static let contentType: Self = "Content-Type"
    /// `Cookie`: the cookies for the server; sensitive (RFC 6265 §4.2).
    public static let cookie: Self = "Cookie"
    /// `Date`: the date when the message was made (RFC 9110 §6.6.1).
    public static let date: Self = "Date"
    /// `ETag`: the entity tag of the representation (RFC 9110 §8.8.3).
    public static let eTag: Self = "ETag"
    /// `Expect`: what the server must support, such as `100-continue` (RFC 9110 §10.1.1).
    public static let expect: Self = "Expect"
    /// `Expires`: the date after which the response is stale (RFC 9111 §5.3).
    public static let expires: Self = "Expires"
    /// `Host`: the host and port of the target (RFC 9110 §7.2).
    public static let host: Self = "Host"
    /// `If-Match`: act only if one of these entity tags is current (RFC 9110 §13.1.1).
    public static let ifMatch: Self = "If-Match"
    /// `If-Modified-Since`: act only if there is a later version (RFC 9110 §13.1.3).
    public static let ifModifiedSince: Self = "If-Modified-Since"
    /// `If-None-Match`: act only if none of these entity tags is current (RFC 9110 §13.1.2).
    public static let ifNoneMatch: Self = "If-None-Match"
    /// `If-Range`: send a part only if the representation is unchanged (RFC 9110 §13.1.5).
    public static let ifRange: Self = "If-Range"
    /// `If-Unmodified-Since`: act only if there is no later version (RFC 9110 §13.1.4).
    public static let ifUnmodifiedSince: Self = "If-Unmodified-Since"
    /// `Keep-Alive`: how long the server keeps the connection (RFC 2068 §19.7.1.1).
    public static let keepAlive: Self = "Keep-Alive"
    /// `Last-Event-ID`: the last event that the client has seen (HTML Standard §9.2).
    public static let lastEventID: Self = "Last-Event-ID"
    /// `Last-Modified`: the date of the last change (RFC 9110 §8.8.2).
    public static let lastModified: Self = "Last-Modified"
    /// `Link`: links to other resources (RFC 8288 §3).
    public static let link: Self = "Link"
    /// `Location`: the target of a redirect, or a new resource (RFC 9110 §10.2.2).
    public static let location: Self = "Location"
    /// `Origin`: the origin that caused a request of a browser (RFC 6454 §7).
    public static let origin: Self = "Origin"
    /// `Priority`: the urgency of the request (RFC 9218 §5).
    public static let priority: Self = "Priority"
    /// `Proxy-Authenticate`: the challenges of a proxy (RFC 9110 §11.7.1).
    public static let proxyAuthenticate: Self = "Proxy-Authenticate"
    /// `Proxy-Authorization`: the credentials for a proxy; sensitive (RFC 9110 §11.7.2).
    public static let proxyAuthorization: Self = "Proxy-Authorization"
    /// `Range`: the parts of the representation that the client asks for (RFC 9110 §14.2).
    public static let range: Self = "Range"
    /// `Referer`: the page that led to the request (RFC 9110 §10.1.3).
    public static let referer: Self = "Referer"
    /// `Retry-After`: how long to wait before another request (RFC 9110 §10.2.3).
    public static let retryAfter: Self = "Retry-After"
    /// `Server`: the software of the server (RFC 9110 §10.2.4).
    public static let server: Self = "Server"
    /// `Set-Cookie`: a cookie to store; sensitive (RFC 6265 §4.1).
    public static let setCookie: Self = "Set-Cookie"
    /// `TE`: the transfer codings and trailers that the client takes (RFC 9110 §10.1.4).
    public static let te: Self = "TE"
    /// `Traceparent`: the position of the request in a trace (W3C Trace Context §3.2).
    public static let traceparent: Self = "Traceparent"
    /// `Tracestate`: what tracing systems add to a trace (W3C Trace Context §3.3).
    public static let tracestate: Self = "Tracestate"
    /// `Trailer`: the names of the fields in the trailer section (RFC 9110 §6.6.2).
    public static let trailer: Self = "Trailer"
    /// `Transfer-Encoding`: the codings that frame the content (RFC 9112 §6.1).
    public static let transferEncoding: Self = "Transfer-Encoding"
    /// `Upgrade`: the protocols to change to (RFC 9110 §7.8).
    public static let upgrade: Self = "Upgrade"
    /// `User-Agent`: the software of the client (RFC 9110 §10.1.5).
    public static let userAgent: Self = "User-Agent"
    /// `Vary`: the fields of the request that selected the response (RFC 9110 §12.5.5).
    public static let vary: Self = "Vary"
    /// `Via`: the proxies on the way (RFC 9110 §7.6.3).
    public static let via: Self = "Via"
    /// `WWW-Authenticate`: the challenges of the server (RFC 9110 §11.6.1).
    public static let wwwAuthenticate: Self = "WWW-Authenticate"
}

// Names that only this package uses.
extension HTTPHeaderName {
    package static let altSvc: Self = "Alt-Svc"
    package static let authenticationInfo: Self = "Authentication-Info"
    package static let contentDigest: Self = "Content-Digest"
    package static let proxyAuthenticationInfo: Self = "Proxy-Authentication-Info"
    package static let rateLimit: Self = "RateLimit"
    package static let rateLimitPolicy: Self = "RateLimit-Policy"
    package static let reprDigest: Self = "Repr-Digest"
    package static let wantContentDigest: Self = "Want-Content-Digest"
    package static let wantReprDigest: Self = "Want-Repr-Digest"
    package static let serverTiming: Self = "Server-Timing"
    package static let strictTransportSecurity: Self = "Strict-Transport-Security"
}
