public import HTTPCore
public import PortableFoundation

/// The request's limits and permissions for retries, by policies and verdicts together.
private struct RetrySettings: HTTPRequestOption {
    static var defaultValue: RetrySettings { RetrySettings() }

    var maxRetries: Int?
    var isRepeatable = false
}

extension HTTPRequest {
    /// The limit on the call's retries: N retries are N + 1 attempts. `nil` leaves it to the
    /// policy, and without a policy nothing is sent again.
    ///
    /// A number is no permission to repeat a request that may have reached the server and is not
    /// idempotent, such as a POST. See ``isRepeatable``.
    public var maxRetries: Int? {
        get { self[RetrySettings.self].maxRetries }
        set { self[RetrySettings.self].maxRetries = newValue }
    }

    /// Returns the request with a limit on its retries. See ``maxRetries``.
    public func maxRetries(_ count: Int) -> HTTPRequest { with { $0.maxRetries = count } }

    /// `true` if the request may be sent again, whatever its method, though the server may have
    /// processed it already. `false` by default.
    ///
    /// A request with an idempotent method needs no such permission, nor does one with an
    /// ``idempotencyKey(_:)``, which is better if the server supports it. For a POST that only
    /// asks, such as a search, or whose effect may happen twice. How often the request is sent
    /// again is up to ``maxRetries`` and the policy.
    public var isRepeatable: Bool {
        get { hasOptions && self[RetrySettings.self].isRepeatable }
        set { self[RetrySettings.self].isRepeatable = newValue }
    }

    /// Returns the request with the permission to send it again. See ``isRepeatable``.
    public func repeatable() -> HTTPRequest { with { $0.isRepeatable = true } }

    /// Returns the request with an idempotency key. The server treats requests with the same key as
    /// one, so the request may be sent again whatever its method
    /// (draft-ietf-httpapi-idempotency-key-header).
    public func idempotencyKey(_ key: String = UUID().uuidString) -> HTTPRequest {
        header(.idempotencyKey, key)
    }
}

extension HTTPHeaderName {
    /// The field of draft-ietf-httpapi-idempotency-key-header.
    public static var idempotencyKey: Self { "Idempotency-Key" }
}

/// The mark of a request that is sent on behalf of another one, such as a login. Retries and
/// validators do not apply to it, so that nothing recurses.
package enum AlternativeMark: HTTPRequestOption {
    package static var defaultValue: Bool { false }
}

/// The top of a client, where requests enter that are sent on behalf of another one. `nil` is the
/// layer that sends them.
package enum AlternativeEntry: HTTPRequestOption {
    package static var defaultValue: (any HTTPSession)? { nil }
}

extension HTTPRequest {
    /// `true` if retries and validators do not apply to this request. See
    /// ``HTTPRetryStrategy/after(_:delay:catcher:)``.
    package var isAlternative: Bool { self[AlternativeMark.self] }
}
