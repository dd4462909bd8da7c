public import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a ``CurlTransport`` works. Holds only settings that it honours; a bad one is refused when the
/// transport is made, and so is one that the linked libcurl cannot honour.
public struct CurlConfiguration: Sendable {
    // MARK: Time

    /// What ``HTTPTimeouts/Limit/standard`` stands for in requests: 10 s to connect, 60 s idle, none
    /// in total. A ``HTTPTimeouts/Limit/standard`` here means these.
    public var timeouts = HTTPTimeouts()

    // MARK: Threads

    /// How many event loops, each a thread of its own, share the origins among themselves; 1…64. One
    /// serves tens of thousands of small requests a second.
    public var eventLoops = 1

    // MARK: Connections

    /// How many exchanges run at a time per origin, and so how many connections HTTP/1.1 opens;
    /// further ones wait their turn in order. At least 1. An origin that speaks HTTP/2 gets 100, and
    /// requests that cannot go over it are counted for themselves.
    public var maximumConnectionsPerOrigin = 128

    /// How many connections are open at a time, to all origins; `nil` for no limit. The one longest
    /// idle makes room for a new one. At least as many as there are event loops, which have equal
    /// shares.
    public var maximumConnections: Int?

    /// How many exchanges may wait for their turn at one origin; one more fails with `queueFull`.
    public var maximumWaitingPerOrigin = 100_000

    /// How long an exchange may wait for its turn, before it fails with `queueTimedOut`. A deadline
    /// and a total limit hold while it waits in any case.
    public var queueTimeout: Duration?

    /// How long a connection may be idle and still serve another request, in whole seconds; it is
    /// closed within 2 s after that. Servers that announce less (`Keep-Alive: timeout=5`) are
    /// believed, less 2 s for the way.
    public var idleConnectionTimeout: Duration = .seconds(60)

    /// How old a connection may be and still serve another request, so that changes of names are
    /// followed; in whole seconds, `nil` for no limit.
    public var connectionLifetime: Duration? = .seconds(600)

    /// How long data that was sent may go without acknowledgement before its connection is given up
    /// (`TCP_USER_TIMEOUT`, on Linux): what finds out that a network has gone. `nil` leaves it to the
    /// system, some 15 minutes. A server that reads nothing for so long counts as gone, too.
    public var unacknowledgedTimeout: Duration? = .seconds(30)

    // MARK: Where to

    /// Whom to trust, and how to connect over TLS; a request may have settings of its own.
    public var tls = TLSSettings()

    /// Which addresses may be connected to; a request may have a policy of its own.
    public var addressPolicy = AddressPolicy.any

    /// Which requests go through which proxy; a request may have settings of its own. For those of
    /// the environment: `try .environment()`.
    public var proxies = ProxySettings.none

    /// The addresses of hosts that are not looked up; tried in this order.
    public var addresses: [String: [IPAddress]] = [:]

    public enum AddressFamily: Hashable, Sendable { case any, ipv4, ipv6 }

    /// Which addresses of a host are used.
    public var addressFamily = AddressFamily.any

    // MARK: Bodies

    /// Whether to ask for content codings (those libcurl has of gzip, deflate, br, zstd) and to
    /// decode them; off for a request that sets `Accept-Encoding` or `Range` itself. A decoded
    /// response has lost its `Content-Encoding` and `Content-Length`.
    ///
    /// Two kinds of response fail with `contentDecodingFailed`, since other exchanges on the loop wait
    /// while one is decoded: a response with more than one coding, and a response of which one read of
    /// 127 KiB takes more than 100 ms of processor time to decode or becomes longer than 26 MiB.
    public var decodesContent = true

    /// How many times as long as on the wire a body may become by decoding, once it is longer than
    /// 16 MiB; beyond, it fails with `bodyTooLarge`. `nil` for no limit but that of a single read, which
    /// ``decodesContent`` describes and which a body of more than 209 to 1 can reach. The most that
    /// gzip can reach is 1032.
    public var maximumExpansion: Int? = 200

    /// How long the body of a response may be, in bytes after decoding; a longer one fails with
    /// `bodyTooLarge`. `nil` for no limit but the reader's.
    public var maximumBodyLength: Int64?

    /// Of a streamed body, in bytes: receiving pauses above `highWater` and goes on below
    /// `lowWater`, so that a slow reader slows the server down.
    public var highWater = 256 << 10
    public var lowWater = 64 << 10

    /// Whether the loop reads of a file what the system has in memory. No setting, but for tests: a task reads all of
    /// it otherwise, as where the system cannot be asked.
    var readsCachedFiles = true

    public init() {}
}

// MARK: - What cannot be

extension CurlConfiguration {
    func check() throws(HTTPError) {
        func refuse(_ reason: String) -> HTTPError {
            HTTPError(
                .invalidRequest, "the transport's configuration: \(reason)", phase: .preparing)
        }
        for (name, count) in [
            ("maximumConnectionsPerOrigin", maximumConnectionsPerOrigin),
            ("maximumConnections", maximumConnections ?? 1),
            ("maximumExpansion", maximumExpansion ?? 1),
        ] where count < 1 || count > Int32.max {
            throw refuse("\(name) is \(count), not at least 1 and less than 2^31")
        }
        guard (1...64).contains(eventLoops) else {
            throw refuse("eventLoops is \(eventLoops), not in 1...64")
        }
        if let maximumConnections, maximumConnections < eventLoops {
            throw refuse("maximumConnections is less than eventLoops: some would have none")
        }
        guard maximumWaitingPerOrigin >= 0, maximumBodyLength ?? 0 >= 0 else {
            throw refuse("maximumWaitingPerOrigin and maximumBodyLength must not be negative")
        }
        guard highWater >= 1, (0..<highWater).contains(lowWater) else {
            throw refuse("lowWater must not be negative and be less than highWater")
        }
        for limit in [timeouts.connect, timeouts.idle, timeouts.total] {
            if case .after(let duration) = limit, duration <= .zero {
                throw refuse("a time limit of \(duration) is not positive: use .never")
            }
        }
        for (name, duration, least) in [
            ("queueTimeout", queueTimeout, .nanoseconds(1)),
            ("idleConnectionTimeout", idleConnectionTimeout, .seconds(1)),
            ("connectionLifetime", connectionLifetime, .seconds(1)),
            ("unacknowledgedTimeout", unacknowledgedTimeout, .milliseconds(1)),
        ] as [(String, Duration?, Duration)] {
            if let duration, duration < least {
                throw refuse("\(name) is \(duration), less than \(least)")
            }
        }
        for proxy in [proxies.http, proxies.https] { try proxy?.check() }
        for (host, addresses) in addresses {
            guard let url = try? URL(strictly: "http://\(host)/"),
                let origin = try? HTTPOrigin(url),
                origin.host == host, IPAddress(host) == nil
            else { throw refuse("addresses: \(host.logSafe) is no host name in lower case") }
            guard !addresses.isEmpty else { throw refuse("addresses: \(host) has none") }
        }
    }

    /// As the system takes it.
    var userTimeoutMilliseconds: UInt32 {
        unacknowledgedTimeout.map { UInt32(clamping: min($0.nanoseconds / 1_000_000, 1 << 31)) }
            ?? 0
    }
}

extension Duration {
    /// As libcurl takes it.
    var curlSeconds: Int { Int(min(wholeSeconds, Int64(Int32.max))) }
}
