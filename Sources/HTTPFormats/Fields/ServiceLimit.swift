public import HTTPCore
public import PortableFoundation

/// A service limit that a response reports: how much of a quota is left, and when there is more.
///
/// Read from `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10), from
/// their forms in earlier drafts, and from the fields that services sent before and still send:
/// `X-RateLimit-Remaining` and its spellings. See `HTTPHeaders.serviceLimits(now:)`.
public struct ServiceLimit: Hashable, Sendable {
    /// A unit that a quota counts.
    public enum Unit: Hashable, Sendable {
        /// Requests.
        case requests
        /// Bytes of content.
        case contentBytes
        /// Requests at one time.
        case concurrentRequests
        /// Another unit, by its name.
        case other(String)

        init(_ name: String) {
            switch name.asciiLowercased {
            case "requests", "request": self = .requests
            case "content-bytes": self = .contentBytes
            case "concurrent-requests": self = .concurrentRequests
            default: self = .other(name)
            }
        }
    }

    /// The name of the quota policy; empty if the fields have none.
    public var policy: String
    /// The units that are left.
    public var remaining: Int
    /// The time from the response until there is more, such as the end of the window; `nil` if the
    /// response does not say.
    public var reset: Duration?
    /// The units of the whole quota; `nil` if the response does not say.
    public var quota: Int?
    /// The window of the quota; `nil` if the response does not say.
    public var window: Duration?
    /// The unit that the quota counts.
    public var unit: Unit

    /// Creates a service limit. Each property is described there.
    public init(
        policy: String = "", remaining: Int, reset: Duration? = nil, quota: Int? = nil,
        window: Duration? = nil, unit: Unit = .requests
    ) {
        self.policy = policy
        self.remaining = max(0, remaining)
        self.reset = reset
        self.quota = quota
        self.window = window
        self.unit = unit
    }
}

extension HTTPHeaders {
    /// Returns the service limits that a response reports, in the order written.
    ///
    /// The first of these that is present and well-formed is read:
    ///
    /// 1. `RateLimit`, a list of policies, with `RateLimit-Policy`; or the dictionary that draft 7
    ///    had.
    /// 2. `RateLimit-Remaining`, `-Reset` and `-Limit`, of drafts up to 6.
    /// 3. `X-RateLimit-Remaining`, `-Reset`, `-Reset-After` and `-Limit`, and `X-Rate-Limit-…`.
    /// 4. The same for each of several units: `X-RateLimit-Remaining-Requests`, `…-Tokens`, and
    ///    `Anthropic-RateLimit-Requests-Remaining`, `…-Tokens-…`, `…-Input-Tokens-…` and
    ///    `…-Output-Tokens-…`.
    ///
    /// A reset from 10⁹ on is a date: in seconds since 1970, and in milliseconds, microseconds or
    /// nanoseconds from 10¹¹, 10¹⁴ or 10¹⁷ on. Smaller ones are seconds from the response. It may
    /// also be a duration with units (`6m0s`, `120ms`), or a date of HTTP or of ISO 8601. A date is
    /// compared with the response's `Date`. A reset may lie any time ahead: limit the wait for it,
    /// as `RateLimit` does.
    ///
    /// A quota or a remainder of -1 means that there is no limit, and gives none.
    ///
    /// - Parameter now: The current date, for a response without `Date`.
    public func serviceLimits(now: Date) -> [ServiceLimit] {
        let now = serverDate(now: now)
        if let limits = listedServiceLimits(now: now) { return limits }
        for spelling in ServiceLimitNames.all {
            let found = spelling.compactMap { $0.limits(in: self, now: now) }
            if !found.isEmpty { return found.flatMap(\.self) }
        }
        return []
    }

    /// Returns the limits of `RateLimit`, or `nil` if it is absent or malformed.
    private func listedServiceLimits(now: Date) -> [ServiceLimit]? {
        guard let field = self[combined: HTTPHeaderName.rateLimit] else { return nil }
        if let dictionary = try? StructuredField.Dictionary(parsing: field),
            let item = dictionary["remaining"]?.value
        {
            if item.integerValue == -1 || dictionary["limit"]?.value?.integerValue == -1 {
                return []
            }
            guard let remaining = item.count else { return nil }
            return [
                ServiceLimit(
                    remaining: remaining, reset: dictionary["reset"]?.value?.reset(now: now),
                    quota: dictionary["limit"]?.value?.count)
            ]
        }
        guard let list = try? StructuredField.List(parsing: field) else { return nil }
        let policies =
            self[combined: HTTPHeaderName.rateLimitPolicy]
            .flatMap { try? StructuredField.List(parsing: $0) }?.members ?? []
        let limits = list.members.compactMap { member -> ServiceLimit? in
            guard let name = member.value?.name, let remaining = member.parameters["r"]?.count
            else { return nil }
            let policy = policies.first { $0.value?.name == name }?.parameters
            return ServiceLimit(
                policy: name, remaining: remaining, reset: member.parameters["t"]?.reset(now: now),
                quota: policy?["q"]?.count, window: policy?["w"]?.seconds,
                unit: policy?["qu"]?.name.map { ServiceLimit.Unit($0) } ?? .requests)
        }
        return limits.isEmpty ? nil : limits
    }
}

extension StructuredField.BareItem {
    fileprivate var count: Int? { integerValue.flatMap { $0 < 0 ? nil : Int(exactly: $0) } }

    fileprivate var seconds: Duration? {
        doubleValue.flatMap { $0 < 0 ? nil : .seconds(min($0, ServiceLimitNames.longestWait)) }
    }

    /// The time to a reset. Some services send a date here, too.
    fileprivate func reset(now: Date) -> Duration? {
        doubleValue.flatMap { $0 < 0 ? nil : .seconds(ServiceLimitNames.wait($0, now: now)) }
    }

    /// The text of a string or, as some services write it, a token.
    fileprivate var name: String? {
        switch self {
        case .string(let string): string.text
        case .token(let token): token.text
        default: nil
        }
    }
}

/// The names of the fields that stand for one limit in one spelling.
private struct ServiceLimitNames: Sendable {
    let remaining: HTTPHeaderName
    let reset: HTTPHeaderName
    let resetAfter: HTTPHeaderName
    let quota: HTTPHeaderName
    let unit: ServiceLimit.Unit

    private init(_ prefix: String, unit: ServiceLimit.Unit = .requests, suffix: String = "") {
        func name(_ part: String) -> HTTPHeaderName { HTTPHeaderName(prefix + part + suffix) }
        remaining = name("Remaining")
        reset = name("Reset")
        resetAfter = name("Reset-After")
        quota = name("Limit")
        self.unit = unit
    }

    /// The spellings, each with the fields of all its units.
    static let all: [[Self]] = [
        [Self("RateLimit-")], [Self("X-RateLimit-")], [Self("X-Rate-Limit-")],
        [
            Self("X-RateLimit-", suffix: "-Requests"),
            Self("X-RateLimit-", unit: .other("tokens"), suffix: "-Tokens"),
        ],
        [
            Self("Anthropic-RateLimit-Requests-"),
            Self("Anthropic-RateLimit-Tokens-", unit: .other("tokens")),
            Self("Anthropic-RateLimit-Input-Tokens-", unit: .other("input-tokens")),
            Self("Anthropic-RateLimit-Output-Tokens-", unit: .other("output-tokens")),
        ],
    ]

    /// Returns the limit, if there is one: an empty list if the fields say that there is none, and
    /// `nil` if they are absent or malformed.
    func limits(in headers: HTTPHeaders, now: Date) -> [ServiceLimit]? {
        guard let left = headers[remaining].flatMap(Self.number) else { return nil }
        let quota = headers[quota].flatMap(Self.number)
        if left == -1 || quota == -1 { return [] }
        guard left >= 0 else { return nil }
        let wait =
            headers[resetAfter].flatMap { Self.wait($0, now: nil) }
            ?? headers[reset].flatMap { Self.wait($0, now: now) }
        return [
            ServiceLimit(
                remaining: Self.count(left), reset: wait.map { .seconds($0) },
                quota: quota.flatMap { $0 < 0 ? nil : Self.count($0) }, unit: unit)
        ]
    }

    /// The longest wait that is reported, in seconds.
    static let longestWait = 1e9

    /// Returns the wait for a reset, in seconds: a number of seconds, or the time to a date.
    static func wait(_ number: Double, now: Date) -> Double {
        let unit: Double
        switch number {
        case ..<1e9: return number
        case ..<1e11: unit = 1
        case ..<1e14: unit = 1e3
        case ..<1e17: unit = 1e6
        default: unit = 1e9
        }
        return min(max(0, number / unit - now.timeIntervalSince1970), longestWait)
    }

    /// Returns the wait that a text stands for, in seconds; `nil` if it stands for none.
    ///
    /// - Parameter now: The date that the server had; `nil` if the text is never a date.
    private static func wait(_ text: String, now: Date?) -> Double? {
        let text = text.trimmingBlanks
        if let number = number(text) {
            guard number >= 0 else { return nil }
            return now.map { wait(number, now: $0) } ?? min(number, longestWait)
        }
        if let now, let date = HTTPDate(text, now: now) ?? HTTPDate(internetDate: text) {
            return min(max(0, date.date.timeIntervalSince(now)), longestWait)
        }
        return duration(text)
    }

    private static let units: [String: Double] = [
        "ns": 1e-9, "us": 1e-6, "\u{B5}s": 1e-6, "\u{3BC}s": 1e-6, "ms": 1e-3, "s": 1, "m": 60,
        "h": 3_600, "d": 86_400,
    ]

    /// Reads a duration as programs in Go write it, such as `1h6m0.5s`.
    private static func duration(_ text: String) -> Double? {
        var seconds = 0.0
        var rest = text[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
            let unit = rest[digits.endIndex...].prefix { !($0 == "." || $0.isASCII && $0.isNumber) }
            guard let number = Double(digits), let factor = units[String(unit)] else { return nil }
            seconds += number * factor
            rest = rest[unit.endIndex...]
        }
        return min(seconds, longestWait)
    }

    /// Returns a number of units. Those beyond 10¹⁵ count as that.
    private static func count(_ number: Double) -> Int { Int(clamping: min(number, 1e15)) }

    /// Returns the number at the beginning of a value such as `100, 100;w=60`, which some drafts
    /// allow; `nil` if there is none. The only negative one is -1.
    private static func number(_ text: String) -> Double? {
        let text = text[..<(text.firstIndex { ",; ".contains($0) } ?? text.endIndex)]
        if text == "-1" { return -1 }
        guard text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text)
    }
}
