import ConformanceVectors
import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct HTTPDateConformanceTests {
    struct Case: Decodable {
        struct Verdict: Decodable {
            var verdict: String
            var unix: Int?
        }
        var id: String
        var input: String
        var rfc9110: Verdict
    }

    /// RFC 9110 decides for the lenient files too, because there is no lenient parser.
    @Test(arguments: ["strict", "httpdate", "lenient-curl", "lenient-cpython"])
    func `dates are read as RFC 9110 §5_6_7 says`(file: String) throws {
        let now = Date(timeIntervalSince1970: 1_750_000_000)  // 2025, as the vectors want
        var report = ConformanceReport("http-date/\(file)")
        for value in try ConformanceData.cases("http-date/\(file).json", as: Case.self) {
            let date = HTTPDate(value.input, now: now)
            report.record(
                value.id, date?.secondsSince1970 == value.rfc9110.unix,
                "\(value.input.debugDescription) gives \(String(describing: date))")
        }
        report.finish()
    }

    struct Written: Decodable {
        var id: String
        var unix: Int
        var expected: String
    }

    @Test func `dates are written as IMF-fixdate`() throws {
        var report = ConformanceReport("http-date/format")
        for value in try ConformanceData.cases("http-date/format.json", as: Written.self) {
            let text = HTTPDate(secondsSince1970: value.unix).description
            report.record(value.id, text == value.expected, text)
        }
        report.finish()
    }
}
