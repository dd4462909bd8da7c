import Testing

@testable import HTTPTransportCurl

@Suite struct AddressRaceTests {
    private static func address(_ text: String) throws -> IPAddress {
        try #require(IPAddress(text))
    }

    private static func addresses(_ texts: [String]) throws -> [IPAddress] {
        try texts.map(address)
    }

    private static let delay = Duration.milliseconds(250)
    /// A moment when the next attempt is due after one at 0.
    private static let due: Int64 = 255_000_000

    /// Plays a race in which nothing connects. Returns the attempts of the loop.
    private static func play(_ first: String, _ candidates: [String]) throws -> [String] {
        let race = AddressRace(try address(first), port: 80, delay: delay, at: 0)
        race.found(try addresses(candidates))
        var now: Int64 = 0
        var attempts: [String] = []
        while true {
            switch race.next(at: now) {
            case .wait(let next?): now = next
            case .wait(nil): return attempts
            case .lookUp: Issue.record("they are known")
            case .attempt(let address):
                attempts.append("\(address)@\(now / 1_000_000)")
                race.began(address, as: Int32(attempts.count), at: now)
            }
        }
    }

    @Test(
        arguments: [
            ("10.0.0.1", ["10.0.0.1"], []),
            ("10.0.0.1", ["10.0.0.1", "10.0.0.2", "10.0.0.3"], ["10.0.0.2@255", "10.0.0.3@510"]),
            (
                "::1", ["::1", "::2", "10.0.0.1", "10.0.0.2"],
                ["10.0.0.1@255", "::2@510", "10.0.0.2@765"]
            ),
            ("::1", ["::1", "::2", "::3", "10.0.0.1"], ["10.0.0.1@255", "::2@510", "::3@765"]),
            ("10.0.0.9", [], []),
            ("10.0.0.1", ["10.0.0.1", "10.0.0.1"], []),
        ])
    func `each address is tried once, a delay after the one before, and the families take turns`(
        first: String, candidates: [String], attempts: [String]
    ) throws {
        #expect(try Self.play(first, candidates) == attempts)
    }

    @Test func `the addresses are looked up once, when the first attempt is late`() throws {
        let race = AddressRace(try Self.address("10.0.0.1"), port: 80, delay: Self.delay, at: 0)
        #expect(race.next(at: 0) == .wait(until: Self.due))
        #expect(race.next(at: Self.due) == .lookUp)
        #expect(race.next(at: 10 * Self.due) == .wait(until: nil))
        race.found(try Self.addresses(["10.0.0.2"]))
        #expect(race.next(at: 10 * Self.due) == .attempt(try Self.address("10.0.0.2")))
    }

    @Test func `an attempt of libcurl delays the next one, and is not repeated`() throws {
        let race = AddressRace(try Self.address("10.0.0.1"), port: 80, delay: Self.delay, at: 0)
        race.found(try Self.addresses(["10.0.0.1", "10.0.0.2", "10.0.0.3"]))
        race.began(try Self.address("10.0.0.2"), at: 100)
        #expect(race.next(at: Self.due) == .wait(until: Self.due + 100))
        #expect(race.next(at: Self.due + 100) == .attempt(try Self.address("10.0.0.3")))
    }

    @Test func `the next attempt begins at once after one that has failed`() throws {
        let race = AddressRace(try Self.address("10.0.0.1"), port: 80, delay: Self.delay, at: 0)
        race.found(try Self.addresses(["10.0.0.2", "10.0.0.3"]))
        race.began(try Self.address("10.0.0.2"), as: 7, at: Self.due)
        #expect(race.end(8, at: Self.due + 1) == nil)
        #expect(race.end(7, at: Self.due + 1)?.address == (try Self.address("10.0.0.2")))
        #expect(race.end(7, at: Self.due + 1) == nil)
        #expect(race.attempts.isEmpty)
        #expect(race.next(at: Self.due + 1) == .attempt(try Self.address("10.0.0.3")))
    }

    @Test func `an address that may not be used is passed over`() throws {
        let race = AddressRace(try Self.address("10.0.0.1"), port: 80, delay: Self.delay, at: 0)
        race.found(try Self.addresses(["10.0.0.2", "10.0.0.3"]))
        race.skip(try Self.address("10.0.0.2"))
        #expect(race.next(at: Self.due) == .attempt(try Self.address("10.0.0.3")))
    }

    @Test func `a delay without end never ends`() throws {
        let race = AddressRace(
            try Self.address("10.0.0.1"), port: 80, delay: .seconds(Int64.max), at: .max - 1)
        race.found(try Self.addresses(["10.0.0.2"]))
        #expect(race.next(at: .max - 1) == .wait(until: .max))
    }
}
