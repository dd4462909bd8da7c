import Testing

@testable import HTTPTransportCurl

@Suite struct ConnectionPoolBackOffTests {
    @Test func `a timer that has something to do is never slowed`() {
        var backOff = ConnectionPool.BackOff()
        for _ in 0..<1000 {
            for _ in 1..<ConnectionPool.BackOff.patience { backOff.ranInVain() }
            #expect(backOff.delay == 0)
            let wasSlowed = backOff.progressed()
            #expect(!wasSlowed)
        }
    }

    @Test func `one that runs in vain is slowed, more and more, to thirty times a second`() {
        var backOff = ConnectionPool.BackOff()
        for _ in 0..<ConnectionPool.BackOff.patience { backOff.ranInVain() }
        var delays: [Int64] = []
        for _ in 0..<8 {
            delays.append(backOff.delay / 1_000_000)
            backOff.ranInVain()
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 32, 32])
    }

    @Test func `progress makes a slowed one run at once`() {
        var backOff = ConnectionPool.BackOff()
        for _ in 0..<100 { backOff.ranInVain() }
        let answers = [backOff.progressed(), backOff.progressed()]
        #expect(answers == [true, false])
        #expect(backOff.delay == 0)
    }
}
