extension HTTPError.Code {
    /// The request cannot be sent as it is, and nothing was sent. The message names the invalid
    /// part.
    public static var invalidRequest: Self { Self(rawValue: "invalidRequest") }
    /// The transport cannot honour a setting or an option. Nothing was sent.
    public static var unsupportedOption: Self { Self(rawValue: "unsupportedOption") }
    /// The host, or the host of a proxy, has no address, or the look-up has failed.
    public static var nameNotResolved: Self { Self(rawValue: "nameNotResolved") }
    /// No connection to the server could be made.
    public static var cannotConnect: Self { Self(rawValue: "cannotConnect") }
    /// The proxy could not be reached, or did not connect to the server; the server has seen
    /// nothing.
    public static var proxyFailed: Self { Self(rawValue: "proxyFailed") }
    /// TLS could not be negotiated, for the reason in the message. `isRetryable` is `false` if it
    /// lies in the settings of the two sides, such as a client certificate that is missing.
    public static var tlsFailed: Self { Self(rawValue: "tlsFailed") }
    /// The server's certificate was checked and refused.
    public static var serverNotTrusted: Self { Self(rawValue: "serverNotTrusted") }
    /// The connection ended before a complete head had arrived.
    public static var connectionLost: Self { Self(rawValue: "connectionLost") }
    /// The response is not HTTP as RFC 9110 and 9112 define it.
    ///
    /// Over every transport, this is final: the server would break the protocol again.
    public static var protocolViolation: Self { Self(rawValue: "protocolViolation") }
    /// The response's header section, or its trailers, are larger than the transport accepts.
    public static var headersTooLarge: Self { Self(rawValue: "headersTooLarge") }
    /// The body did not end where its framing announced the end, or its connection or stream failed
    /// before.
    public static var bodyIncomplete: Self { Self(rawValue: "bodyIncomplete") }
    /// The body, or a line, an event or a part's head in it, is longer than the limit that the
    /// reader set.
    public static var bodyTooLarge: Self { Self(rawValue: "bodyTooLarge") }
    /// A second iteration of a body that can be read once.
    public static var bodyAlreadyRead: Self { Self(rawValue: "bodyAlreadyRead") }
    /// The bytes arrived, but their digest is not the expected one.
    public static var digestMismatch: Self { Self(rawValue: "digestMismatch") }
    /// The content is not what its content coding says: it is damaged or cut, or goes on after its
    /// end. Or it has too many codings.
    public static var contentDecodingFailed: Self { Self(rawValue: "contentDecodingFailed") }
    /// The request's body could not be produced. See `underlyingError`.
    public static var requestBodyFailed: Self { Self(rawValue: "requestBodyFailed") }
    /// Bytes were written to a request's body that has ended, so they are not sent. See
    /// `HTTPBodyWriter`.
    public static var requestBodyEnded: Self { Self(rawValue: "requestBodyEnded") }
    /// A time limit passed. See `timer`.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The body is empty, but an empty body is not accepted.
    public static var emptyResponse: Self { Self(rawValue: "emptyResponse") }
    /// The body arrived but is not what the caller expects. See `underlyingError`.
    public static var decodingFailed: Self { Self(rawValue: "decodingFailed") }
    /// Credentials could not be refreshed, for this call or for another one in the same refresh, or
    /// were refreshed too often. See `underlyingError`.
    public static var refreshFailed: Self { Self(rawValue: "refreshFailed") }
    /// A value cannot be encoded as the request's body; nothing was sent.
    public static var encodingFailed: Self { Self(rawValue: "encodingFailed") }
    /// A change added with ``HTTPRequest/modify(_:)`` failed. See `underlyingError`.
    public static var preparationFailed: Self { Self(rawValue: "preparationFailed") }
    /// The body could not be written to its file.
    public static var fileNotWritten: Self { Self(rawValue: "fileNotWritten") }
    /// Too many requests are waiting already.
    public static var queueFull: Self { Self(rawValue: "queueFull") }
    /// No connection or permit became free in time.
    public static var queueTimedOut: Self { Self(rawValue: "queueTimedOut") }
    /// The session was closed before or during the call.
    public static var sessionClosed: Self { Self(rawValue: "sessionClosed") }
    /// A failure of this package or of a library below it. Please report it.
    public static var internalFailure: Self { Self(rawValue: "internalFailure") }
}
