public import HTTPCore

/// The rule by which a limit tells requests apart: those with the same key count together.
public struct HTTPLimitKey: Sendable {
    let value: @Sendable (HTTPRequest) throws -> String?

    /// Requests to the same origin: scheme, host and port.
    public static var origin: Self { Self { "\(try $0.origin())" } }

    /// Requests for which a closure returns the same text, such as the name of an account. A
    /// request for which it returns `nil` is not limited.
    ///
    /// A key may be sent to a store and to observers: it must not hold a secret.
    public static func custom(_ key: @escaping @Sendable (HTTPRequest) -> String?) -> Self {
        Self(value: key)
    }

    init(value: @escaping @Sendable (HTTPRequest) throws -> String?) { self.value = value }
}
