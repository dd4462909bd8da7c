import DashboardModel
import Testing

struct ObservedStatisticsTests {
    private func line(_ origin: String, opened: Int = 0, reused: Int = 0, ended: Int = 0)
        -> ObservedStatistics.Line
    {
        var line = ObservedStatistics.Line(origin: origin)
        line.opened = opened
        line.reused = reused
        line.ended = ended
        return line
    }

    @Test func `the share of kept connections is that of all exchanges with a connection`() {
        #expect(line("a").reusedShare == nil)
        #expect(line("a", opened: 1).reusedShare == 0)
        #expect(line("a", opened: 1, reused: 3).reusedShare == 0.75)
    }

    @Test func `beyond the limit, the others are one line`() {
        let lines = (1...60).map { line("origin \($0)", opened: 1, ended: $0) }
        let statistics = ObservedStatistics(lines)
        #expect(statistics.origins.count == ObservedStatistics.limit + 1)
        #expect(statistics.origins.last?.origin == "10 others")
        #expect(statistics.origins.last?.ended == (1...10).reduce(0, +))
        #expect(!statistics.origins.contains { $0.origin == "origin 1" })
    }
}
