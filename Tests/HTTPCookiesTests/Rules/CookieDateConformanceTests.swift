import ConformanceVectors
import Testing

@testable import HTTPCookies

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct CookieDateConformanceTests {
    struct Case: Decodable {
        var id: String
        var input: String
        var expected_unix: Int?
    }

    @Test func `dates are read as RFC 6265bis says`() throws {
        var report = ConformanceReport("cookies/cookie-date")
        for value in try ConformanceData.cases("cookies/cookie-date.json", as: Case.self) {
            let found = CookieDate(value.input.utf8)?.secondsSince1970
            report.record(
                value.id, found == value.expected_unix,
                "\(value.input) is \(found as Int?, default: "no date")")
        }
        report.finish()
    }
}
