import HTTPCore

/// The settings of a connection to Redis or Valkey.
///
/// A secret: no description shows the password.
public struct HTTPRedisConfiguration: Sendable {
    /// The place where the server listens.
    public enum Address: Hashable, Sendable {
        /// A host, by name or address, and a port.
        case tcp(host: String, port: Int)
        /// The path of a Unix socket.
        case unix(path: String)
    }

    /// The place where the server listens. The connection is not encrypted: hiredis 0.14, that of
    /// Debian 12, has no TLS. Across machines, use a tunnel such as stunnel or WireGuard.
    public var address: Address
    /// The user for `AUTH`; `nil` for the default user.
    public var user: String?
    /// The password for `AUTH`; `nil` for none.
    public var password: String?
    /// The number of the database.
    public var database = 0
    /// The beginning of every key and channel. Programs with one server and one namespace share
    /// their state.
    public var namespace = "http"
    /// The time for a reply, from the moment at which a command is sent off. It also bounds the
    /// wait for a connection.
    public var timeout: Duration = .milliseconds(250)
    /// The time for a reply within a day, so that no sum with it is too large.
    var boundedTimeout: Duration { min(max(.zero, timeout), .seconds(86_400)) }
    /// The number of commands that may wait for a reply.
    public var pendingLimit = 10_000

    /// Creates the settings of a server on a host.
    public init(host: String = "127.0.0.1", port: Int = 6379) {
        address = .tcp(host: host, port: port)
    }

    /// Creates the settings of a server on a Unix socket.
    public init(unixSocket path: String) { address = .unix(path: path) }
}

extension HTTPRedisConfiguration: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    public var description: String {
        let place =
            switch address {
            case .tcp(let host, let port): "\(host):\(port)"
            case .unix(let path): path
            }
        return "redis at \(place), namespace \(namespace)".escapingControls()
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
