import HTTPCore

/// All that decides which connections an exchange can use, and in which queue it waits for one.
struct ConnectionRoute: Hashable, Sendable {
    let origin: HTTPOrigin
    /// `nil` where neither the origin nor a proxy is reached over TLS.
    var tls: TLSContext?
    var proxy: ProxyServer?
    var unixSocket: String?
    var target: ConnectTarget?
    var localAddress: IPAddress?
    var protocols = Protocols.best

    /// What is offered over TLS. Kept apart, since libcurl would give a connection of HTTP/1.1 to a
    /// request that asks for HTTP/2, and take its server for one that cannot multiplex.
    enum Protocols {
        /// HTTP/2, where the library has it, and HTTP/1.1.
        case best
        case http1Alone
        case http3Alone
    }

    /// Whether a server not known yet may speak a version that multiplexes.
    var mayMultiplex: Bool { origin.scheme == .https && protocols != .http1Alone }

    /// The proxy that reads the request, and may answer it itself (RFC 9112 §3.2.2).
    var forwardingProxy: ProxyServer? {
        origin.scheme == .http && proxy?.scheme.isSOCKS == false ? proxy : nil
    }

    /// The name of the IP address that connections are made to is not this machine's to judge.
    var hidesAddress: Bool { proxy != nil || unixSocket != nil }
}
