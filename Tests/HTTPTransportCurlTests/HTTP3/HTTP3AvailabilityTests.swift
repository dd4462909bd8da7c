import HTTPCore
import TestSupport
import Testing

@testable import HTTPTransportCurl

@Suite struct HTTP3AvailabilityTests {
    private typealias Service = HTTP3Availability.Service
    private static let second: Int64 = 1_000_000_000
    private static let here = Service(host: "a.test", port: 443)

    private func make(_ origin: String = "https://a.test/") throws -> HTTP3Availability {
        HTTP3Availability(try HTTPOrigin(origin))
    }

    /// One whose service has worked.
    private func makeWorking() throws -> HTTP3Availability {
        var known = try make()
        known.announce("h3=\":443\"", age: .zero, at: 0)
        #expect(known.decide(at: 0) == .open(Self.here))
        known.opened(Self.here, in: 10_000_000)
        return known
    }

    @Test func `nothing goes over HTTP 3 before it is announced and opened`() throws {
        var known = try make()
        #expect(known.decide(at: 0) == .unknown)
        known.announce("h3=\":443\"; ma=60", age: .zero, at: 0)
        #expect(known.decide(at: 1) == .open(Self.here))
        #expect(known.decide(at: 2) == .opening)
        known.opened(Self.here, in: 5)
        #expect(known.decide(at: 3) == .use(Self.here))
    }

    @Test(
        arguments: [
            ("h3=\":443\"", "a.test:443"), ("h3=\"b.test:444\"", "b.test:444"),
            ("h2=\":1\", h3=\"[::1]:8\", h3=\":9\"", "[::1]:8"),
            ("h3=\"B.TEST:444\"; ma=1; persist=1", "b.test:444"),
            // Not a port that only the administrator of the host can use.
            ("h3=\":8443\"", nil), ("h3=\":8443\", h3=\":444\"", "a.test:444"),
            ("h3-29=\":443\"", nil), ("H3=\":443\"", nil), ("clear", nil), ("", nil), ("h3", nil),
            ("h3=\":0\"", nil), ("h3=\"\"", nil), ("h3=\":443\"; ma=0", nil),
            ("h3=\"a b:443\"", nil), ("h3=\"user@b.test:443\"", nil),
            (String(repeating: "x", count: 5000) + ", h3=\":443\"", nil),
        ] as [(String, String?)])
    func `the first usable HTTP 3 service counts`(text: String, service: String?) throws {
        var known = try make()
        known.announce(text, age: .zero, at: 0)
        guard let service else {
            #expect(known.decide(at: 0) == .unknown)
            return
        }
        guard case .open(let found) = known.decide(at: 0) else {
            Issue.record("nothing is opened")
            return
        }
        #expect("\(found)" == service)
    }

    @Test func `an origin on an unprivileged port may name any port`() throws {
        var known = try make("https://a.test:8443/")
        known.announce("h3=\":9443\"", age: .zero, at: 0)
        #expect(known.decide(at: 0) == .open(Service(host: "a.test", port: 9443)))
    }

    @Test func `an announcement ends with its time, less the age of its response`() throws {
        var known = try makeWorking()
        known.announce("h3=\":443\"; ma=60", age: .seconds(20), at: 100 * Self.second)
        #expect(known.decide(at: 140 * Self.second - 1) == .use(Self.here))
        #expect(known.decide(at: 140 * Self.second) == .unknown)
        // The same text again.
        known.announce("h3=\":443\"; ma=60", age: .zero, at: 200 * Self.second)
        #expect(known.decide(at: 259 * Self.second) == .use(Self.here))
        #expect(known.decide(at: 260 * Self.second) == .unknown)
        known.announce("h3=\":443\"; ma=60", age: .seconds(60), at: 320 * Self.second)
        #expect(known.decide(at: 320 * Self.second) == .unknown)
    }

    /// A cache may hand out responses that are older than what is known.
    @Test(arguments: ["h3=\":443\"; ma=5", "clear", "h3=\"b.test:444\"", "h2=\":443\""])
    func `a response that is older than the announcement says nothing`(text: String) throws {
        var known = try makeWorking()
        known.announce("h3=\":443\"; ma=86400", age: .zero, at: 1000 * Self.second)
        known.announce(text, age: .seconds(200_000), at: 2000 * Self.second)
        known.announce(text, age: .seconds(1001), at: 2000 * Self.second)
        #expect(known.decide(at: 2000 * Self.second) == .use(Self.here))
        #expect(known.decide(at: 86_000 * Self.second) == .use(Self.here))
        // One that is not as old counts.
        known.announce(text, age: .seconds(999), at: 2000 * Self.second)
        #expect(known.decide(at: 2000 * Self.second) != .use(Self.here))
    }

    @Test(arguments: ["clear", "h2=\":443\"", "h3=\":443\"; ma=0", "h3=\":bad\""])
    func `an announcement takes back the one before`(text: String) throws {
        var known = try makeWorking()
        known.announce(text, age: .zero, at: 1)
        #expect(known.decide(at: 2) == .unknown)
        known.announce("h3=\":443\"", age: .zero, at: 3)
        #expect(known.decide(at: 4) == .open(Self.here))
    }

    @Test func `the longest announcement does not overflow`() throws {
        var known = try make()
        known.announce("h3=\":443\"; ma=99999999999999999999", age: .zero, at: 1 << 60)
        #expect(known.decide(at: 1 << 60) == .open(Self.here))
    }

    @Test func `another place is opened before it is used`() throws {
        var known = try makeWorking()
        let there = Service(host: "b.test", port: 444)
        known.announce("h3=\"b.test:444\"", age: .zero, at: 1)
        #expect(known.decide(at: 2) == .open(there))
        // Late news of an exchange with the former place.
        known.responded(Self.here)
        known.failed(Self.here, at: 3)
        #expect(known.decide(at: 4) == .opening)
        known.opened(there, in: 1)
        #expect(known.decide(at: 5) == .use(there))
    }

    @Test func `while one place is opened no other one is`() throws {
        for ends in ["opened", "failed", "cancelled"] {
            var known = try make()
            known.announce("h3=\":443\"", age: .zero, at: 0)
            #expect(known.decide(at: 1) == .open(Self.here))
            for port in 1...100 {
                known.announce("h3=\"b.test:\(port)\"", age: .zero, at: 2)
                #expect(known.decide(at: 3) == .opening)
            }
            let there = Service(host: "b.test", port: 100)
            switch ends {
            case "opened":
                known.opened(Self.here, in: 1)
                #expect(known.decide(at: 4) == .open(there))
            case "failed":
                known.failed(Self.here, at: 4, whileOpening: true)
                #expect(known.decide(at: 4) == .broken(300 * Self.second))
            default:
                known.openingWasCancelled()
                #expect(known.decide(at: 4) == .open(there))
            }
        }
    }

    // MARK: Failures

    @Test func `a failure rests for five minutes, and twice as long each time`() throws {
        var known = try make()
        var now: Int64 = 0
        for pause in [300, 600, 1200, 2400, 4800, 9600, 19_200, 38_400, 76_800, 86_400, 86_400] {
            known.announce("h3=\":443\"; ma=1000000", age: .zero, at: now)
            #expect(known.decide(at: now) == .open(Self.here))
            known.failed(Self.here, at: now)
            #expect(known.decide(at: now) == .broken(Int64(pause) * Self.second))
            now += Int64(pause) * Self.second
            #expect(known.decide(at: now - 1) == .broken(1))
        }
    }

    @Test func `failures at one time count once`() throws {
        var known = try makeWorking()
        for _ in 0..<100 { known.failed(Self.here, at: 0) }
        #expect(known.decide(at: 0) == .broken(300 * Self.second))
    }

    @Test func `a response ends the count, a connection alone does not`() throws {
        for responds in [false, true] {
            var known = try makeWorking()
            known.failed(Self.here, at: 0)
            var now = 300 * Self.second
            #expect(known.decide(at: now) == .open(Self.here))
            known.opened(Self.here, in: 1)
            if responds { known.responded(Self.here) }
            known.failed(Self.here, at: now)
            #expect(known.decide(at: now) == .broken((responds ? 300 : 600) * Self.second))
            now += 1
        }
    }

    @Test(arguments: ["clear", "h3=\"b.test:444\"", "h3=\":443\"; ma=5"])
    func `no announcement mends what is broken`(text: String) throws {
        var known = try makeWorking()
        known.failed(Self.here, at: 0)
        known.announce(text, age: .zero, at: 1)
        known.announce("h3=\":443\"", age: .zero, at: 2)
        #expect(known.decide(at: 3) == .broken(300 * Self.second - 3))
    }

    @Test func `an opening that was given up is begun again`() throws {
        var known = try make()
        known.announce("h3=\":443\"", age: .zero, at: 0)
        #expect(known.decide(at: 1) == .open(Self.here))
        known.openingWasCancelled()
        #expect(known.decide(at: 2) == .open(Self.here))
    }

    @Test func `an exchange waits for four times the time of the first connection`() throws {
        for (time, patience) in [(0, 300), (75, 300), (100, 400), (500, 2000), (9000, 2000)]
            as [(Int64, Int64)]
        {
            var known = try make()
            known.announce("h3=\":443\"", age: .zero, at: 0)
            _ = known.decide(at: 0)
            known.opened(Self.here, in: time * 1_000_000)
            #expect(known.patience == patience * 1_000_000)
        }
        var known = try make()
        known.announce("h3=\":443\"", age: .zero, at: 0)
        _ = known.decide(at: 0)
        known.opened(Self.here, in: .max)
        #expect(known.patience == HTTP3Availability.longestPatience)
    }

    @Test func `a connection that was there already says nothing about the time of one`() throws {
        var known = try make()
        known.announce("h3=\":443\"", age: .zero, at: 0)
        _ = known.decide(at: 0)
        known.opened(Self.here, in: 200_000_000)
        known.doubted(Self.here, at: 1)
        #expect(known.decide(at: 2) == .open(Self.here))
        known.opened(Self.here, in: nil)
        #expect(known.patience == 800_000_000)
    }

    // MARK: Doubts

    @Test func `what is doubted is opened again before it is used`() throws {
        var known = try makeWorking()
        known.doubted(Self.here, at: 1)
        #expect(known.decide(at: 2) == .open(Self.here))
        // Others that ended at the same time, and one from before.
        known.doubted(Self.here, at: 3)
        known.responded(Self.here)
        #expect(known.decide(at: 4) == .opening)
        known.opened(Self.here, in: 1)
        #expect(known.decide(at: 5) == .use(Self.here))
        // Another place.
        known.doubted(Service(host: "b.test", port: 444), at: 6)
        #expect(known.decide(at: 7) == .use(Self.here))
    }

    @Test(arguments: [true, false])
    func `three doubts in a row are a failure, unless a response has come`(responds: Bool) throws {
        var known = try makeWorking()
        for _ in 0..<2 {
            known.doubted(Self.here, at: 0)
            #expect(known.decide(at: 0) == .open(Self.here))
            known.opened(Self.here, in: 1)
        }
        if responds { known.responded(Self.here) }
        known.doubted(Self.here, at: 0)
        #expect(
            known.decide(at: 0) == (responds ? .open(Self.here) : .broken(300 * Self.second)))
    }

    // MARK: Policies

    @Test func `a policy that forbids the address concerns its own requests alone`() throws {
        var known = try make()
        known.announce("h3=\":443\"", age: .zero, at: 0)
        #expect(known.decide(at: 0, under: .publicOnly) == .open(Self.here))
        known.forbid(Self.here, under: .publicOnly)
        known.openingWasCancelled()
        for _ in 0..<3 { #expect(known.decide(at: 1, under: .publicOnly) == .forbidden) }
        #expect(known.decide(at: 2) == .open(Self.here))
        known.opened(Self.here, in: 1)
        #expect(known.decide(at: 3, under: .publicOnly) == .forbidden)
        #expect(known.decide(at: 3) == .use(Self.here))
        // Another place has another address.
        let there = Service(host: "b.test", port: 444)
        known.announce("h3=\"b.test:444\"", age: .zero, at: 4)
        #expect(known.decide(at: 5, under: .publicOnly) == .open(there))
    }
}
