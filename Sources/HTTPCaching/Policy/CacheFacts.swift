import HTTPCore
import HTTPFormats
import PortableFoundation

/// The facts that the rules of RFC 9111 need of a stored response, read from its header section
/// once. A stored response keeps them beside its headers, so that a hit parses no field.
struct CacheFacts: Hashable, Sendable {
    /// The time for which the response is fresh, counted from its creation at the origin
    /// (RFC 9111 §4.2.1); at most a year.
    let lifetime: Duration
    /// `true` if the origin said how long the response is fresh.
    let isExplicit: Bool
    /// The value of `Age`, in seconds; zero if it is missing or invalid (RFC 9111 §5.1).
    let age: Duration
    /// The value of `Date`, in seconds since 1970.
    let date: Int?
    /// The directives. `no-cache` counts also if it is limited to some fields: the response is used
    /// only after the origin was asked.
    let directives: CacheDirectives
    /// `true` if the response can be revalidated: it has a usable `ETag` or `Last-Modified`.
    let hasPrecondition: Bool

    /// - Parameter received: The date when the response was received. It stands for a missing
    ///   `Date` (RFC 9110 §6.6.1).
    init(status: HTTPStatus, headers: HTTPHeaders, received: Date) {
        let directives = CacheDirectives(headers)
        let date = headers.date(.date, now: received)
        let lastModified = headers.date(.lastModified, now: received)
        func origin() -> HTTPDate { date ?? HTTPDate(received) }

        var lifetime = Duration.zero
        var isExplicit = true
        if let maxAge = directives.maxAge {
            lifetime = maxAge
        } else if headers.contains(.expires) {
            lifetime = Self.lifetime(of: headers, from: origin(), received: received)
        } else {
            isExplicit = false
            let mayGuess = status.isHeuristicallyCacheable || directives.isPublic
            if let lastModified, mayGuess { lifetime = Self.guess(origin(), lastModified) }
        }
        self.lifetime = ServerTime(lifetime, atMost: ServerTime.longestFreshness).granted
        self.isExplicit = isExplicit
        self.directives = directives
        age = headers.contains(.age) ? Self.age(headers) : .zero
        self.date = date?.secondsSince1970
        hasPrecondition = lastModified != nil || Self.hasEntityTag(headers)
    }

    /// Returns `true` if the first `ETag` is well-formed: what `EntityTag` accepts, without making
    /// one.
    static func hasEntityTag(_ headers: HTTPHeaders) -> Bool {
        var isFirst = true
        var isTag = false
        headers.forEachValue(of: .eTag) { bytes in
            defer { isFirst = false }
            guard isFirst else { return }
            let isWeak =
                bytes.count > 2 && bytes[0] == UInt8(ascii: "W") && bytes[1] == UInt8(ascii: "/")
            let start = isWeak ? 2 : 0
            let quote = UInt8(ascii: "\"")
            guard bytes.count >= start + 2, bytes[start] == quote, bytes[bytes.count - 1] == quote
            else { return }
            for index in start + 1..<bytes.count - 1
            where bytes[index] <= 0x20 || bytes[index] == 0x7F || bytes[index] == quote {
                return
            }
            isTag = true
        }
        return isTag
    }

    /// Returns the lifetime from `Expires`: zero if there are different values or an invalid one,
    /// which means "expired already" (RFC 9111 §5.3).
    private static func lifetime(
        of headers: HTTPHeaders, from origin: HTTPDate, received: Date
    ) -> Duration {
        let values = headers[values: .expires]
        guard let first = values.first, values.allSatisfy({ $0 == first }),
            let expires = HTTPDate(first, now: received)
        else { return .zero }
        return .seconds(max(0, expires.secondsSince1970 - origin.secondsSince1970))
    }

    /// The lifetime of a response that says nothing about it: a tenth of its age when it was sent,
    /// and a week at most (RFC 9111 §4.2.2).
    private static func guess(_ origin: HTTPDate, _ lastModified: HTTPDate) -> Duration {
        let unchanged = origin.secondsSince1970 - lastModified.secondsSince1970
        return .seconds(min(max(0, unchanged / 10), 7 * 86_400))
    }

    /// The first member counts, as the standard asks for; an invalid one is ignored
    /// (RFC 9111 §5.1).
    private static func age(_ headers: HTTPHeaders) -> Duration {
        guard let text = headers[.age] else { return .zero }
        let first = text.prefix { $0 != "," }
        return String(first).trimmingBlanks.deltaSeconds ?? .zero
    }
}

// MARK: - Age and freshness

extension CacheFacts {
    /// Returns the current age (RFC 9111 §4.2.3).
    ///
    /// A clock that was set back makes every stored response old: it cannot be told how much time
    /// has passed.
    func age(requested: Date, received: Date, now: Date) -> Duration {
        guard now >= received else { return .seconds(1 << 31) }
        let apparent = date.map { received.timeIntervalSince1970 - Double($0) } ?? 0
        let delay = max(0, received.timeIntervalSince(requested))
        let initial = max(apparent, Double(age.components.seconds) + delay)
        let age = min(initial + now.timeIntervalSince(received), Double(1 << 31))
        return .seconds(age.isNaN ? Double(1 << 31) : age)
    }
}

extension HTTPStatus {
    /// `true` if a response with this status may be stored without explicit freshness
    /// (RFC 9110 §15.1), except for 206, which is not stored.
    var isHeuristicallyCacheable: Bool {
        switch code {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}

extension HTTPHeaderName {
    static let pragma: Self = "Pragma"
    static let cacheStatus: Self = "Cache-Status"
}
