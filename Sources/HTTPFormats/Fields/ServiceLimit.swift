public import HTTPCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A service limit that a response reports: how much of a quota is left, and when there is more.
///
/// Read from `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10), from
/// their forms in earlier drafts, and from the fields that services sent before:
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
    ///
    /// A reset from 10⁹ on is a date: in seconds since 1970, and in milliseconds, microseconds or
    /// nanoseconds from 10¹¹, 10¹⁴ or 10¹⁷ on. Smaller ones are seconds from the response. A reset
    /// may lie any time ahead: limit the wait for it, as `RateLimit` does.
    ///
    /// - Parameter now: The date of the response.
    public func serviceLimits(now: Date) -> [ServiceLimit] {
        if let limits = listedServiceLimits(now: now) { return limits }
        for names in ServiceLimitNames.all {
            if let limit = names.limit(in: self, now: now) { return [limit] }
        }
        return []
    }

    /// Returns the limits of `RateLimit`, or `nil` if it is absent or malformed.
    private func listedServiceLimits(now: Date) -> [ServiceLimit]? {
        guard let field = self[combined: HTTPHeaderName.rateLimit] else { return nil }
        if let dictionary = try? StructuredField.Dictionary(parsing: field),
            let remaining = dictionary["remaining"]?.value?.count
        {
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

/// The names of one spelling of the fields that stand for one limit each.
private struct ServiceLimitNames: Sendable {
    var remaining: HTTPHeaderName
    var reset: HTTPHeaderName
    var resetAfter: HTTPHeaderName
    var quota: HTTPHeaderName

    static let all = [
        Self(
            remaining: "RateLimit-Remaining", reset: "RateLimit-Reset",
            resetAfter: "RateLimit-Reset-After", quota: "RateLimit-Limit"),
        Self(
            remaining: "X-RateLimit-Remaining", reset: "X-RateLimit-Reset",
            resetAfter: "X-RateLimit-Reset-After", quota: "X-RateLimit-Limit"),
        Self(
            remaining: "X-Rate-Limit-Remaining", reset: "X-Rate-Limit-Reset",
            resetAfter: "X-Rate-Limit-Reset-After", quota: "X-Rate-Limit-Limit"),
    ]
    func limit(in headers: HTTPHeaders, now: Date) -> ServiceLimit? {
        func number(_ name: HTTPHeaderName) -> Double? { headers[name].flatMap(Self.number) }
        guard let left = number(remaining) else { return nil }
        let wait =
            number(resetAfter).map { min($0, Self.longestWait) }
            ?? number(reset).map { Self.wait($0, now: now) }
        return ServiceLimit(
            remaining: Self.count(left), reset: wait.map { .seconds($0) },
            quota: number(quota).map(Self.count))
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

    /// Returns a number of units. Those beyond 10¹⁵ count as that.
    private static func count(_ number: Double) -> Int { Int(clamping: min(number, 1e15)) }

    /// Returns the number at the beginning of a value such as `100, 100;w=60`, which some drafts
    /// allow; `nil` if there is none or if it is negative.
    private static func number(_ text: String) -> Double? {
        let end = text.firstIndex { ",; ".contains($0) } ?? text.endIndex
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard text[..<end].utf8.allSatisfy({ digits ~= $0 || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text[..<end])
    }
}
