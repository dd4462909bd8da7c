import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPTransportCurl

/// Hosts with several addresses, of which some do not respond (RFC 8305).
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: FullListener.Host.loopback(2).exists, "127.0.0.2 is no address of this machine"))
struct CurlTransportAddressesTests {
    /// A server on 127.0.0.1, and loopback addresses on which nothing responds at its port.
    private final class Place: Sendable {
        let server: LoopbackServer
        private let dead: [FullListener]

        init(dead hosts: [FullListener.Host]) throws {
            let server = try LoopbackServer { _ in .ok("here") }
            self.server = server
            dead = try hosts.map { try FullListener($0, port: UInt16(server.port)) }
        }

        deinit { for listener in dead { listener.close() } }

        func request(_ host: String = "several.test") throws -> HTTPRequest {
            try HTTPRequest(.get, "http://\(host):\(server.port)/")
        }
    }

    private static func transport(
        _ addresses: [String], _ change: (inout CurlConfiguration) throws -> Void = { _ in }
    ) throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.timeouts.connect = .after(.seconds(60))
        configuration.addresses["several.test"] = addresses.compactMap { IPAddress($0) }
        try change(&configuration)
        return try CurlTransport(configuration)
    }

    /// The longest time that a request may take, of which most is for a machine that is busy.
    private static let patience = Duration.seconds(12)

    private static func check(_ session: CurlTransport, _ request: HTTPRequest) async throws {
        let start = ContinuousClock.now
        let response = try await session.response(for: request)
        #expect(try await response.text() == "here")
        #expect(ContinuousClock.now - start < patience)
        #expect(response.timeline.exchanges.last?.remoteHost == "127.0.0.1")
    }

    static let hosts: [([FullListener.Host], [String])] = [
        ([.loopback(2)], ["127.0.0.2", "127.0.0.1"]),
        (
            [.loopback(2), .loopback(3), .loopback(4), .loopback(5)],
            ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.1"]
        ),
        // Nothing listens there: connecting fails at once.
        ([.loopback(2)], ["127.0.0.9", "127.0.0.2", "127.0.0.8", "127.0.0.1"]),
    ]

    @Test(arguments: hosts)
    func `another address is tried soon, any number of them`(
        dead: [FullListener.Host], addresses: [String]
    ) async throws {
        try await Self.checkTwice(dead, addresses)
    }

    @Test(
        .enabled(if: FullListener.Host.ipv6.exists, "this machine has no IPv6"),
        arguments: [["::1", "127.0.0.2", "127.0.0.1"], ["127.0.0.2", "::1", "127.0.0.1"]])
    func `an address of either family is tried soon`(addresses: [String]) async throws {
        try await Self.checkTwice([.ipv6, .loopback(2)], addresses)
    }

    private static func checkTwice(
        _ dead: [FullListener.Host], _ addresses: [String]
    ) async throws {
        let place = try Place(dead: dead)
        let session = try transport(addresses)
        try await check(session, try place.request())
        // The connection is kept, and its address is known to the next request, too.
        try await check(session, try place.request())
        #expect(place.server.connections.accepted == 1)
    }

    @Test func `requests that start together are all served`() async throws {
        let place = try Place(dead: [.loopback(2)])
        let session = try Self.transport(["127.0.0.2", "127.0.0.1"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { try await Self.check(session, try place.request()) }
            }
            try await group.waitForAll()
        }
        #expect(await session.statistics().openSockets <= 6)
    }

    @Test func `the addresses of a resolver are tried alike`() async throws {
        let place = try Place(dead: [.loopback(2), .loopback(3)])
        let session = try Self.transport([]) {
            $0.addresses = [:]
            $0.resolver = { _, _ in
                HostAddresses(
                    ["127.0.0.2", "127.0.0.3", "127.0.0.1"].compactMap { IPAddress($0) },
                    lifetime: .seconds(60))
            }
        }
        try await Self.check(session, try place.request())
    }

    @Test func `the addresses of a proxy are tried alike`() async throws {
        let place = try Place(dead: [.loopback(2), .loopback(3)])
        let session = try Self.transport(["127.0.0.2", "127.0.0.3", "127.0.0.1"]) {
            $0.proxies.http = try ProxyServer("http://several.test:\(place.server.port)")
        }
        let response = try await session.response(for: try place.request("elsewhere.test"))
        #expect(try await response.text() == "here")
    }

    @Test func `an address that the policy forbids is never connected to`() async throws {
        let place = try Place(dead: [.loopback(2)])
        let session = try Self.transport(["127.0.0.2", "127.0.0.1"]) {
            $0.timeouts.connect = .after(.seconds(2))
            $0.addressPolicy.denied = ["127.0.0.1/32"].compactMap(AddressRange.init)
        }
        let error = try #require(
            await #expect(throws: HTTPError.self) {
                _ = try await session.response(for: try place.request())
            })
        #expect(error.code == .timedOut)
        #expect(place.server.connections.accepted == 0)
    }

    @Test func `a kept connection serves no request that may not go to its address`() async throws {
        let place = try Place(dead: [.loopback(2)])
        let session = try Self.transport(["127.0.0.2", "127.0.0.1"])
        try await Self.check(session, try place.request())
        var request = try place.request()
        var policy = AddressPolicy.any
        policy.denied = ["127.0.0.1/32"].compactMap(AddressRange.init)
        request[AddressPolicy.self] = policy
        request.timeouts.connect = .after(.seconds(2))
        await #expect(throws: HTTPError.self) { _ = try await session.response(for: request) }
        #expect(place.server.log.count == 1)
    }

    @Test func `the limit to connect counts for all addresses together`() async throws {
        let place = try Place(dead: [.loopback(2), .loopback(3), .loopback(4)])
        let session = try Self.transport(["127.0.0.2", "127.0.0.3", "127.0.0.4"]) {
            $0.timeouts.connect = .after(.seconds(1))
        }
        let start = ContinuousClock.now
        let error = try #require(
            await #expect(throws: HTTPError.self) {
                _ = try await session.response(for: try place.request())
            })
        #expect(error.code == .timedOut)
        #expect(ContinuousClock.now - start < Self.patience)
        #expect(await session.statistics().openSockets == 0)
    }

    /// Tells when an address is tried.
    private final class Attempts: HTTPObserver {
        let addresses = Record<String>()

        func observe(_ event: HTTPEvent) {
            if case .connecting(let address) = event.kind { addresses.add(address) }
        }
    }

    @Test func `each attempt is an event, and cancelling ends them all`() async throws {
        let place = try Place(dead: [.loopback(2), .loopback(3), .loopback(4)])
        let session = try Self.transport(["127.0.0.2", "127.0.0.3", "127.0.0.4"])
        let attempts = Attempts()
        let request = try place.request().beginningCall(observer: attempts)
        let task = Task { _ = try await session.response(for: request) }
        try await attempts.addresses.wait(for: 3)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let port = place.server.port
        #expect(
            attempts.addresses.entries
                == ["127.0.0.2:\(port)", "127.0.0.3:\(port)", "127.0.0.4:\(port)"])
        #expect(await session.statistics().openSockets == 0)
    }

    @Test(arguments: [Duration.zero, .milliseconds(9), .seconds(-1)])
    func `a delay that is too short is refused`(delay: Duration) {
        #expect(throws: HTTPError.self) {
            _ = try Self.transport(["127.0.0.1"]) { $0.connectionAttemptDelay = delay }
        }
    }
}
