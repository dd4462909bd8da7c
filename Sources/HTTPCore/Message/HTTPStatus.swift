/// The status code of a response (RFC 9110 §15).
///
/// Servers may send codes that are not registered, even above 599. A client then uses the class.
public struct HTTPStatus: Hashable, Sendable, Comparable, CustomStringConvertible {
    private let storage: UInt16

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
        case informational = 1
        case successful, redirection, clientError, serverError
    }

    /// The class, or `nil` above 599, where no class is defined.
    public var `class`: Class? { Class(rawValue: code / 100) }

    public var isSuccessful: Bool { (200..<300).contains(storage) }
    public var isRedirection: Bool { (300..<400).contains(storage) }
    public var isClientError: Bool { (400..<500).contains(storage) }
    /// `true` for 500 and above: a code above 599 is treated as a server error (RFC 9110 §15).
    public var isServerError: Bool { storage >= 500 }
    /// `true` for 400 and above.
    package var isError: Bool { storage >= 400 }
}

// The registered codes (IANA HTTP Status Code Registry).
extension HTTPStatus {
    public static var `continue`: Self { Self(registered: 100) }
    public static var switchingProtocols: Self { Self(registered: 101) }
    public static var processing: Self { Self(registered: 102) }
    public static var earlyHints: Self { Self(registered: 103) }
    /// Registered temporarily (draft-ietf-httpbis-resumable-upload).
    public static var uploadResumptionSupported: Self { Self(registered: 104) }
    public static var ok: Self { Self(registered: 200) }
    public static var created: Self { Self(registered: 201) }
    public static var accepted: Self { Self(registered: 202) }
    public static var nonAuthoritativeInformation: Self { Self(registered: 203) }
    public static var noContent: Self { Self(registered: 204) }
    public static var resetContent: Self { Self(registered: 205) }
    public static var partialContent: Self { Self(registered: 206) }
    public static var multiStatus: Self { Self(registered: 207) }
    public static var alreadyReported: Self { Self(registered: 208) }
    public static var imUsed: Self { Self(registered: 226) }
    public static var multipleChoices: Self { Self(registered: 300) }
    public static var movedPermanently: Self { Self(registered: 301) }
    public static var found: Self { Self(registered: 302) }
    public static var seeOther: Self { Self(registered: 303) }
    public static var notModified: Self { Self(registered: 304) }
    public static var useProxy: Self { Self(registered: 305) }
    public static var temporaryRedirect: Self { Self(registered: 307) }
    public static var permanentRedirect: Self { Self(registered: 308) }
    public static var badRequest: Self { Self(registered: 400) }
    public static var unauthorized: Self { Self(registered: 401) }
    public static var paymentRequired: Self { Self(registered: 402) }
    public static var forbidden: Self { Self(registered: 403) }
    public static var notFound: Self { Self(registered: 404) }
    public static var methodNotAllowed: Self { Self(registered: 405) }
    public static var notAcceptable: Self { Self(registered: 406) }
    public static var proxyAuthenticationRequired: Self { Self(registered: 407) }
    public static var requestTimeout: Self { Self(registered: 408) }
    public static var conflict: Self { Self(registered: 409) }
    public static var gone: Self { Self(registered: 410) }
    public static var lengthRequired: Self { Self(registered: 411) }
    public static var preconditionFailed: Self { Self(registered: 412) }
    public static var contentTooLarge: Self { Self(registered: 413) }
    public static var uriTooLong: Self { Self(registered: 414) }
    public static var unsupportedMediaType: Self { Self(registered: 415) }
    public static var rangeNotSatisfiable: Self { Self(registered: 416) }
    public static var expectationFailed: Self { Self(registered: 417) }
    public static var misdirectedRequest: Self { Self(registered: 421) }
    public static var unprocessableContent: Self { Self(registered: 422) }
    public static var locked: Self { Self(registered: 423) }
    public static var failedDependency: Self { Self(registered: 424) }
    public static var tooEarly: Self { Self(registered: 425) }
    public static var upgradeRequired: Self { Self(registered: 426) }
    public static var preconditionRequired: Self { Self(registered: 428) }
    public static var tooManyRequests: Self { Self(registered: 429) }
    public static var requestHeaderFieldsTooLarge: Self { Self(registered: 431) }
    public static var unavailableForLegalReasons: Self { Self(registered: 451) }
    public static var internalServerError: Self { Self(registered: 500) }
    public static var notImplemented: Self { Self(registered: 501) }
    public static var badGateway: Self { Self(registered: 502) }
    public static var serviceUnavailable: Self { Self(registered: 503) }
    public static var gatewayTimeout: Self { Self(registered: 504) }
    public static var httpVersionNotSupported: Self { Self(registered: 505) }
    public static var variantAlsoNegotiates: Self { Self(registered: 506) }
    public static var insufficientStorage: Self { Self(registered: 507) }
    public static var loopDetected: Self { Self(registered: 508) }
    public static var notExtended: Self { Self(registered: 510) }
    public static var networkAuthenticationRequired: Self { Self(registered: 511) }

    /// The registered phrase, or `""` for a code that is not registered.
    public var reasonPhrase: String {
        switch code {
        case 100: "Continue"
        case 101: "Switching Protocols"
        case 102: "Processing"
        case 103: "Early Hints"
        case 104: "Upload Resumption Supported"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 203: "Non-Authoritative Information"
        case 204: "No Content"
        case 205: "Reset Content"
        case 206: "Partial Content"
        case 207: "Multi-Status"
        case 208: "Already Reported"
        case 226: "IM Used"
        case 300: "Multiple Choices"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 305: "Use Proxy"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 402: "Payment Required"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 407: "Proxy Authentication Required"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 423: "Locked"
        case 424: "Failed Dependency"
        case 425: "Too Early"
        case 426: "Upgrade Required"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 451: "Unavailable For Legal Reasons"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 506: "Variant Also Negotiates"
        case 507: "Insufficient Storage"
        case 508: "Loop Detected"
        case 510: "Not Extended"
        case 511: "Network Authentication Required"
        default: ""
        }
    }
}
