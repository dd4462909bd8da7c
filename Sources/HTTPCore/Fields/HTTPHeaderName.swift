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

// The registered permanent names (IANA HTTP Field Name Registry), and `Accept-Charset`, which is
// deprecated now.
extension HTTPHeaderName {
    public static let aIM: Self = "A-IM"
    public static let accept: Self = "Accept"
    public static let acceptAdditions: Self = "Accept-Additions"
    public static let acceptCH: Self = "Accept-CH"
    public static let acceptCharset: Self = "Accept-Charset"
    public static let acceptDatetime: Self = "Accept-Datetime"
    public static let acceptEncoding: Self = "Accept-Encoding"
    public static let acceptFeatures: Self = "Accept-Features"
    public static let acceptLanguage: Self = "Accept-Language"
    public static let acceptPatch: Self = "Accept-Patch"
    public static let acceptPost: Self = "Accept-Post"
    public static let acceptQuery: Self = "Accept-Query"
    public static let acceptRanges: Self = "Accept-Ranges"
    public static let acceptSignature: Self = "Accept-Signature"
    public static let accessControlAllowCredentials: Self = "Access-Control-Allow-Credentials"
    public static let accessControlAllowHeaders: Self = "Access-Control-Allow-Headers"
    public static let accessControlAllowMethods: Self = "Access-Control-Allow-Methods"
    public static let accessControlAllowOrigin: Self = "Access-Control-Allow-Origin"
    public static let accessControlExposeHeaders: Self = "Access-Control-Expose-Headers"
    public static let accessControlMaxAge: Self = "Access-Control-Max-Age"
    public static let accessControlRequestHeaders: Self = "Access-Control-Request-Headers"
    public static let accessControlRequestMethod: Self = "Access-Control-Request-Method"
    public static let age: Self = "Age"
    public static let allow: Self = "Allow"
    public static let alpn: Self = "ALPN"
    public static let altSvc: Self = "Alt-Svc"
    public static let altUsed: Self = "Alt-Used"
    public static let alternates: Self = "Alternates"
    public static let applyToRedirectRef: Self = "Apply-To-Redirect-Ref"
    public static let authenticationControl: Self = "Authentication-Control"
    public static let authenticationInfo: Self = "Authentication-Info"
    public static let authorization: Self = "Authorization"
    public static let availableDictionary: Self = "Available-Dictionary"
    public static let cacheControl: Self = "Cache-Control"
    public static let cacheGroupInvalidation: Self = "Cache-Group-Invalidation"
    public static let cacheGroups: Self = "Cache-Groups"
    public static let cacheStatus: Self = "Cache-Status"
    public static let calManagedID: Self = "Cal-Managed-ID"
    public static let calDAVTimezones: Self = "CalDAV-Timezones"
    public static let capsuleProtocol: Self = "Capsule-Protocol"
    public static let cdnCacheControl: Self = "CDN-Cache-Control"
    public static let cdnLoop: Self = "CDN-Loop"
    public static let certNotAfter: Self = "Cert-Not-After"
    public static let certNotBefore: Self = "Cert-Not-Before"
    public static let clearSiteData: Self = "Clear-Site-Data"
    public static let clientCert: Self = "Client-Cert"
    public static let clientCertChain: Self = "Client-Cert-Chain"
    public static let close: Self = "Close"
    public static let concealedAuthExport: Self = "Concealed-Auth-Export"
    public static let connection: Self = "Connection"
    public static let contentDigest: Self = "Content-Digest"
    public static let contentDisposition: Self = "Content-Disposition"
    public static let contentEncoding: Self = "Content-Encoding"
    public static let contentLanguage: Self = "Content-Language"
    public static let contentLength: Self = "Content-Length"
    public static let contentLocation: Self = "Content-Location"
    public static let contentRange: Self = "Content-Range"
    public static let contentSecurityPolicy: Self = "Content-Security-Policy"
    public static let contentSecurityPolicyReportOnly: Self = "Content-Security-Policy-Report-Only"
    public static let contentType: Self = "Content-Type"
    public static let cookie: Self = "Cookie"
    public static let crossOriginEmbedderPolicy: Self = "Cross-Origin-Embedder-Policy"
    public static let crossOriginEmbedderPolicyReportOnly: Self =
        "Cross-Origin-Embedder-Policy-Report-Only"
    public static let crossOriginOpenerPolicy: Self = "Cross-Origin-Opener-Policy"
    public static let crossOriginOpenerPolicyReportOnly: Self =
        "Cross-Origin-Opener-Policy-Report-Only"
    public static let crossOriginResourcePolicy: Self = "Cross-Origin-Resource-Policy"
    public static let dasl: Self = "DASL"
    public static let date: Self = "Date"
    public static let dav: Self = "DAV"
    public static let deltaBase: Self = "Delta-Base"
    public static let deprecation: Self = "Deprecation"
    public static let depth: Self = "Depth"
    public static let destination: Self = "Destination"
    public static let detachedJWS: Self = "Detached-JWS"
    public static let dictionaryID: Self = "Dictionary-ID"
    public static let dpop: Self = "DPoP"
    public static let dpopNonce: Self = "DPoP-Nonce"
    public static let earlyData: Self = "Early-Data"
    public static let entityTag: Self = "ETag"
    public static let expect: Self = "Expect"
    public static let expires: Self = "Expires"
    public static let forwarded: Self = "Forwarded"
    public static let from: Self = "From"
    public static let hobareg: Self = "Hobareg"
    public static let host: Self = "Host"
    public static let `if`: Self = "If"
    public static let ifMatch: Self = "If-Match"
    public static let ifModifiedSince: Self = "If-Modified-Since"
    public static let ifNoneMatch: Self = "If-None-Match"
    public static let ifRange: Self = "If-Range"
    public static let ifScheduleTagMatch: Self = "If-Schedule-Tag-Match"
    public static let ifUnmodifiedSince: Self = "If-Unmodified-Since"
    public static let im: Self = "IM"
    public static let includeReferredTokenBindingID: Self = "Include-Referred-Token-Binding-ID"
    public static let keepAlive: Self = "Keep-Alive"
    public static let label: Self = "Label"
    public static let lastEventID: Self = "Last-Event-ID"
    public static let lastModified: Self = "Last-Modified"
    public static let link: Self = "Link"
    public static let linkTemplate: Self = "Link-Template"
    public static let location: Self = "Location"
    public static let lockToken: Self = "Lock-Token"
    public static let maxForwards: Self = "Max-Forwards"
    public static let mementoDatetime: Self = "Memento-Datetime"
    public static let meter: Self = "Meter"
    public static let mimeVersion: Self = "MIME-Version"
    public static let negotiate: Self = "Negotiate"
    public static let nel: Self = "NEL"
    public static let odataEntityID: Self = "OData-EntityId"
    public static let odataIsolation: Self = "OData-Isolation"
    public static let odataMaxVersion: Self = "OData-MaxVersion"
    public static let odataVersion: Self = "OData-Version"
    public static let optionalWWWAuthenticate: Self = "Optional-WWW-Authenticate"
    public static let orderingType: Self = "Ordering-Type"
    public static let origin: Self = "Origin"
    public static let originAgentCluster: Self = "Origin-Agent-Cluster"
    public static let oscore: Self = "OSCORE"
    public static let oslcCoreVersion: Self = "OSLC-Core-Version"
    public static let overwrite: Self = "Overwrite"
    public static let pingFrom: Self = "Ping-From"
    public static let pingTo: Self = "Ping-To"
    public static let position: Self = "Position"
    public static let prefer: Self = "Prefer"
    public static let preferenceApplied: Self = "Preference-Applied"
    public static let priority: Self = "Priority"
    public static let proxyAuthenticate: Self = "Proxy-Authenticate"
    public static let proxyAuthenticationInfo: Self = "Proxy-Authentication-Info"
    public static let proxyAuthorization: Self = "Proxy-Authorization"
    public static let proxyStatus: Self = "Proxy-Status"
    public static let publicKeyPins: Self = "Public-Key-Pins"
    public static let publicKeyPinsReportOnly: Self = "Public-Key-Pins-Report-Only"
    public static let range: Self = "Range"
    public static let redirectRef: Self = "Redirect-Ref"
    public static let referer: Self = "Referer"
    public static let referrerPolicy: Self = "Referrer-Policy"
    public static let refresh: Self = "Refresh"
    public static let replayNonce: Self = "Replay-Nonce"
    public static let reprDigest: Self = "Repr-Digest"
    public static let retryAfter: Self = "Retry-After"
    public static let scheduleReply: Self = "Schedule-Reply"
    public static let scheduleTag: Self = "Schedule-Tag"
    public static let secFetchDest: Self = "Sec-Fetch-Dest"
    public static let secFetchMode: Self = "Sec-Fetch-Mode"
    public static let secFetchSite: Self = "Sec-Fetch-Site"
    public static let secFetchUser: Self = "Sec-Fetch-User"
    public static let secPurpose: Self = "Sec-Purpose"
    public static let secTokenBinding: Self = "Sec-Token-Binding"
    public static let secWebSocketAccept: Self = "Sec-WebSocket-Accept"
    public static let secWebSocketExtensions: Self = "Sec-WebSocket-Extensions"
    public static let secWebSocketKey: Self = "Sec-WebSocket-Key"
    public static let secWebSocketProtocol: Self = "Sec-WebSocket-Protocol"
    public static let secWebSocketVersion: Self = "Sec-WebSocket-Version"
    public static let server: Self = "Server"
    public static let serverTiming: Self = "Server-Timing"
    public static let setCookie: Self = "Set-Cookie"
    public static let setTxn: Self = "Set-Txn"
    public static let signature: Self = "Signature"
    public static let signatureInput: Self = "Signature-Input"
    public static let slug: Self = "SLUG"
    public static let soapAction: Self = "SoapAction"
    public static let statusURI: Self = "Status-URI"
    public static let strictTransportSecurity: Self = "Strict-Transport-Security"
    public static let sunset: Self = "Sunset"
    public static let tcn: Self = "TCN"
    public static let te: Self = "TE"
    public static let timeout: Self = "Timeout"
    public static let topic: Self = "Topic"
    public static let traceparent: Self = "Traceparent"
    public static let tracestate: Self = "Tracestate"
    public static let trailer: Self = "Trailer"
    public static let transferEncoding: Self = "Transfer-Encoding"
    public static let ttl: Self = "TTL"
    public static let upgrade: Self = "Upgrade"
    public static let urgency: Self = "Urgency"
    public static let useAsDictionary: Self = "Use-As-Dictionary"
    public static let userAgent: Self = "User-Agent"
    public static let variantVary: Self = "Variant-Vary"
    public static let vary: Self = "Vary"
    public static let via: Self = "Via"
    public static let wantContentDigest: Self = "Want-Content-Digest"
    public static let wantReprDigest: Self = "Want-Repr-Digest"
    public static let wwwAuthenticate: Self = "WWW-Authenticate"
    public static let xContentTypeOptions: Self = "X-Content-Type-Options"
    public static let xFrameOptions: Self = "X-Frame-Options"
}
