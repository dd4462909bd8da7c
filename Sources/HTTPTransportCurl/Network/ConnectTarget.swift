public import HTTPCore
import PortableFoundation

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
