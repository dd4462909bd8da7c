import PortableLibc

/// A reason to give an exchange to libcurl once more, without the caller noticing. Each reason
/// counts once per exchange, so the number of starts is limited, unless it ``isRepeatable`` or
/// ``earlyInterim``, which counts twenty times.
///
/// Either nothing of the request was sent, or no server has acted on it, so that any method may
/// start again, or the method is idempotent.
enum FreshStart: UInt8, CaseIterable {
    /// The kept connection that libcurl chose had something to read before the request was written.
    case staleConnection
    /// The kept connection that libcurl chose may carry no further exchange.
    case spentConnection
    /// An interim response of the proxy came before it could be dropped, and libcurl has taken it
    /// for the final one.
    case earlyInterim
    /// No kept connection could be used, and the addresses that are known are too old for a new
    /// one.
    case addressesExpired
    /// No socket could be made for lack of descriptors. Idle connections have made room.
    case noDescriptors
    /// The server refused the expectation (417), and the whole body can be sent (RFC 9110 §10.1.1).
    case expectationRefused
    /// The server has refused the stream without processing it (RFC 9113 §8.7), and the whole body
    /// can be sent.
    case refused
    /// The kept connection that libcurl chose has a stream, and its server has not said yet how
    /// many it takes (RFC 9113 §6.5.2).
    case unsettledConnection
    /// Nothing has come over the HTTP/3 connection since the request was sent, and the request may
    /// be sent twice.
    case silentConnection
    /// The HTTP/3 connection has ended before a response, and the request may be sent twice.
    case lostConnection
    /// The HTTP/3 service that the server has announced could not be connected to.
    case http3Failed
    /// The announced service does not respond for the origin (421), and the whole body can be sent
    /// (RFC 9110 §15.5.20).
    case misdirected
}

extension FreshStart {
    /// `true` if the exchange waits for its turn again, as often as this happens.
    var isRepeatable: Bool { self == .refused || self == .unsettledConnection }

    /// Creates the reason for a socket error, or `nil` if another attempt would have the same
    /// error.
    init?(socketError: Int32) {
        guard socketError == EMFILE || socketError == ENFILE else { return nil }
        self = .noDescriptors
    }
}
