import HTTPCore
import Testing

@testable import HTTPTransportCurl

@Suite struct HostLookupsTests {
    private static let name = HostLookups.Name(host: "a.test", port: 80)

    private static func addresses(_ texts: String...) -> [IPAddress] {
        texts.compactMap { IPAddress($0) }
    }

    @Test func `exchanges that wait for one name ask one question`() throws {
        var lookups = HostLookups()
        let first = lookups.wait(1, for: Self.name, at: 0)
        let question = try #require(first)
        let second = lookups.wait(2, for: Self.name, at: 0)
        #expect(second == nil)
        let other = lookups.wait(3, for: HostLookups.Name(host: "a.test", port: 81), at: 0)
        #expect(other != nil && other != question)
        let slots = lookups.answer(question, with: Self.addresses("192.0.2.1"), due: 100)
        #expect(slots == [1, 2])
        #expect(lookups.addresses(of: Self.name) == Self.addresses("192.0.2.1"))
        #expect(lookups.isFresh(Self.name, at: 99))
        #expect(!lookups.isFresh(Self.name, at: 100))
        let again = lookups.answer(question, with: Self.addresses("192.0.2.2"), due: 200)
        #expect(again == [] && lookups.addresses(of: Self.name) == Self.addresses("192.0.2.1"))
    }

    @Test func `a failure is not kept, and older addresses stay too old`() throws {
        var lookups = HostLookups()
        let first = lookups.wait(1, for: Self.name, at: 0)
        _ = lookups.answer(try #require(first), with: Self.addresses("192.0.2.1"), due: 10)
        let second = lookups.wait(1, for: Self.name, at: 0)
        let slots = lookups.answer(try #require(second), with: nil, due: 1000)
        #expect(slots == [1])
        #expect(!lookups.isFresh(Self.name, at: 10))
        #expect(lookups.addresses(of: Self.name) == Self.addresses("192.0.2.1"))
        let third = lookups.wait(1, for: Self.name, at: 0)
        #expect(third != nil && third != second)
    }

    @Test func `the last exchange to leave gives up the question, whose answer is late`() throws {
        var lookups = HostLookups()
        let first = lookups.wait(1, for: Self.name, at: 0)
        let question = try #require(first)
        _ = lookups.wait(2, for: Self.name, at: 0)
        #expect(lookups.leave(1, Self.name) == nil)
        #expect(lookups.leave(1, Self.name) == nil)
        #expect(lookups.leave(2, Self.name) == question)
        #expect(lookups.leave(2, Self.name) == nil)
        let next = lookups.wait(3, for: Self.name, at: 0)
        #expect(next != nil && next != question)
        let slots = lookups.answer(question, with: Self.addresses("192.0.2.9"), due: 100)
        #expect(slots == [] && lookups.addresses(of: Self.name) == [])
    }

    @Test func `no more names are kept than may be, but those that are asked about`() throws {
        var lookups = HostLookups()
        var questions: [HostLookups.Question] = []
        for port in 1...HostLookups.limit {
            let question = lookups.wait(
                port, for: HostLookups.Name(host: "a.test", port: port), at: 0)
            questions.append(try #require(question))
        }
        for (index, question) in questions.enumerated().dropFirst() {
            _ = lookups.answer(
                question, with: Self.addresses("192.0.2.1"), due: index < 10 ? 5 : 100)
        }
        // Those that are too old go, and then the one that is next to be.
        _ = lookups.wait(0, for: HostLookups.Name(host: "b.test", port: 1), at: 5)
        #expect(lookups.addresses(of: questions[1].name) == [])
        #expect(lookups.isFresh(questions[10].name, at: 5))
        for port in 2..<10 {
            _ = lookups.wait(0, for: HostLookups.Name(host: "b.test", port: port), at: 5)
        }
        #expect(lookups.isFresh(questions[10].name, at: 5))
        _ = lookups.wait(0, for: HostLookups.Name(host: "b.test", port: 10), at: 5)
        let fresh = questions.dropFirst(10).count { lookups.isFresh($0.name, at: 5) }
        #expect(fresh == HostLookups.limit - 10 - 1)
        #expect(lookups.answer(questions[0], with: Self.addresses("192.0.2.7"), due: 1) == [1])
    }

    @Test(arguments: [
        ("a.test", true), ("a.test.", true), ("mylocalhost", true), ("localhost", false),
        ("localhost.", false), ("a.localhost", false), ("127.0.0.1", false), ("[::1]", false),
    ])
    func `addresses and names of this machine are not looked up`(host: String, isAsked: Bool) {
        #expect(HostLookups.Name(host: host, port: 80).isLookedUp == isAsked)
    }

    @Test func `a route has the names that libcurl itself looks up`() throws {
        var route = ConnectionRoute(origin: try HTTPOrigin("http://a.test/"))
        func hosts() -> [String] { route.names.map { "\($0.host):\($0.port)" } }
        #expect(hosts() == ["a.test:80"])
        for (proxy, names) in [
            ("http", ["p.test:3"]), ("socks5h", ["p.test:3"]), ("socks4a", ["p.test:3"]),
            ("socks5", ["p.test:3", "a.test:80"]), ("socks4", ["p.test:3", "a.test:80"]),
        ] {
            route.proxy = try ProxyServer("\(proxy)://p.test:3")
            #expect(hosts() == names)
        }
        route.proxy = nil
        route.target = try ConnectTarget("c.test:81")
        #expect(hosts() == ["c.test:81"])
        route.unixSocket = "/s"
        #expect(hosts() == [])
    }

    @Test func `an answer is cut to the family and to a number`() {
        typealias Family = CurlConfiguration.AddressFamily
        let mixed = Self.addresses("::1", "127.0.0.1", "::2")
        #expect(Family.any.usable(mixed) == mixed)
        #expect(Family.ipv4.usable(mixed) == Self.addresses("127.0.0.1"))
        #expect(Family.ipv6.usable(mixed) == Self.addresses("::1", "::2"))
        let many = (0..<1000).compactMap { IPAddress("10.0.\($0 / 256).\($0 % 256)") }
        #expect(Family.any.usable(many).count == HostAddresses.limit)
    }
}
