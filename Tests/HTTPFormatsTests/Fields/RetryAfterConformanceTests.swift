import ConformanceVectors
import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct RetryAfterConformanceTests {
    struct Case: Decodable {
        var id: String
        var value: String
        var now: String
        var delay_seconds: Int?
    }

    @Test func `the wait is what Retry-After says`() throws {
        let notADate =
            "a one-digit day and UTC are no HTTP-date (RFC 9110 §5.6.7); the field is ignored"
        var report = ConformanceReport(
            "retry-after",
            differences: [
                "urllib3/lenient-date/1": notADate, "urllib3/lenient-date/2": notADate,
                "urllib3/invalid/3": "some servers send parts of a second, which are rounded up",
            ])
        for value in try ConformanceData.cases("retry-after/retry-after.json", as: Case.self) {
            let epoch = Date(timeIntervalSince1970: 0)
            let now = try #require(HTTPDate(value.now, now: epoch)).date
            let delay = RetryAfter(value.value, now: now)?.delay(from: now)
            report.record(
                value.id, delay == value.delay_seconds.map { .seconds($0) },
                "\(value.value.debugDescription) gives \(String(describing: delay))")
        }
        report.finish()
    }
}
