public import HTTPCore

/// A socket in the file system that stands for an origin: `request[UnixSocket.self] = …`.
///
/// Only a request with this option uses the socket, and only for the origin that the socket is
/// bound to. A request that a redirect took to another origin is refused and not sent.
public struct UnixSocket: Hashable, Sendable {
    /// The path of the socket. On Linux, a path that begins with `@` is an abstract name.
    package let path: String
    package let origin: HTTPOrigin

    /// - Throws: `invalidRequest` if the path is not 1 to 107 bytes, is only `@`, or contains a
    ///   NUL.
    public init(_ path: String, for origin: HTTPOrigin) throws(HTTPError) {
        // The size of `sun_path` without the NUL at its end.
        guard (1...107).contains(path.utf8.count), path != "@", !path.utf8.contains(0) else {
            throw HTTPError(
                .invalidRequest, "a Unix socket's path is 1 to 107 bytes, none of them NUL",
                phase: .preparing)
        }
        self.path = path
        self.origin = origin
    }
}

extension UnixSocket: HTTPTransportOption {
    /// `nil` means no socket.
    public static var defaultValue: UnixSocket? { nil }
}
