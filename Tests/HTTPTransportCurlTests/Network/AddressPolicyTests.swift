import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import Testing

@testable import HTTPTransportCurl

@Suite(.timeLimit(.minutes(5))) struct AddressPolicyTests {
    private static func permits(_ policy: AddressPolicy, _ text: String, port: Int = 80) throws
        -> Bool
    {
        policy.permits(try #require(IPAddress(text)), port: port)
    }

    @Test(
        arguments: [
            // The first and the last of each range that is refused, and their neighbours.
            "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0",
            "100.127.255.255", "100.100.100.200", "127.0.0.1", "127.255.255.255", "169.254.0.0",
            "169.254.169.254", "169.254.170.2", "169.254.255.255", "168.63.129.16", "172.16.0.0",
            "172.31.255.255", "192.0.0.0", "192.0.0.192", "192.0.2.1", "192.88.99.1",
            "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.7",
            "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.0", "255.255.255.255",
            // IPv6 of its own.
            "::", "::1", "::2", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fd00:ec2::254",
            "fdff::1", "ff02::1", "ff0e::1", "100::1", "100:0:0:1::1", "2001:db8::1", "3fff::1",
            "3fff:fff::1", "5f00::1", "2001::1", "2001:1::1", "2001:10::1", "2001:20::1",
            "2001:1ff::1", "3ffe::1", "1fff::1", "4000::1", "64:ff9b:1::808:808",
            // IPv4 inside.
            "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0.0.0.0",
            "::127.0.0.1", "::8.8.8.8", "::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8",
            "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b::c0a8:1", "2002:7f00:1::",
            "2002:a9fe:a9fe::1", "2002:0a00:0001::", "2001:0:7f00:1::",
            "2a00:1450::5efe:10.0.0.1", "2a00:1450::200:5efe:192.168.0.1",
            "fd00::5efe:8.8.8.8",
        ])
    func `no address that is not public is public`(text: String) throws {
        #expect(try !Self.permits(.publicOnly, text))
        #expect(try Self.permits(.any, text))
    }

    @Test(
        arguments: [
            "1.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255",
            "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0",
            "168.63.129.15", "168.63.129.17", "172.15.255.255", "172.32.0.0", "191.255.255.255",
            "192.0.1.0", "192.0.3.0", "192.88.98.1", "192.88.100.1", "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0",
            "203.0.112.255", "203.0.114.0", "223.255.255.255",
            "2606:4700:4700::1111", "2a00:1450:4001::200e", "2001:200::1", "2001:4860:4860::8888",
            "2000::1", "2001:db9::1", "3ffd::1", "2400:cb00::1",
            "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "2a00:1450::5efe:8.8.8.8",
        ])
    func `what is public is`(text: String) throws {
        #expect(try Self.permits(.publicOnly, text))
    }

    @Test func `what is denied is refused, also when it is allowed, and inside IPv6`() throws {
        var policy = AddressPolicy.any
        policy.denied = ["8.8.8.0/24", "2606::/16"].compactMap(AddressRange.init)
        policy.allowed = ["8.8.8.8"].compactMap(AddressRange.init)
        for text in ["8.8.8.8", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::", "2606::1"] {
            #expect(try !Self.permits(policy, text), "\(text)")
        }
        #expect(try Self.permits(policy, "8.8.9.8"))
    }

    @Test func `what is allowed is permitted, as it is and mapped, not by way of others`() throws {
        var policy = AddressPolicy.publicOnly
        policy.allowed = ["10.1.0.0/16", "fd00:1::/32"].compactMap(AddressRange.init)
        for text in ["10.1.2.3", "::ffff:10.1.2.3", "fd00:1::7"] {
            #expect(try Self.permits(policy, text), "\(text)")
        }
        for text in ["10.2.0.1", "64:ff9b::10.1.2.3", "2002:a01:203::", "fd00:2::7"] {
            #expect(try !Self.permits(policy, text), "\(text)")
        }
    }

    @Test func `only the ports that are named are permitted, even of allowed addresses`() throws {
        var policy = AddressPolicy.publicOnly
        policy.ports = [443]
        policy.allowed = ["127.0.0.1"].compactMap(AddressRange.init)
        #expect(try Self.permits(policy, "8.8.8.8", port: 443))
        #expect(try Self.permits(policy, "127.0.0.1", port: 443))
        #expect(try !Self.permits(policy, "8.8.8.8", port: 22))
        #expect(try !Self.permits(policy, "127.0.0.1", port: 80))
    }

    @Test(
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::1", false),
            ("1.2.3.4", "1.2.3.4", true), ("1.2.3.4/32", "1.2.3.5", false),
            ("172.16.0.0/12", "172.31.0.1", true), ("172.16.0.0/12", "172.32.0.1", false),
            ("::/0", "ffff::", true), ("fe80::/10", "febf::1", true),
            ("fe80::/10", "fec0::1", false), ("[::1]", "::1", true),
        ])
    func `a range holds what its prefix says`(range: String, address: String, holds: Bool) throws {
        let range = try #require(AddressRange(range))
        #expect(range.contains(try #require(IPAddress(address))) == holds)
    }

    @Test(
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.1/8",
            "::1/64", "fe80::/129", "10.0.0/8", "host/8", "10.0.0.0/+8", "[10.0.0.1]", "::1%lo",
            "010.0.0.1", "0x7f.0.0.1",
        ])
    func `what is no range is none`(text: String) { #expect(AddressRange(text) == nil) }

    // MARK: On the wire

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a forbidden address is not connected to`(host: String) async throws {
        let server = try LoopbackServer { _ in .ok() }
        var configuration = CurlConfiguration()
        configuration.addressPolicy = .publicOnly
        let session = try CurlTransport(configuration)
        let request = try HTTPRequest(.get, "http://\(host):\(server.port)/")
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: request)
        }
        #expect(error?.code == .addressBlocked)
        #expect(error?.phase == .connecting)
        #expect(error?.isRetryable == false)
        #expect(error?.mayHaveReachedServer == false)
        #expect(server.connections.accepted == 0)
    }

    @Test func `a redirect leads to no forbidden address`() async throws {
        let server = try LoopbackServer {
            $0.path == "/" ? .redirect(to: "http://127.0.0.2:1/x") : .ok()
        }
        var configuration = CurlConfiguration()
        configuration.addressPolicy.denied = ["127.0.0.2/32"].compactMap(AddressRange.init)
        let session = try CurlTransport(configuration).with(Redirects())
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: server.url)
        }
        #expect(error?.code == .addressBlocked)
        #expect(server.snapshot.requestCount == 1)
    }

    @Test func `an allowed address is connected to`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        var configuration = CurlConfiguration()
        configuration.addressPolicy = .publicOnly
        configuration.addressPolicy.allowed = ["127.0.0.0/8"].compactMap(AddressRange.init)
        let session = try CurlTransport(configuration)
        #expect(try await session.response(for: server.url).text() == "hello")
        configuration.addressPolicy.ports = [80]
        let other = try CurlTransport(configuration)
        let request = try HTTPRequest(.get, server.url)
        let error = await #expect(throws: HTTPError.self) {
            _ = try await other.response(for: request)
        }
        #expect(error?.code == .addressBlocked)
    }

    @Test func `a kept connection serves no request that may not use its address`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        let session = CurlTransport()
        _ = try await session.response(for: server.url).text()
        var request = try HTTPRequest(.get, server.url)
        request[AddressPolicy.self] = .publicOnly
        let restricted = request
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: restricted)
        }
        #expect(error?.code == .addressBlocked)
        #expect(error?.mayHaveReachedServer == false)
        #expect(server.snapshot.requestCount == 1)
        #expect(try await session.response(for: server.url).text() == "hello")
    }
}
