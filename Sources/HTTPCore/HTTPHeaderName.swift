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

// The registered permanent names (IANA HTTP Field Name Registry), and `Accept-Charset`, deprecated since.
extension HTTPHeaderName {
    public static var aIM: Self { "A-IM" }
    public static var accept: Self { "Accept" }
    public static var acceptAdditions: Self { "Accept-Additions" }
    public static var acceptCH: Self { "Accept-CH" }
    public static var acceptCharset: Self { "Accept-Charset" }
    public static var acceptDatetime: Self { "Accept-Datetime" }
    public static var acceptEncoding: Self { "Accept-Encoding" }
    public static var acceptFeatures: Self { "Accept-Features" }
    public static var acceptLanguage: Self { "Accept-Language" }
    public static var acceptPatch: Self { "Accept-Patch" }
    public static var acceptPost: Self { "Accept-Post" }
    public static var acceptQuery: Self { "Accept-Query" }
    public static var acceptRanges: Self { "Accept-Ranges" }
    public static var acceptSignature: Self { "Accept-Signature" }
    public static var accessControlAllowCredentials: Self { "Access-Control-Allow-Credentials" }
    public static var accessControlAllowHeaders: Self { "Access-Control-Allow-Headers" }
    public static var accessControlAllowMethods: Self { "Access-Control-Allow-Methods" }
    public static var accessControlAllowOrigin: Self { "Access-Control-Allow-Origin" }
    public static var accessControlExposeHeaders: Self { "Access-Control-Expose-Headers" }
    public static var accessControlMaxAge: Self { "Access-Control-Max-Age" }
    public static var accessControlRequestHeaders: Self { "Access-Control-Request-Headers" }
    public static var accessControlRequestMethod: Self { "Access-Control-Request-Method" }
    public static var age: Self { "Age" }
    public static var allow: Self { "Allow" }
    public static var alpn: Self { "ALPN" }
    public static var altSvc: Self { "Alt-Svc" }
    public static var altUsed: Self { "Alt-Used" }
    public static var alternates: Self { "Alternates" }
    public static var applyToRedirectRef: Self { "Apply-To-Redirect-Ref" }
    public static var authenticationControl: Self { "Authentication-Control" }
    public static var authenticationInfo: Self { "Authentication-Info" }
    public static var authorization: Self { "Authorization" }
    public static var availableDictionary: Self { "Available-Dictionary" }
    public static var cacheControl: Self { "Cache-Control" }
    public static var cacheGroupInvalidation: Self { "Cache-Group-Invalidation" }
    public static var cacheGroups: Self { "Cache-Groups" }
    public static var cacheStatus: Self { "Cache-Status" }
    public static var calManagedID: Self { "Cal-Managed-ID" }
    public static var calDAVTimezones: Self { "CalDAV-Timezones" }
    public static var capsuleProtocol: Self { "Capsule-Protocol" }
    public static var cdnCacheControl: Self { "CDN-Cache-Control" }
    public static var cdnLoop: Self { "CDN-Loop" }
    public static var certNotAfter: Self { "Cert-Not-After" }
    public static var certNotBefore: Self { "Cert-Not-Before" }
    public static var clearSiteData: Self { "Clear-Site-Data" }
    public static var clientCert: Self { "Client-Cert" }
    public static var clientCertChain: Self { "Client-Cert-Chain" }
    public static var close: Self { "Close" }
    public static var concealedAuthExport: Self { "Concealed-Auth-Export" }
    public static var connection: Self { "Connection" }
    public static var contentDigest: Self { "Content-Digest" }
    public static var contentDisposition: Self { "Content-Disposition" }
    public static var contentEncoding: Self { "Content-Encoding" }
    public static var contentLanguage: Self { "Content-Language" }
    public static var contentLength: Self { "Content-Length" }
    public static var contentLocation: Self { "Content-Location" }
    public static var contentRange: Self { "Content-Range" }
    public static var contentSecurityPolicy: Self { "Content-Security-Policy" }
    public static var contentSecurityPolicyReportOnly: Self {
        "Content-Security-Policy-Report-Only"
    }
    public static var contentType: Self { "Content-Type" }
    public static var cookie: Self { "Cookie" }
    public static var crossOriginEmbedderPolicy: Self { "Cross-Origin-Embedder-Policy" }
    public static var crossOriginEmbedderPolicyReportOnly: Self {
        "Cross-Origin-Embedder-Policy-Report-Only"
    }
    public static var crossOriginOpenerPolicy: Self { "Cross-Origin-Opener-Policy" }
    public static var crossOriginOpenerPolicyReportOnly: Self {
        "Cross-Origin-Opener-Policy-Report-Only"
    }
    public static var crossOriginResourcePolicy: Self { "Cross-Origin-Resource-Policy" }
    public static var dasl: Self { "DASL" }
    public static var date: Self { "Date" }
    public static var dav: Self { "DAV" }
    public static var deltaBase: Self { "Delta-Base" }
    public static var deprecation: Self { "Deprecation" }
    public static var depth: Self { "Depth" }
    public static var destination: Self { "Destination" }
    public static var detachedJWS: Self { "Detached-JWS" }
    public static var dictionaryID: Self { "Dictionary-ID" }
    public static var dpop: Self { "DPoP" }
    public static var dpopNonce: Self { "DPoP-Nonce" }
    public static var earlyData: Self { "Early-Data" }
    public static var entityTag: Self { "ETag" }
    public static var expect: Self { "Expect" }
    public static var expires: Self { "Expires" }
    public static var forwarded: Self { "Forwarded" }
    public static var from: Self { "From" }
    public static var hobareg: Self { "Hobareg" }
    public static var host: Self { "Host" }
    public static var `if`: Self { "If" }
    public static var ifMatch: Self { "If-Match" }
    public static var ifModifiedSince: Self { "If-Modified-Since" }
    public static var ifNoneMatch: Self { "If-None-Match" }
    public static var ifRange: Self { "If-Range" }
    public static var ifScheduleTagMatch: Self { "If-Schedule-Tag-Match" }
    public static var ifUnmodifiedSince: Self { "If-Unmodified-Since" }
    public static var im: Self { "IM" }
    public static var includeReferredTokenBindingID: Self { "Include-Referred-Token-Binding-ID" }
    public static var keepAlive: Self { "Keep-Alive" }
    public static var label: Self { "Label" }
    public static var lastEventID: Self { "Last-Event-ID" }
    public static var lastModified: Self { "Last-Modified" }
    public static var link: Self { "Link" }
    public static var linkTemplate: Self { "Link-Template" }
    public static var location: Self { "Location" }
    public static var lockToken: Self { "Lock-Token" }
    public static var maxForwards: Self { "Max-Forwards" }
    public static var mementoDatetime: Self { "Memento-Datetime" }
    public static var meter: Self { "Meter" }
    public static var mimeVersion: Self { "MIME-Version" }
    public static var negotiate: Self { "Negotiate" }
    public static var nel: Self { "NEL" }
    public static var odataEntityID: Self { "OData-EntityId" }
    public static var odataIsolation: Self { "OData-Isolation" }
    public static var odataMaxVersion: Self { "OData-MaxVersion" }
    public static var odataVersion: Self { "OData-Version" }
    public static var optionalWWWAuthenticate: Self { "Optional-WWW-Authenticate" }
    public static var orderingType: Self { "Ordering-Type" }
    public static var origin: Self { "Origin" }
    public static var originAgentCluster: Self { "Origin-Agent-Cluster" }
    public static var oscore: Self { "OSCORE" }
    public static var oslcCoreVersion: Self { "OSLC-Core-Version" }
    public static var overwrite: Self { "Overwrite" }
    public static var pingFrom: Self { "Ping-From" }
    public static var pingTo: Self { "Ping-To" }
    public static var position: Self { "Position" }
    public static var prefer: Self { "Prefer" }
    public static var preferenceApplied: Self { "Preference-Applied" }
    public static var priority: Self { "Priority" }
    public static var proxyAuthenticate: Self { "Proxy-Authenticate" }
    public static var proxyAuthenticationInfo: Self { "Proxy-Authentication-Info" }
    public static var proxyAuthorization: Self { "Proxy-Authorization" }
    public static var proxyStatus: Self { "Proxy-Status" }
    public static var publicKeyPins: Self { "Public-Key-Pins" }
    public static var publicKeyPinsReportOnly: Self { "Public-Key-Pins-Report-Only" }
    public static var range: Self { "Range" }
    public static var redirectRef: Self { "Redirect-Ref" }
    public static var referer: Self { "Referer" }
    public static var referrerPolicy: Self { "Referrer-Policy" }
    public static var refresh: Self { "Refresh" }
    public static var replayNonce: Self { "Replay-Nonce" }
    public static var reprDigest: Self { "Repr-Digest" }
    public static var retryAfter: Self { "Retry-After" }
    public static var scheduleReply: Self { "Schedule-Reply" }
    public static var scheduleTag: Self { "Schedule-Tag" }
    public static var secFetchDest: Self { "Sec-Fetch-Dest" }
    public static var secFetchMode: Self { "Sec-Fetch-Mode" }
    public static var secFetchSite: Self { "Sec-Fetch-Site" }
    public static var secFetchUser: Self { "Sec-Fetch-User" }
    public static var secPurpose: Self { "Sec-Purpose" }
    public static var secTokenBinding: Self { "Sec-Token-Binding" }
    public static var secWebSocketAccept: Self { "Sec-WebSocket-Accept" }
    public static var secWebSocketExtensions: Self { "Sec-WebSocket-Extensions" }
    public static var secWebSocketKey: Self { "Sec-WebSocket-Key" }
    public static var secWebSocketProtocol: Self { "Sec-WebSocket-Protocol" }
    public static var secWebSocketVersion: Self { "Sec-WebSocket-Version" }
    public static var server: Self { "Server" }
    public static var serverTiming: Self { "Server-Timing" }
    public static var setCookie: Self { "Set-Cookie" }
    public static var setTxn: Self { "Set-Txn" }
    public static var signature: Self { "Signature" }
    public static var signatureInput: Self { "Signature-Input" }
    public static var slug: Self { "SLUG" }
    public static var soapAction: Self { "SoapAction" }
    public static var statusURI: Self { "Status-URI" }
    public static var strictTransportSecurity: Self { "Strict-Transport-Security" }
    public static var sunset: Self { "Sunset" }
    public static var tcn: Self { "TCN" }
    public static var te: Self { "TE" }
    public static var timeout: Self { "Timeout" }
    public static var topic: Self { "Topic" }
    public static var traceparent: Self { "Traceparent" }
    public static var tracestate: Self { "Tracestate" }
    public static var trailer: Self { "Trailer" }
    public static var transferEncoding: Self { "Transfer-Encoding" }
    public static var ttl: Self { "TTL" }
    public static var upgrade: Self { "Upgrade" }
    public static var urgency: Self { "Urgency" }
    public static var useAsDictionary: Self { "Use-As-Dictionary" }
    public static var userAgent: Self { "User-Agent" }
    public static var variantVary: Self { "Variant-Vary" }
    public static var vary: Self { "Vary" }
    public static var via: Self { "Via" }
    public static var wantContentDigest: Self { "Want-Content-Digest" }
    public static var wantReprDigest: Self { "Want-Repr-Digest" }
    public static var wwwAuthenticate: Self { "WWW-Authenticate" }
    public static var xContentTypeOptions: Self { "X-Content-Type-Options" }
    public static var xFrameOptions: Self { "X-Frame-Options" }
}
