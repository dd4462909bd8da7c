import Testing

@testable import HTTPTransportCurl

@Suite struct ResendsTests {
    private typealias Sending = (connections: Int, hasSent: Bool)

    /// The decision about each sending, and whether the server has refused them all.
    private struct Outcome: Equatable {
        var permitted: [Bool]
        var isRefused: Bool
    }

    private static func permits(isIdempotent: Bool, _ sendings: [Sending]) -> Outcome {
        var resends = Resends()
        let permitted = sendings.map {
            resends.permits(
                connections: $0.connections, hasSent: $0.hasSent, isIdempotent: isIdempotent)
        }
        return Outcome(permitted: permitted, isRefused: resends.isRefused)
    }

    @Test(arguments: [true, false])
    func `the first sending is always permitted`(isIdempotent: Bool) {
        for connections in 0...1 {
            let result = Self.permits(isIdempotent: isIdempotent, [(connections, false)])
            #expect(result == Outcome(permitted: [true], isRefused: false))
        }
    }

    @Test(arguments: [true, false])
    func `after a kept connection only what is idempotent is sent again`(isIdempotent: Bool) {
        let result = Self.permits(isIdempotent: isIdempotent, [(0, false), (1, true)])
        #expect(result == Outcome(permitted: [true, isIdempotent], isRefused: false))
    }

    @Test func `what was not written is written on another connection, whatever it is`() {
        let result = Self.permits(isIdempotent: false, [(0, false), (1, false)])
        #expect(result == Outcome(permitted: [true, true], isRefused: false))
    }

    @Test(arguments: [true, false])
    func `what was refused on a connection of its own is sent again, twice`(isIdempotent: Bool) {
        let sendings: [Sending] = [(1, false), (2, true), (3, true), (4, true)]
        for count in 1...3 {
            let result = Self.permits(isIdempotent: isIdempotent, Array(sendings.prefix(count)))
            #expect(
                result == Outcome(permitted: Array(repeating: true, count: count), isRefused: false)
            )
        }
        let result = Self.permits(isIdempotent: isIdempotent, sendings)
        #expect(result == Outcome(permitted: [true, true, true, false], isRefused: true))
    }

    @Test func `a refusal says nothing about what went over a kept connection before`() {
        let result = Self.permits(
            isIdempotent: true, [(0, false), (1, true), (2, true), (3, true)])
        #expect(result == Outcome(permitted: [true, true, true, false], isRefused: false))
    }

    @Test(arguments: [true, false])
    func `what a GOAWAY refused on a kept connection is sent again`(isIdempotent: Bool) {
        var resends = Resends()
        _ = resends.permits(connections: 0, hasSent: false, isIdempotent: isIdempotent)
        #expect(!resends.isRefused)
        resends.refuse()
        #expect(resends.isRefused)
        let isPermitted = resends.permits(
            connections: 1, hasSent: true, isIdempotent: isIdempotent)
        #expect(isPermitted)
        #expect(!resends.isRefused)
    }

    @Test func `a GOAWAY proves nothing about what went over a kept connection before`() {
        var resends = Resends()
        for connections in 0...1 {
            _ = resends.permits(
                connections: connections, hasSent: connections > 0, isIdempotent: true)
        }
        resends.refuse()
        #expect(!resends.isRefused)
    }

    @Test func `a refusal before a kept connection proves nothing about the latter`() {
        let result = Self.permits(isIdempotent: false, [(1, false), (1, true), (2, true)])
        #expect(result == Outcome(permitted: [true, true, false], isRefused: false))
    }
}
