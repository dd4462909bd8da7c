#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Fields as values. A field that is absent or cannot be read is `nil`, or empty where it is a list;
/// of one that may occur only once, and does not, the first is read. Setting replaces every field of
/// the name, `nil` removes them.
extension HTTPHeaders {
    /// From all lines, as Fetch reads it: see ``MediaType/init(fieldLines:)``.
    public var contentType: MediaType? {
        get { MediaType(fieldLines: self[values: .contentType]) }
        set { self[.contentType] = newValue?.description }
    }

    /// Repeated equal numbers are one; different ones are none (RFC 9110 §8.6).
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

    public var contentDisposition: ContentDisposition? {
        get { self[.contentDisposition].flatMap { ContentDisposition($0) } }
        set { self[.contentDisposition] = newValue?.description }
    }

    public var contentRange: ContentRange? {
        get { self[.contentRange].flatMap { ContentRange($0) } }
        set { self[.contentRange] = newValue?.description }
    }

    public var range: HTTPRange? {
        get { self[.range].flatMap { HTTPRange($0) } }
        set { self[.range] = newValue?.description }
    }

    public var entityTag: EntityTag? {
        get { self[.entityTag].flatMap { EntityTag($0) } }
        set { self[.entityTag] = newValue?.description }
    }

    public var ifMatch: EntityTagCondition? {
        get { self[combined: .ifMatch].flatMap { EntityTagCondition($0) } }
        set { self[.ifMatch] = newValue?.description }
    }

    public var ifNoneMatch: EntityTagCondition? {
        get { self[combined: .ifNoneMatch].flatMap { EntityTagCondition($0) } }
        set { self[.ifNoneMatch] = newValue?.description }
    }

    public var cacheControl: CacheControl? {
        get { self[combined: .cacheControl].map { CacheControl($0) } }
        set { self[.cacheControl] = newValue?.description }
    }

    public var accept: Accept? {
        get { self[combined: .accept].map { Accept($0) } }
        set { self[.accept] = newValue?.description }
    }

    public var acceptEncoding: AcceptEncoding? {
        get { self[combined: .acceptEncoding].map { AcceptEncoding($0) } }
        set { self[.acceptEncoding] = newValue?.description }
    }

    public var acceptLanguage: AcceptLanguage? {
        get { self[combined: .acceptLanguage].map { AcceptLanguage($0) } }
        set { self[.acceptLanguage] = newValue?.description }
    }

    public var acceptCharset: AcceptCharset? {
        get { self[combined: .acceptCharset].map { AcceptCharset($0) } }
        set { self[.acceptCharset] = newValue?.description }
    }

    /// Line by line, so that a broken one costs no other.
    public var links: [LinkValue] { self[values: .link].flatMap(LinkValue.links) }

    /// What the server wants to see; line by line, so that a broken one costs no other.
    public var challenges: [AuthenticationChallenge] {
        self[values: .wwwAuthenticate].flatMap(AuthenticationChallenge.challenges)
    }

    /// What the proxy wants to see.
    public var proxyChallenges: [AuthenticationChallenge] {
        self[values: .proxyAuthenticate].flatMap(AuthenticationChallenge.challenges)
    }
}

/// Dates. `now` is read only to tell the century of a two-digit year, which nobody has sent for long
/// (RFC 9110 §5.6.7).
extension HTTPHeaders {
    public func date(of name: HTTPHeaderName, now: Date = Date()) -> HTTPDate? {
        self[name].flatMap { HTTPDate($0.trimmingBlanks, now: now) }
    }

    public var lastModified: HTTPDate? {
        get { date(of: .lastModified) }
        set { self[.lastModified] = newValue?.description }
    }

    public var ifModifiedSince: HTTPDate? {
        get { date(of: .ifModifiedSince) }
        set { self[.ifModifiedSince] = newValue?.description }
    }

    /// When the response was made (RFC 9110 §6.6.1).
    public var date: HTTPDate? {
        get { date(of: .date) }
        set { self[.date] = newValue?.description }
    }

    /// `nil` where it is not a date: such a response has already expired (RFC 9111 §5.3).
    public var expires: HTTPDate? {
        get { date(of: .expires) }
        set { self[.expires] = newValue?.description }
    }

    public func retryAfter(now: Date) -> RetryAfter? {
        self[.retryAfter].flatMap { RetryAfter($0, now: now) }
    }
}
