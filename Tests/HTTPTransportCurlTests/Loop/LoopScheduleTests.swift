import HTTPCore
import PortableLibc
import TestSupport
import Testing

@testable import HTTPTransportCurl

@Suite struct LoopScheduleTests {
    /// The number of schedules. `Scripts/planted-mistakes` sets it.
    private static let count =
        unsafe getenv("HTTP_SCHEDULES").flatMap { unsafe Int(String(cString: $0)) }
        ?? (TestCounts.isFull ? 1_000_000 : 2_000)

    @Test func `no exchange is lost, started twice, or sent again against the law`() throws {
        let origins = try ["http://a.test/", "https://b.test/"].map { try HTTPOrigin($0) }
        for seed in 0..<UInt64(Self.count) {
            do throws(LoopSchedule.Violation) {
                var schedule = LoopSchedule(seed: seed, origins)
                try schedule.run()
            } catch {
                // Once more, for the report.
                var schedule = LoopSchedule(seed: seed, origins, keepsEvents: true)
                let violation = #expect(throws: LoopSchedule.Violation.self) { try schedule.run() }
                Issue.record("seed \(seed): \(violation?.reason ?? "") \(violation?.events ?? [])")
                return
            }
        }
        print("FIGURE | schedules of the loop without a fault | \(Self.count) | all | pass")
    }
}
