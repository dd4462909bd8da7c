import HTTPCodings
public import HTTPCore
import PortableFoundation

/// The configuration of a ``CurlTransport``. Every setting takes effect: a transport cannot be
/// created with a value that is out of range, or that the linked libcurl cannot honour.
public struct CurlConfiguration: Sendable {
    // MARK: Time

    /// The limits that ``/HTTPCore/HTTPTimeouts/Limit/standard`` means in requests. A
    /// ``/HTTPCore/HTTPTimeouts/Limit/standard`` here means 10 s to connect, 60 s idle, and no
    /// other limit. A limit for TLS needs a libcurl that uses OpenSSL.
    public var timeouts = HTTPTimeouts()

    // MARK: Threads

    /// The number of event loops, 1…64. Each has its own thread, and each origin belongs to one of
    /// them. One loop serves tens of thousands of small requests per second.
    public var eventLoops = 1

    // MARK: Connections

    /// The maximum number of exchanges that run at a time per origin, and thus of connections that
    /// HTTP/1.1 opens. Further exchanges wait for their turn in order. At least 1. An origin that
    /// speaks HTTP/2 or HTTP/3 gets 100. Requests that cannot use HTTP/2, those over HTTP/3, and
    /// those with a body over HTTP/3 are counted separately.
    public var maximumConnectionsPerOrigin = 128

    /// A limit on the number of open connections to all origins, or `nil` for no limit. The
    /// connection that has been idle for longest makes room for a new one. The event loops have
    /// equal shares, so the limit is at least the number of event loops. Requests with a body over
    /// HTTP/3 have connections beyond it.
    public var maximumConnections: Int?

    /// A limit on the exchanges that wait for their turn at one origin. One more fails with
    /// `queueFull`.
    public var maximumWaitingPerOrigin = 100_000

    /// A limit on the time that an exchange waits for its turn. When it has passed, the exchange
    /// fails with `queueTimedOut`. A deadline and a total limit also apply while an exchange waits.
    public var queueTimeout: Duration?

    /// The time that a connection may be idle and still be used again, in whole seconds. It is
    /// closed within 2 s after that. If a server announces less (`Keep-Alive: timeout=5`), that
    /// time less 2 s applies, to allow for the time on the network.
    public var idleConnectionTimeout: Duration = .seconds(60)

    /// The age up to which a connection may be used again, in whole seconds, or `nil` for no limit.
    /// A limit makes the transport follow changes of DNS names.
    public var connectionLifetime: Duration? = .seconds(600)

    /// The maximum number of requests that one connection carries, or `nil` for no limit. At least
    /// 1. A limit spreads the load over the servers behind a name, and ends a connection before the
    /// server does: stay below the server's own limit (`keepalive_requests`).
    ///
    /// A connection of HTTP/1.1 is closed after this number of exchanges. One of HTTP/2 or HTTP/3
    /// gets no further stream; those under way go on, and the connection is closed after the last
    /// one. The next request opens another connection. No connection ever carries more, but it may
    /// carry fewer: over TLS, as long as the server's version is not known, if a request that was
    /// counted has ended before it was sent, and to a Unix socket to which there are several
    /// connections. Over HTTP/3, a connection is closed when it has been idle for too long.
    public var maximumRequestsPerConnection: Int?

    /// The time that sent data may remain unacknowledged before the connection is closed
    /// (`TCP_USER_TIMEOUT`, on Linux). This detects that a network has gone. `nil` leaves it to the
    /// system, which waits some 15 minutes. A server that reads nothing for so long also counts as
    /// gone.
    ///
    /// This is a setting of TCP. Over HTTP/3, it limits the wait for the first sign of life after a
    /// request was sent, on Linux, to no less than 2 s. An idempotent request is sent again, once,
    /// after 3 s of silence, or after half of its own time. Only the request's own limits end the
    /// wait for a server that stops later.
    public var unacknowledgedTimeout: Duration? = .seconds(30)

    // MARK: HTTP/3

    /// The condition for requests to go over HTTP/3.
    public enum HTTP3: Hashable, Sendable {
        /// The request asks for it (``/HTTPCore/HTTPRequest/version``).
        case onRequest
        /// The request asks for it; or it has no body, and the origin has announced HTTP/3 in a
        /// response over verified TLS (`Alt-Svc`, RFC 7838), and a connection could be opened. See
        /// the property ``CurlConfiguration/http3-swift.property``.
        case whenAnnounced
    }

    /// The condition for requests to go over HTTP/3. `.whenAnnounced` needs a library with HTTP/3
    /// (``CurlLibrary/speaksHTTP3``).
    ///
    /// With `.whenAnnounced`, the first requests to an origin go over HTTP/2 or HTTP/1.1. Once a
    /// response has announced HTTP/3, the next request makes the transport open a connection, and
    /// requests that have no body and name no version go over HTTP/3 when it is open. Nothing waits
    /// for that. A request for which HTTP/3 cannot be connected later, within 0.3 s or four times
    /// the time that the first connection took, but at most 2 s or half of the request's own time,
    /// goes over HTTP/2. The origin's HTTP/3 then rests for 5 minutes, and twice as long after each
    /// further failure, up to a day. A certificate that is not accepted fails the request that
    /// meets it.
    ///
    /// An announcement is kept in memory, for its origin, until it expires. The server at the
    /// announced place must have a certificate that names the origin's host. Requests through a
    /// proxy or a Unix socket, to a ``ConnectTarget``, with ``RequestTrailers``, without
    /// verification, or with TLS 1.2 as the latest version, do not use an announced service.
    public var http3 = HTTP3.onRequest

    // MARK: Trust and routing

    /// The trust settings and the options of TLS connections. A request may have its own settings.
    public var tls = TLSSettings()

    /// The addresses that the transport may connect to. A request may have its own policy.
    public var addressPolicy = AddressPolicy.any

    /// The proxies that requests go through. A request may have its own settings. For the proxies
    /// of the environment: `try .environment()`.
    public var proxies = ProxySettings.none

    /// The addresses of hosts that are not looked up, in the order in which they are tried.
    public var addresses: [String: [IPAddress]] = [:]

    /// A closure that looks up hosts in place of the system: for service discovery, or for DNS over
    /// HTTPS. `nil` leaves the look-up to libcurl, which asks the system.
    ///
    /// ```swift
    /// configuration.resolver = { host, port in
    ///     HostAddresses(try await registry.addresses(of: host), lifetime: .seconds(30))
    /// }
    /// ```
    ///
    /// The closure gets a host in the form of ``/HTTPCore/HTTPOrigin/host`` and a port. It is asked
    /// when a request may need a new connection and no answer is known that is younger than its
    /// ``HostAddresses/lifetime``. It is not asked for IP addresses, hosts in ``addresses``,
    /// `localhost` and the names below it (RFC 6761 §6.3), or while a kept connection serves the
    /// request. All requests of an event loop that need a host at a port wait for one call of the
    /// closure. It runs in a task of its own, with the priority of the first request and without
    /// its deadline and task-local values. The task is cancelled when no request waits for it any
    /// more. The time that a request waits counts as part of its limit to connect.
    ///
    /// The request fails with `nameNotResolved` if the closure throws any error, which is then the
    /// underlying error, or if it returns no address of the ``addressFamily``. Nothing of a failure
    /// is kept. The ``addressPolicy`` applies to the addresses; `Host` and TLS still use the URL's
    /// host. A request with a ``ConnectTarget`` asks for the target's host, and one through a proxy
    /// for the proxy's; with `socks4` and `socks5`, which take addresses, for the server's host,
    /// too. A request that libcurl sends again by itself goes to the addresses of the last answer.
    ///
    /// The closure may send requests over the same transport, but only to hosts for which it need
    /// not be asked. Others fail with `nameNotResolved`, since they would wait for themselves.
    public var resolver: (@Sendable (_ host: String, _ port: Int) async throws -> HostAddresses)?

    /// The time from one attempt to connect to the next one, which goes to another address of the
    /// host. The families take turns, and earlier attempts go on; the first one that connects is
    /// used (RFC 8305 §5). If an attempt fails, the next one begins at once. It must be at least
    /// 10 ms.
    ///
    /// With libcurl before 8.16, the addresses are looked up once more for that, by the system.
    /// This does not happen on Apple's systems, where such a library tries only one address of each
    /// family at a time.
    public var connectionAttemptDelay: Duration = .milliseconds(250)

    /// The families of addresses to connect to.
    public enum AddressFamily: Hashable, Sendable {
        /// Both, the one that connects first.
        case any
        /// IPv4 only.
        case ipv4
        /// IPv6 only.
        case ipv6
    }

    /// The family of the addresses that are used.
    public var addressFamily = AddressFamily.any

    // MARK: Bodies

    /// `true` if the transport asks for content codings and decodes them: those of gzip, deflate,
    /// br and zstd whose libraries are in the process, as ``CurlLibrary/contentCodings`` says. It
    /// does not if a request itself sets `Accept-Encoding` or `Range`. A decoded response has no
    /// `Content-Encoding` and no `Content-Length`.
    ///
    /// The task that reads a body decodes it, as far as it reads. Content that is damaged, that
    /// ends before its coding does or goes on after it, or that has more than three codings, is
    /// `contentDecodingFailed`. Content in a coding that is not known is passed on as it is, with
    /// its `Content-Encoding`.
    public var decodesContent = true

    /// A limit on the ratio of a decoded body's length to the length of the bytes of the wire that
    /// it was decoded from. It applies once the body is longer than 16 MiB, and to each of several
    /// codings; a body beyond it fails with `bodyTooLarge`. The most that gzip can reach is 1032.
    ///
    /// With `nil`, a body of a few bytes can become as long as its reader lets it.
    public var maximumExpansion: Int? = ContentDecoder.usualExpansion

    /// A limit on the length of a response's body, in bytes after decoding. A longer body fails
    /// with `bodyTooLarge`. `nil` leaves only the limit of the reader.
    public var maximumBodyLength: Int64?

    /// The watermarks of a streamed body, in bytes. Receiving pauses above `highWater` and resumes
    /// below `lowWater`, so a slow reader slows the server down.
    public var highWater = 256 << 10
    /// The number of bytes below which a paused body is read on.
    public var lowWater = 64 << 10

    /// The time after which a paused transfer over HTTP/3 keeps its connection alive; shorter only
    /// in tests. Few servers close an idle connection so early.
    var keepAliveInterval: Duration = .seconds(3)

    /// `true` if the loop itself reads bytes of a file that the system has in memory; `false` only
    /// in tests. Otherwise a task reads all of the file, as it does if the system cannot report
    /// what is in memory.
    var readsCachedFiles = true

    /// Creates a configuration with the defaults.
    public init() {}
}

// MARK: - Validation

extension CurlConfiguration {
    func check() throws(HTTPError) {
        func refuse(_ reason: String) -> HTTPError {
            HTTPError(
                .invalidRequest, "the transport's configuration: \(reason)", phase: .preparing)
        }
        for (name, count) in [
            ("maximumConnectionsPerOrigin", maximumConnectionsPerOrigin),
            ("maximumConnections", maximumConnections ?? 1),
            ("maximumRequestsPerConnection", maximumRequestsPerConnection ?? 1),
            ("maximumExpansion", maximumExpansion ?? 1),
        ] where count < 1 || count > Int32.max {
            throw refuse("\(name) is \(count): it must be at least 1 and less than 2^31")
        }
        guard (1...64).contains(eventLoops) else {
            throw refuse("eventLoops is \(eventLoops): it must be in 1...64")
        }
        if let maximumConnections, maximumConnections < eventLoops {
            throw refuse(
                "maximumConnections is less than eventLoops: each event loop needs at least one")
        }
        guard maximumWaitingPerOrigin >= 0, maximumBodyLength ?? 0 >= 0 else {
            throw refuse("maximumWaitingPerOrigin and maximumBodyLength must not be negative")
        }
        guard highWater >= 1, (0..<highWater).contains(lowWater) else {
            throw refuse("lowWater must not be negative and must be less than highWater")
        }
        do throws(HTTPError) {
            try timeouts.check()
        } catch {
            throw refuse(error.message)
        }
        for (name, duration, least) in [
            ("queueTimeout", queueTimeout, .nanoseconds(1)),
            ("idleConnectionTimeout", idleConnectionTimeout, .seconds(1)),
            ("connectionLifetime", connectionLifetime, .seconds(1)),
            ("unacknowledgedTimeout", unacknowledgedTimeout, .milliseconds(1)),
            ("connectionAttemptDelay", connectionAttemptDelay, .milliseconds(10)),
        ] as [(String, Duration?, Duration)] {
            if let duration, duration < least {
                throw refuse("\(name) is \(duration.readable), less than \(least.readable)")
            }
        }
        for proxy in [proxies.http, proxies.https] { try proxy?.check() }
        for (host, addresses) in addresses {
            guard let url = try? URL(strictly: "http://\(host)/"),
                let origin = try? HTTPOrigin(url),
                origin.host == host, IPAddress(host) == nil
            else { throw refuse("addresses: \(host.logSafe) is not a host name in lower case") }
            guard !addresses.isEmpty else { throw refuse("addresses: \(host) has no address") }
        }
    }

    /// The value of ``unacknowledgedTimeout`` for the system, in milliseconds; 0 for none.
    var userTimeoutMilliseconds: UInt32 {
        unacknowledgedTimeout.map { UInt32(clamping: min($0.nanoseconds / 1_000_000, 1 << 31)) }
            ?? 0
    }
}

extension Duration {
    /// The duration in whole seconds, as libcurl takes it.
    var curlSeconds: Int { Int(min(wholeSeconds, Int64(Int32.max))) }
}

extension CurlConfiguration.AddressFamily {
    /// Returns those of the addresses that can be used.
    func usable(_ addresses: [IPAddress]) -> [IPAddress] {
        let fitting = addresses.lazy.filter { address in
            switch self {
            case .any: true
            case .ipv4: address.isIPv4
            case .ipv6: !address.isIPv4
            }
        }
        return Array(fitting.prefix(HostAddresses.limit))
    }
}
