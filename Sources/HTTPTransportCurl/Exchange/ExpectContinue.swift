public import HTTPCore

/// Asks the server before a body is sent (RFC 9110 §10.1.1): the head goes first with
/// `Expect: 100-continue`, and the body once the server says so, or has said nothing for this long.
///
/// `request[ExpectContinue.self] = .seconds(1)`, for large uploads that may be refused: a server
/// that answers with a final status gets no body, and its connection is not used again. After a 417
/// the request is sent once more without the field, where none of a streamed body has been produced;
/// `silentResends` counts that. Without effect on a request without a body.
public enum ExpectContinue: HTTPTransportOption {
    /// `nil` sends the body at once.
    public static var defaultValue: Duration? { nil }
    public static var name: String { "Expect: 100-continue" }
}
