import Testing

@testable import HTTPTransportCurl

@Suite struct ThreadEndTests {
    @Test func `all who wait go on when it is reached, and nobody waits after that`() async {
        let end = ThreadEnd()
        await withDiscardingTaskGroup { group in
            for _ in 0..<20 { group.addTask { await end.wait() } }
            group.addTask { end.reach() }
        }
        await end.wait()
        end.reach()
        await end.wait()
    }
}
