import HTTPCore

/// The properties that decide which connections an exchange can use, and in which queue it waits.
struct ConnectionRoute: Hashable, Sendable {
    let origin: HTTPOrigin
    /// The TLS context for the server, or `nil` if the origin is not reached over TLS.
    var tls: TLSContext?
    var proxy: ProxyServer?
    /// The TLS context for the proxy, or `nil` if no proxy is reached over TLS.
    var proxyTLS: TLSContext?
    var unixSocket: String?
    var target: ConnectTarget?
    var localAddress: IPAddress?
    var protocols = Protocols.best

    /// The protocols offered over TLS. Their connections are kept apart: libcurl would give an
    /// HTTP/1.1 connection to a request that asks for HTTP/2, and conclude that the server cannot
    /// multiplex.
    enum Protocols {
        /// HTTP/2, if the library supports it, and HTTP/1.1.
        case best
        case http1Alone
        case http3Alone
        /// HTTP/3, with one exchange at a time on each connection. Requests with a body go there if
        /// the library has ``LibraryDefect/fatalCancellation``.
        case http3Single

        var isHTTP3: Bool { self == .http3Alone || self == .http3Single }
    }

    /// `true` if a server that is not yet known may speak a version that multiplexes.
    var mayMultiplex: Bool {
        origin.scheme == .https && (protocols == .best || protocols == .http3Alone)
    }

    /// The proxy that reads the request and may itself respond to it (RFC 9112 §3.2.2).
    var forwardingProxy: ProxyServer? {
        origin.scheme == .http && proxy?.scheme.isSOCKS == false ? proxy : nil
    }

    /// `true` if requests of this route may go over HTTP/3 because the server announces it, if the
    /// transport does so at all. The server must be authenticated, since it names another place.
    var mayFindHTTP3: Bool {
        guard origin.scheme == .https, protocols == .best, !hidesAddress, target == nil, let tls
        else { return false }
        return tls.settings.certificateVerification == .full
            && tls.settings.maximumVersion != .tls1_2
    }

    /// Returns the route to an HTTP/3 service of this route's origin.
    func route(to service: HTTP3Availability.Service) -> ConnectionRoute {
        var route = self
        route.protocols = .http3Alone
        if service.host != origin.host || service.port != origin.port {
            route.target = ConnectTarget(host: service.host, port: service.port)
        }
        return route
    }

    /// The names that libcurl looks up on this machine for its connections.
    var names: [HostLookups.Name] {
        guard unixSocket == nil else { return [] }
        let place = HostLookups.Name(host: place.host, port: place.port)
        guard let proxy else { return [place] }
        let own = HostLookups.Name(host: proxy.host, port: proxy.port)
        return proxy.scheme == .socks4 || proxy.scheme == .socks5 ? [own, place] : [own]
    }

    /// The host and port that connections are made to, unless there is a proxy or a Unix socket.
    var place: (host: String, port: Int) {
        target.map { ($0.host, $0.port) } ?? (origin.host, origin.port)
    }

    /// `true` if a proxy or a Unix socket hides the server's IP address from this machine.
    var hidesAddress: Bool { proxy != nil || unixSocket != nil }
}
