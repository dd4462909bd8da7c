import HTTPCore
import HTTPTesting
import Testing

@testable import HTTPTransportCurl

@Suite(.timeLimit(.minutes(5))) struct TransferTableTests {
    @Test func `numbers are used again, and limits go with their transfers`() async throws {
        let server = try LoopbackServer { _ in [.stall] }
        let session = CurlTransport()
        // More exchanges than ever at once end by their deadlines, in the order of these.
        for round in 1...3 {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let request = try HTTPRequest(.get, server.url("/\(round)"))
                            .deadline(in: .milliseconds(20 + number * 5))
                        do {
                            _ = try await session.response(for: request)
                        } catch let error as HTTPError where error.code == .timedOut {
                            return number
                        }
                        return -1
                    }
                }
                var ended: [Int] = []
                for try await number in group { ended.append(number) }
                #expect(ended.sorted() == Array(0..<20))
            }
        }
        let statistics = await session.statistics()
        #expect(statistics.total.ended == 60)
        #expect(statistics.total.active == 0 && statistics.total.waiting == 0)
        await session.close()
    }
}
