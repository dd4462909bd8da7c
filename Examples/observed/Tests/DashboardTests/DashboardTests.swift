import DashboardModel
import HTTPClientKit
import HTTPTesting
import HTTPTransportCurl
import Testing

struct DashboardTests {
    @Test func `a reader sees the calls of a client, with their exchanges`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        let dashboard = Dashboard()
        let updates = try #require(dashboard.updates(pause: .zero))
        let transport = CurlTransport()
        let client = HTTPClient(transport: transport) { $0.observer = dashboard }
        _ = try await client.get(server.url("/a?token=secret")).data()
        dashboard.note(ObservedStatistics(await transport.statistics()))

        // The end of the call and the statistics may come in one update or in two.
        var (ended, line) = (ObservedCall?.none, ObservedStatistics.Line?.none)
        for await update in updates {
            ended = update.calls.first { $0.state == .ended } ?? ended
            line = update.statistics?.origins.first ?? line
            if ended != nil, line != nil { break }
        }
        let call = try #require(ended)
        #expect(call.status == 200)
        #expect(call.exchanges.first?.phases.last?.name == .body)
        #expect(!"\(call)".contains("secret"))
        #expect(line?.origin == server.url)
        #expect(line?.opened == 1)
    }

    @Test func `a reader that has left makes room for another`() async throws {
        let dashboard = Dashboard(readerLimit: 1)
        var updates = dashboard.updates()
        #expect(updates != nil)
        #expect(dashboard.updates() == nil)
        updates = nil
        #expect(dashboard.readerCount == 0)
        #expect(dashboard.updates() != nil)
    }

    /// Dashboard.md.
    @Test func `twenty readers are served by default`() {
        let dashboard = Dashboard()
        let readers = (0..<21).map { _ in dashboard.updates() }
        #expect(readers.count { $0 != nil } == 20)
    }

    @Test func `a cancelled reader ends`() async throws {
        let dashboard = Dashboard()
        let updates = try #require(dashboard.updates())
        let reader = Task {
            var count = 0
            for await _ in updates { count += 1 }
            return count
        }
        reader.cancel()
        #expect(await reader.value <= 1)
    }

    @Test func `a slow reader gets one update for many changes`() async throws {
        let dashboard = Dashboard()
        let updates = try #require(dashboard.updates(pause: .zero))
        var iterator = updates.makeAsyncIterator()
        #expect(await iterator.next()?.isSnapshot == true)
        for number in 1...1000 {
            dashboard.note(ObservedStatistics([.init(origin: "\(number)")]))
        }
        let update = await iterator.next()
        #expect(update?.statistics?.origins.map(\.origin) == ["1000"])
        #expect(update?.revision == 1000)
    }
}
