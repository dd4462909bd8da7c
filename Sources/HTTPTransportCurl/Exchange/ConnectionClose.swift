public import HTTPCore

/// An option to let a connection carry no further request: `request[ConnectionClose.self] = true`.
///
/// The request may use a kept connection. Over HTTP/1.1, it is sent with `Connection: close`
/// (RFC 9112 §9.6), and the connection is closed after its response. HTTP/2 and HTTP/3 have no such
/// field (RFC 9113 §8.2.2). There, the connection gets no further stream. Those under way go on,
/// and the connection is closed after the last one; over HTTP/3, once it has been idle for too
/// long.
///
/// The field `Connection` itself belongs to the transport: a request that contains it is refused.
/// Through a proxy that forwards requests, the connection is the one to the proxy.
public enum ConnectionClose: HTTPTransportOption {
    /// `false` leaves the connection to later requests.
    public static var defaultValue: Bool { false }
    public static var name: String { "Connection: close" }
}
