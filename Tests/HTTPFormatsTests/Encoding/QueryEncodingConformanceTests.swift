import ConformanceVectors
import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct QueryEncodingConformanceTests {
    struct Case: Decodable {
        var id: String
        var input: String
        var expected: String
    }

    private static let differences = [
        "03": "no query holds a backslash (RFC 3986 §3.4)",
        "07": "no query holds a vertical bar (RFC 3986 §3.4)",
    ]

    // MARK: Escaping

    @Test(.rows("S1-17"))
    func `a value is percent-encoded as UTF-8`() throws {
        var report = ConformanceReport(
            "url-resolution/query-percent-encode", differences: Self.differences)
        let file = "url-resolution/query-percent-encode.json"
        for value in try ConformanceData.cases(file, as: Case.self) {
            let url = try HTTPRequest(.get, "https://h/").query(["q": value.input]).url
            report.record(
                value.id, url.absoluteString == "https://h/?q=\(value.expected)",
                url.absoluteString)
        }
        report.finish()
    }
}
