public import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A socket in the file system that stands for an origin: `request[UnixSocket.self] = …`.
///
/// Only a request that says so goes there, and only to the origin that it is bound to: one that a
/// redirect took to another origin is refused, not sent.
public struct UnixSocket: Hashable, Sendable {
    /// Of the socket; on Linux, an abstract name where it begins with `@`.
    public let path: String
    public let origin: HTTPOrigin

    /// - Throws: `invalidRequest` when the system has no room for such a path.
    public init(_ path: String, for origin: HTTPOrigin) throws(HTTPError) {
        // `sun_path`, with a NUL at its end.
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
    /// `nil` is none.
    public static var defaultValue: UnixSocket? { nil }
    public static var name: String { "Unix socket" }
}

/// Where to connect to instead of the URL's host and port, which stay in `Host`, in certificates and
/// in the name that TLS asks for: `request[ConnectTarget.self] = …`, for a canary or a test.
///
/// Bound to the origin that it was given for: a redirect to another one connects to what its URL
/// says.
public struct ConnectTarget: Hashable, Sendable {
    /// In lower case; an IPv6 address in brackets.
    public let host: String
    public let port: Int

    /// - Parameter text: `host:port`.
    /// - Throws: `invalidRequest` when it is none.
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
    /// `nil` is the URL's.
    public static var defaultValue: ConnectTarget? { nil }
    public static var name: String { "connect target" }
    public static func isBoundToOrigin(_ value: ConnectTarget?) -> Bool { value != nil }
}

/// The address of this machine that connections come from: `request[LocalAddress.self] = …`.
public struct LocalAddress: Hashable, Sendable {
    public let address: IPAddress

    public init(_ address: IPAddress) { self.address = address }
}

extension LocalAddress: HTTPTransportOption {
    /// `nil` leaves it to the system.
    public static var defaultValue: LocalAddress? { nil }
    public static var name: String { "local address" }
}
