public import HTTPCore

/// An option to ask the server before a body is sent (RFC 9110 §10.1.1). The head is sent first,
/// with `Expect: 100-continue`. The body follows when the server agrees, or when it has not
/// responded for the given time.
///
/// Use `request[ExpectContinue.self] = .seconds(1)` for large uploads that may be refused. A server
/// that responds with a final status gets no body, and its connection is not used again. After a
/// 417 the request is sent once more without the field, unless part of a streamed body has been
/// produced. `silentResends` counts that. The option has no effect on a request without a body.
public enum ExpectContinue: HTTPTransportOption {
    /// `nil` sends the body at once.
    public static var defaultValue: Duration? { nil }
    public static var name: String { "Expect: 100-continue" }
}
