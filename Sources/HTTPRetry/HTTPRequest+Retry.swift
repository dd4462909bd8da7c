public import HTTPCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How often a call may be sent again, by policies and verdicts together.
public enum MaxRetries: HTTPRequestOption {
    public static var defaultValue: Int? { nil }
}

extension HTTPRequest {
    /// N retries are N + 1 attempts, counted per call. `nil` leaves it to the policy, and without a
    /// policy nothing is sent again.
    public var maxRetries: Int? {
        get { self[MaxRetries.self] }
        set { self[MaxRetries.self] = newValue }
    }

    /// As ``maxRetries``.
    public func maxRetries(_ count: Int) -> HTTPRequest { option(MaxRetries.self, count) }

    /// Says that the server takes requests with the same key for one and the same, so that it may be
    /// sent again whatever its method (draft-ietf-httpapi-idempotency-key-header).
    public func idempotencyKey(_ key: String = UUID().uuidString) -> HTTPRequest {
        header(.idempotencyKey, key)
    }
}

extension HTTPHeaderName {
    /// draft-ietf-httpapi-idempotency-key-header.
    public static var idempotencyKey: Self { "Idempotency-Key" }
}

/// Marks a request that is sent for another one's sake, such as a login: retries and validators let
/// it pass, so that nothing recurses into it.
package enum AlternativeMark: HTTPRequestOption {
    package static var defaultValue: Bool { false }
}

/// Where alternatives enter, if not at the layer that sends them: the top of a client.
package enum AlternativeEntry: HTTPRequestOption {
    package static var defaultValue: (any HTTPSession)? { nil }
}

extension HTTPRequest {
    /// Whether retries and validators let this request pass: see ``HTTPRetryStrategy/after(_:delay:catcher:)``.
    public var isAlternative: Bool { hasOptions && self[AlternativeMark.self] }
}
