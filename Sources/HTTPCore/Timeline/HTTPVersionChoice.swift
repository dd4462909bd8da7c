/// A step in the choice of an exchange's version of HTTP, as far as the transport makes it.
///
/// TLS chooses between HTTP/2 and HTTP/1.1 while it connects. HTTP/3 uses another protocol below,
/// so it is chosen before: because the request asks for it, or because the server has announced it
/// (`Alt-Svc`, RFC 7838). An exchange can have several steps, such as
/// ``announced(_:host:port:)`` and then ``failed(_:reason:)``.
public enum HTTPVersionChoice: Sendable, Hashable {
    /// The request asks for the version, and no other one is used.
    case requested(HTTPVersion)
    /// The version is used because the server has announced it, for this host and port.
    case announced(HTTPVersion, host: String, port: Int)
    /// The server has announced the version, but this exchange does not use it, for this reason.
    case passedOver(HTTPVersion, reason: String)
    /// The version was tried and could not be used, for this reason. The exchange goes on over an
    /// earlier one.
    case failed(HTTPVersion, reason: String)
}

extension HTTPVersionChoice: CustomStringConvertible {
    /// A clause such as `HTTP/3 was announced for example.com:443`.
    public var description: String {
        switch self {
        case .requested(let version): "\(version) was requested"
        case .announced(let version, let host, let port):
            "\(version) was announced for \(host.escapingControls()):\(port)"
        case .passedOver(let version, let reason):
            "\(version) was not used: \(reason.escapingControls())"
        case .failed(let version, let reason): "\(version) failed: \(reason.escapingControls())"
        }
    }
}
