public import HTTPCore
import PortableFoundation

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

/// The host and port to connect to instead of the URL's: `request[ConnectTarget.self] = …`, for a
/// canary or a test. The URL's host and port stay in `Host`, in certificates and in the name that
/// TLS asks for.
///
/// The target is bound to the origin that it was given for. A redirect to another origin connects
/// to the host and port of its URL.
public struct ConnectTarget: Hashable, Sendable {
    /// The host in lower case. An IPv6 address is in brackets.
    package let host: String
    package let port: Int

    /// - Parameter host: The host in the form of ``HTTPOrigin/host``.
    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// - Parameter text: `host:port`.
    /// - Throws: `invalidRequest` if `text` is not `host:port`.
    public init(_ text: String) throws(HTTPError) {
        guard let url = try? URL(strictly: "http://\(text)"), url.absoluteString.hasSuffix(text),
            url.path.isEmpty, url.query == nil, url.fragment == nil, url.user == nil,
            let origin = try? HTTPOrigin(url), text.last != "]", text.last != ":",
            text.contains(":")
        else {
            throw HTTPError(
                .invalidRequest, "\(text.logSafe) is not host:port", phase: .preparing)
        }
        host = origin.host
        port = origin.port
    }
}

extension ConnectTarget: HTTPTransportOption {
    /// `nil` means the host and port of the URL.
    public static var defaultValue: ConnectTarget? { nil }
    public static func isBoundToOrigin(_ value: ConnectTarget?) -> Bool { value != nil }
}

/// The address of this machine that connections come from: `request[LocalAddress.self] = …`.
public struct LocalAddress: Hashable, Sendable {
    package let address: IPAddress

    /// Creates the option. The address must be one of this machine, or connecting fails.
    public init(_ address: IPAddress) { self.address = address }
}

extension LocalAddress: HTTPTransportOption {
    /// `nil` leaves it to the system.
    public static var defaultValue: LocalAddress? { nil }
}
