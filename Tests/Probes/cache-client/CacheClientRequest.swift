import HTTPCore
import PortableFoundation

/// A request of another program, one line of JSON. Field values have one character for each byte.
struct CacheClientRequest: Decodable {
    /// The cache modes of the Fetch Standard.
    enum CacheMode: String, Decodable {
        case standard = "default"
        case noStore = "no-store"
        case reload
        case noCache = "no-cache"
        case forceCache = "force-cache"
        case onlyIfCached = "only-if-cached"

        /// The directive that asks a cache for the same, or `nil` if there is none to give.
        var directive: String? {
            switch self {
            case .standard: nil
            case .noStore: "no-cache, no-store"
            case .reload: "no-cache"
            case .noCache: "max-age=0"
            case .forceCache: "max-stale"
            case .onlyIfCached: "only-if-cached, max-stale"
            }
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, session, method, url, headers, cache
        case body = "body_b64"
    }

    let id: Int
    let session: String?
    private let method: String?
    private let url: String
    private let headers: [[String]]?
    private let body: Data?
    private let cache: CacheMode?

    /// Returns the request to send.
    ///
    /// - Throws: `invalidRequest`, for the URL or a field.
    func httpRequest() throws(HTTPError) -> HTTPRequest {
        var fields = HTTPHeaders()
        for field in headers ?? [] {
            guard field.count == 2, fields.append(line: "\(field[0]): \(field[1])".bytes.span)
            else { throw HTTPError(.invalidRequest, "a field is not valid") }
        }
        if let directive = cache?.directive, !fields.contains(.cacheControl) {
            try fields.append(.cacheControl, directive)
        }
        return try HTTPRequest(
            HTTPMethod(method ?? "GET"), url, headers: fields,
            body: body.map { HTTPBody($0) } ?? .empty)
    }
}

extension String {
    /// One byte for each character, or UTF-8 if there are characters that need more.
    fileprivate var bytes: [UInt8] {
        let bytes = unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        return bytes.count == unicodeScalars.count ? bytes : Array(utf8)
    }
}
