import HTTPCore
import Testing

@testable import HTTPMiddleware

@Suite struct PauseTableTests {
    private func at(_ seconds: Double) -> HTTPInstant { HTTPInstant(sinceStart: .seconds(seconds)) }

    @Test func `a shorter pause never ends a longer one`() {
        var table = PauseTable()
        #expect(table.pause("a", for: .seconds(10), spread: 0, at: at(0)) == true)
        #expect(table.pause("a", for: .seconds(5), spread: 0, at: at(1)) == false)
        #expect(table.pause("a", for: .seconds(10), spread: 0, at: at(1)) == true)
        #expect(table.pause(of: "a", after: nil, at: at(2))?.end == at(11))
    }

    @Test func `requests go on within the spread after the end`() throws {
        var table = PauseTable()
        _ = table.pause("a", for: .seconds(10), spread: 0.5, at: at(0))
        let first = table.pause(of: "a", after: nil, at: at(0))
        let pause = try #require(first)
        #expect(pause.resumption(at: at(0), fraction: 0) == at(10))
        #expect(pause.resumption(at: at(0), fraction: 1) == at(15))
        // A request that comes within the spread goes on within the rest of it.
        #expect(table.pause(of: "a", after: nil, at: at(13)) == pause)
        #expect(pause.resumption(at: at(13), fraction: 0.5) == at(14))
    }

    @Test func `a request waits once for a pause, and again if it is extended`() {
        var table = PauseTable()
        _ = table.pause("a", for: .seconds(10), spread: 1, at: at(0))
        #expect(table.pause(of: "a", after: at(10), at: at(11)) == nil)
        _ = table.pause("a", for: .seconds(10), spread: 1, at: at(11))
        #expect(table.pause(of: "a", after: at(10), at: at(11))?.end == at(21))
    }

    @Test func `a pause that is over is forgotten`() {
        var table = PauseTable()
        _ = table.pause("a", for: .seconds(10), spread: 0.1, at: at(0))
        #expect(table.pause(of: "a", after: nil, at: at(11)) == nil)
        #expect(table.count == 0)
        for number in 0..<1000 {
            _ = table.pause("\(number)", for: .seconds(1), spread: 0, at: at(Double(number) * 2))
        }
        #expect(table.count <= 64)
    }

    @Test func `only pauses under way are reported`() {
        var table = PauseTable()
        _ = table.pause("a", for: .seconds(10), spread: 0.1, at: at(0))
        #expect(table.underWay(at: at(4)) == ["a": .seconds(6)])
        #expect(table.underWay(at: at(10)) == [:])
    }
}
