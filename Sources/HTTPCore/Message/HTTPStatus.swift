/// The status code of a response (RFC 9110 §15).
///
/// Servers may send codes that are not registered, even above 599. A client then uses the class.
public struct HTTPStatus: Hashable, Sendable, Comparable, CustomStringConvertible {
    private let storage: UInt16

    /// The code, from 100 to 999. Codes above 599 are in no class.
    public var code: Int { Int(storage) }

    /// Creates a status, or `nil` if `code` lies outside `100...999`.
    public init?(code: Int) {
        guard (100...999).contains(code) else { return nil }
        self.storage = UInt16(code)
    }

    private init(registered code: UInt16) { self.storage = code }

    public static func < (a: Self, b: Self) -> Bool { a.storage < b.storage }

    /// The code and, if it is registered, its phrase: `"404 Not Found"`.
    public var description: String {
        let phrase = reasonPhrase
        return phrase.isEmpty ? "\(code)" : "\(code) \(phrase)"
    }
}

extension HTTPStatus {
    /// The class of a status code, given by its first digit (RFC 9110 §15).
    public enum Class: Int, Hashable, Sendable {
        /// 1xx: an interim response.
        case informational = 1
        /// 2xx: the request was received, understood and accepted.
        case successful
        /// 3xx: more is to be done.
        case redirection
        /// 4xx: the client is at fault.
        case clientError
        /// 5xx: the server is at fault.
        case serverError
    }

    /// The class, or `nil` above 599, where no class is defined.
    public var `class`: Class? { Class(rawValue: code / 100) }

    /// `true` for 2xx.
    public var isSuccessful: Bool { (200..<300).contains(storage) }
    /// `true` for 3xx, also for 304 and others that are no redirects.
    public var isRedirection: Bool { (300..<400).contains(storage) }
    /// `true` for 4xx.
    public var isClientError: Bool { (400..<500).contains(storage) }
    /// `true` for 500 and above: a code above 599 is treated as a server error (RFC 9110 §15).
    public var isServerError: Bool { storage >= 500 }
    /// `true` for 400 and above.
    package var isError: Bool { storage >= 400 }
}

// The registered codes (IANA HTTP Status Code Registry).
extension HTTPStatus {
    /// 100 Continue (RFC 9110 §15.2.1).
    public static var `continue`: Self { Self(registered: 100) }
    /// 101 Switching Protocols (RFC 9110 §15.2.2).
    public static var switchingProtocols: Self { Self(registered: 101) }
    /// 102 Processing (RFC 2518 §10.1).
    public static var processing: Self { Self(registered: 102) }
    /// 103 Early Hints (RFC 8297 §2).
    public static var earlyHints: Self { Self(registered: 103) }
    /// Registered temporarily (draft-ietf-httpbis-resumable-upload).
    public static var uploadResumptionSupported: Self { Self(registered: 104) }
    /// 200 OK (RFC 9110 §15.3.1).
    public static var ok: Self { Self(registered: 200) }
    /// 201 Created (RFC 9110 §15.3.2).
    public static var created: Self { Self(registered: 201) }
    /// 202 Accepted (RFC 9110 §15.3.3).
    public static var accepted: Self { Self(registered: 202) }
    /// 203 Non-Authoritative Information (RFC 9110 §15.3.4).
    public static var nonAuthoritativeInformation: Self { Self(registered: 203) }
    /// 204 No Content (RFC 9110 §15.3.5).
    public static var noContent: Self { Self(registered: 204) }
    /// 205 Reset Content (RFC 9110 §15.3.6).
    public static var resetContent: Self { Self(registered: 205) }
    /// 206 Partial Content (RFC 9110 §15.3.7).
    public static var partialContent: Self { Self(registered: 206) }
    /// 207 Multi-Status (RFC 4918 §11.1).
    public static var multiStatus: Self { Self(registered: 207) }
    /// 208 Already Reported (RFC 5842 §7.1).
    public static var alreadyReported: Self { Self(registered: 208) }
    /// 226 IM Used (RFC 3229 §10.4.1).
    public static var imUsed: Self { Self(registered: 226) }
    /// 300 Multiple Choices (RFC 9110 §15.4.1).
    public static var multipleChoices: Self { Self(registered: 300) }
    /// 301 Moved Permanently (RFC 9110 §15.4.2).
    public static var movedPermanently: Self { Self(registered: 301) }
    /// 302 Found (RFC 9110 §15.4.3).
    public static var found: Self { Self(registered: 302) }
    /// 303 See Other (RFC 9110 §15.4.4).
    public static var seeOther: Self { Self(registered: 303) }
    /// 304 Not Modified (RFC 9110 §15.4.5).
    public static var notModified: Self { Self(registered: 304) }
    /// 305 Use Proxy (RFC 9110 §15.4.6).
    public static var useProxy: Self { Self(registered: 305) }
    /// 307 Temporary Redirect (RFC 9110 §15.4.8).
    public static var temporaryRedirect: Self { Self(registered: 307) }
    /// 308 Permanent Redirect (RFC 9110 §15.4.9).
    public static var permanentRedirect: Self { Self(registered: 308) }
    /// 400 Bad Request (RFC 9110 §15.5.1).
    public static var badRequest: Self { Self(registered: 400) }
    /// 401 Unauthorized (RFC 9110 §15.5.2).
    public static var unauthorized: Self { Self(registered: 401) }
    /// 402 Payment Required (RFC 9110 §15.5.3).
    public static var paymentRequired: Self { Self(registered: 402) }
    /// 403 Forbidden (RFC 9110 §15.5.4).
    public static var forbidden: Self { Self(registered: 403) }
    /// 404 Not Found (RFC 9110 §15.5.5).
    public static var notFound: Self { Self(registered: 404) }
    /// 405 Method Not Allowed (RFC 9110 §15.5.6).
    public static var methodNotAllowed: Self { Self(registered: 405) }
    /// 406 Not Acceptable (RFC 9110 §15.5.7).
    public static var notAcceptable: Self { Self(registered: 406) }
    /// 407 Proxy Authentication Required (RFC 9110 §15.5.8).
    public static var proxyAuthenticationRequired: Self { Self(registered: 407) }
    /// 408 Request Timeout (RFC 9110 §15.5.9).
    public static var requestTimeout: Self { Self(registered: 408) }
    /// 409 Conflict (RFC 9110 §15.5.10).
    public static var conflict: Self { Self(registered: 409) }
    /// 410 Gone (RFC 9110 §15.5.11).
    public static var gone: Self { Self(registered: 410) }
    /// 411 Length Required (RFC 9110 §15.5.12).
    public static var lengthRequired: Self { Self(registered: 411) }
    /// 412 Precondition Failed (RFC 9110 §15.5.13).
    public static var preconditionFailed: Self { Self(registered: 412) }
    /// 413 Content Too Large (RFC 9110 §15.5.14).
    public static var contentTooLarge: Self { Self(registered: 413) }
    /// 414 URI Too Long (RFC 9110 §15.5.15).
    public static var uriTooLong: Self { Self(registered: 414) }
    /// 415 Unsupported Media Type (RFC 9110 §15.5.16).
    public static var unsupportedMediaType: Self { Self(registered: 415) }
    /// 416 Range Not Satisfiable (RFC 9110 §15.5.17).
    public static var rangeNotSatisfiable: Self { Self(registered: 416) }
    /// 417 Expectation Failed (RFC 9110 §15.5.18).
    public static var expectationFailed: Self { Self(registered: 417) }
    /// 421 Misdirected Request (RFC 9110 §15.5.20).
    public static var misdirectedRequest: Self { Self(registered: 421) }
    /// 422 Unprocessable Content (RFC 9110 §15.5.21).
    public static var unprocessableContent: Self { Self(registered: 422) }
    /// 423 Locked (RFC 4918 §11.3).
    public static var locked: Self { Self(registered: 423) }
    /// 424 Failed Dependency (RFC 4918 §11.4).
    public static var failedDependency: Self { Self(registered: 424) }
    /// 425 Too Early (RFC 8470 §5.2).
    public static var tooEarly: Self { Self(registered: 425) }
    /// 426 Upgrade Required (RFC 9110 §15.5.22).
    public static var upgradeRequired: Self { Self(registered: 426) }
    /// 428 Precondition Required (RFC 6585 §3).
    public static var preconditionRequired: Self { Self(registered: 428) }
    /// 429 Too Many Requests (RFC 6585 §4).
    public static var tooManyRequests: Self { Self(registered: 429) }
    /// 431 Request Header Fields Too Large (RFC 6585 §5).
    public static var requestHeaderFieldsTooLarge: Self { Self(registered: 431) }
    /// 451 Unavailable For Legal Reasons (RFC 7725 §3).
    public static var unavailableForLegalReasons: Self { Self(registered: 451) }
    /// 500 Internal Server Error (RFC 9110 §15.6.1).
    public static var internalServerError: Self { Self(registered: 500) }
    /// 501 Not Implemented (RFC 9110 §15.6.2).
    public static var notImplemented: Self { Self(registered: 501) }
    /// 502 Bad Gateway (RFC 9110 §15.6.3).
    public static var badGateway: Self { Self(registered: 502) }
    /// 503 Service Unavailable (RFC 9110 §15.6.4).
    public static var serviceUnavailable: Self { Self(registered: 503) }
    /// 504 Gateway Timeout (RFC 9110 §15.6.5).
    public static var gatewayTimeout: Self { Self(registered: 504) }
    /// 505 HTTP Version Not Supported (RFC 9110 §15.6.6).
    public static var httpVersionNotSupported: Self { Self(registered: 505) }
    /// 506 Variant Also Negotiates (RFC 2295 §8.1).
    public static var variantAlsoNegotiates: Self { Self(registered: 506) }
    /// 507 Insufficient Storage (RFC 4918 §11.5).
    public static var insufficientStorage: Self { Self(registered: 507) }
    /// 508 Loop Detected (RFC 5842 §7.2).
    public static var loopDetected: Self { Self(registered: 508) }
    /// 510 Not Extended (RFC 2774 §7).
    public static var notExtended: Self { Self(registered: 510) }
    /// 511 Network Authentication Required (RFC 6585 §6).
    public static var networkAuthenticationRequired: Self { Self(registered: 511) }

    /// The registered phrase, or `""` for a code that is not registered.
    public var reasonPhrase: String { Self.reasonPhrases[code] ?? "" }

    private static let reasonPhrases = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        104: "Upload Resumption Supported", 200: "OK", 201: "Created", 202: "Accepted",
        203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content",
        206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other",
        304: "Not Modified", 305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content",
        423: "Locked", 424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        506: "Variant Also Negotiates", 507: "Insufficient Storage", 508: "Loop Detected",
        510: "Not Extended", 511: "Network Authentication Required",
    ]
}
