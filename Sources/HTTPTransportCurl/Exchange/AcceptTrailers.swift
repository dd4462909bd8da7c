public import HTTPCore

/// An option to ask the server for a trailer section: `request[AcceptTrailers.self] = true`.
///
/// The request is sent with `TE: trailers` (RFC 9110 §10.1.4). Some servers, such as those of gRPC,
/// send trailers only then; others send them in any case. They are in
/// ``/HTTPCore/HTTPResponse/trailers`` once the body has ended.
///
/// The field `TE` itself belongs to the transport: a request that contains it is refused.
public enum AcceptTrailers: HTTPTransportOption {
    /// `false` does not ask for trailers, and takes those that come.
    public static var defaultValue: Bool { false }
    public static var name: String { "TE: trailers" }
}
