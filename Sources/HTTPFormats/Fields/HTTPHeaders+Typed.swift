public import HTTPCore
public import PortableFoundation

// A new field is a property here, with its name in `HTTPHeaderName` and a file for its value.

/// Header fields as typed values. A field that is absent or malformed is `nil`, or empty if it is a
/// list. If a field that may occur only once is repeated, the first one is read. Setting a value
/// replaces every field of the name; `nil` removes them. A list with a member that is not a token
/// is refused. See ``refusedName``.
extension HTTPHeaders {
    /// The content type, read from all lines as in the Fetch Standard. See
    /// `init(fieldLines:)`.
    public var contentType: MediaType? {
        get { MediaType(fieldLines: self[values: .contentType]) }
        set { self[.contentType] = newValue?.description }
    }

    /// The content length. Repeated equal numbers count as one; different ones give `nil`
    /// (RFC 9110 §8.6).
    public var contentLength: Int? {
        guard let combined = self[combined: .contentLength] else { return nil }
        var scanner = FieldScanner(combined)
        var length: Int?
        while true {
            scanner.skipBlanks()
            guard let number = scanner.number(), number < .max, length ?? number == number,
                scanner.isAtMemberEnd()
            else { return nil }
            length = number
            guard scanner.take(",") else { return length }
        }
    }

    /// The field `Content-Disposition` (RFC 6266); `nil` if it is missing or not valid.
    public var contentDisposition: ContentDisposition? {
        get { self[.contentDisposition].flatMap { ContentDisposition($0) } }
        set { self[.contentDisposition] = newValue?.description }
    }

    /// The field `Content-Range` (RFC 9110 §14.4); `nil` if it is missing or not valid.
    public var contentRange: ContentRange? {
        get { self[.contentRange].flatMap { ContentRange($0) } }
        set { self[.contentRange] = newValue?.description }
    }

    /// The content codings in lower case, in the order they were applied (RFC 9110 §8.4). Members
    /// that are not tokens are left out.
    public var contentEncoding: [String] {
        get { tokens(of: .contentEncoding).map(\.asciiLowercased) }
        set { setList(.contentEncoding, newValue) }
    }

    /// The field `Range` (RFC 9110 §14.2); `nil` if it is missing or not valid.
    public var range: HTTPRange? {
        get { self[.range].flatMap { HTTPRange($0) } }
        set { self[.range] = newValue?.description }
    }

    /// The field `ETag` (RFC 9110 §8.8.3); `nil` if it is missing or not valid.
    public var entityTag: EntityTag? {
        get { self[.eTag].flatMap { EntityTag($0) } }
        set { self[.eTag] = newValue?.description }
    }

    package var ifRange: IfRange? {
        get { self[.ifRange].flatMap { IfRange($0, now: Date()) } }
        set { self[.ifRange] = newValue?.description }
    }

    /// The range units that the target supports, in lower case; `none` means that it supports none
    /// (RFC 9110 §14.3).
    package var acceptRanges: [String] {
        get { tokens(of: .acceptRanges).map(\.asciiLowercased) }
        set { setList(.acceptRanges, newValue) }
    }

    /// The field `Cache-Control` (RFC 9111 §5.2), all lines together; `nil` if it is missing.
    public var cacheControl: CacheControl? {
        get { self[combined: .cacheControl].map { CacheControl($0) } }
        set { self[.cacheControl] = newValue?.description }
    }

    /// The methods that the target supports; empty if the field is present but empty
    /// (RFC 9110 §10.2.1).
    public var allow: [HTTPMethod]? {
        get { contains(.allow) ? tokens(of: .allow).map { HTTPMethod($0) } : nil }
        set {
            let methods = newValue?.map(\.rawValue)
            setList(.allow, methods, methods?.joined(separator: ", "))
        }
    }

    /// The field `Accept` (RFC 9110 §12.5.1), all lines together; `nil` if it is missing.
    public var accept: Accept? {
        get { self[combined: .accept].map { Accept($0) } }
        set { self[.accept] = newValue?.description }
    }

    /// The links of all lines. Each line is read separately, so that a malformed one does not
    /// affect the others.
    public var links: [LinkValue] { self[values: .link].flatMap(LinkValue.links) }

    /// The challenges of the server. Each line is read separately, so that a malformed one does not
    /// affect the others.
    public var challenges: [AuthenticationChallenge] {
        self[values: .wwwAuthenticate].flatMap(AuthenticationChallenge.challenges)
    }

    /// The challenges of the proxy, read in the same way as ``challenges``.
    package var proxyChallenges: [AuthenticationChallenge] {
        self[values: .proxyAuthenticate].flatMap(AuthenticationChallenge.challenges)
    }

    /// The digests of the content as it is sent, with its content coding (RFC 9530 §2). Digests of
    /// other algorithms than ``/HTTPFormats/HTTPDigest/Algorithm`` are left out.
    public var contentDigest: [HTTPDigest] {
        get { digests(of: .contentDigest) }
        set { setDigests(.contentDigest, newValue) }
    }

    /// The digests of the whole representation, with its content coding, also if the content is
    /// only a part of it (RFC 9530 §3). Digests of other algorithms are left out.
    public var reprDigest: [HTTPDigest] {
        get { digests(of: .reprDigest) }
        set { setDigests(.reprDigest, newValue) }
    }

    /// The algorithms that the sender wants in ``contentDigest``, with preferences from 1, the
    /// lowest, to 10; 0 means that an algorithm is not acceptable (RFC 9530 §4). Other algorithms,
    /// and preferences that are no such number, are left out when they are read, and refused when
    /// they are set.
    public var wantContentDigest: [HTTPDigest.Algorithm: Int] {
        get { digestPreferences(of: .wantContentDigest) }
        set { setDigestPreferences(.wantContentDigest, newValue) }
    }

    /// The algorithms that the sender wants in ``reprDigest``. See ``wantContentDigest``.
    public var wantReprDigest: [HTTPDigest.Algorithm: Int] {
        get { digestPreferences(of: .wantReprDigest) }
        set { setDigestPreferences(.wantReprDigest, newValue) }
    }

    private func tokens(of name: HTTPHeaderName) -> [String] {
        self[combined: name].map(FieldScanner.tokens) ?? []
    }

    private mutating func setList(_ name: HTTPHeaderName, _ tokens: [String]) {
        setList(name, tokens, tokens.isEmpty ? nil : tokens.joined(separator: ", "))
    }

    /// Sets `value`, which has these members, unless one of them is not a token.
    private mutating func setList(
        _ name: HTTPHeaderName, _ members: [String]?, _ value: String?
    ) {
        guard members?.allSatisfy(\.isToken) ?? true else { return refuse(name) }
        self[name] = value
    }
}

/// URL references. They are relative to the URL of the response, and read as liberally as that of a
/// redirect.
extension HTTPHeaders {
    /// Returns the target of a redirection, or the URL of what was created, resolved against the
    /// URL of the response. Takes the fragment of that URL if `Location` has none
    /// (RFC 9110 §10.2.2). `nil` also if the value is not a URI reference.
    public func location(relativeTo url: URL) -> URL? {
        guard let target = reference(.location, relativeTo: url) else { return nil }
        let fragment = (try? URIReference(url.absoluteString))?.fragment
        guard let fragment, !target.absoluteString.utf8.contains(UInt8(ascii: "#")) else {
            return target
        }
        return try? URL(strictly: "\(target.absoluteString)#\(fragment)")
    }

    private func reference(_ name: HTTPHeaderName, relativeTo url: URL) -> URL? {
        bytes(of: name).flatMap { try? url.resolving(received: $0) }
    }
}

/// Dates. `now` is used only to find the century of a two-digit year, an obsolete form
/// (RFC 9110 §5.6.7).
extension HTTPHeaders {
    package func date(of name: HTTPHeaderName, now: Date = Date()) -> HTTPDate? {
        self[name].flatMap { HTTPDate($0.trimmingBlanks, now: now) }
    }

    /// The field `Last-Modified` (RFC 9110 §8.8.2); `nil` if it is missing or not valid.
    public var lastModified: HTTPDate? {
        get { date(of: .lastModified) }
        set { self[.lastModified] = newValue?.description }
    }

    /// The field `If-Modified-Since` (RFC 9110 §13.1.3); `nil` if it is missing or not valid.
    public var ifModifiedSince: HTTPDate? {
        get { date(of: .ifModifiedSince) }
        set { self[.ifModifiedSince] = newValue?.description }
    }

    /// The field `If-Unmodified-Since` (RFC 9110 §13.1.4); `nil` if it is missing or not valid.
    public var ifUnmodifiedSince: HTTPDate? {
        get { date(of: .ifUnmodifiedSince) }
        set { self[.ifUnmodifiedSince] = newValue?.description }
    }

    /// The time at which the response was generated (RFC 9110 §6.6.1).
    public var date: HTTPDate? {
        get { date(of: .date) }
        set { self[.date] = newValue?.description }
    }

    /// The time at which the response becomes stale. `nil` also if it is not a date: such a
    /// response has already expired (RFC 9111 §5.3).
    public var expires: HTTPDate? {
        get { date(of: .expires) }
        set { self[.expires] = newValue?.description }
    }
}
