import ConformanceVectors
import HTTPCore
import Testing

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct DomainNameConformanceTests {
    struct Case: Decodable {
        var id: String
        var input: String
        /// `nil` where the host is to be refused.
        var expected: String?
    }

    private static let symbol =
        "a symbol, which IDNA 2008 does not allow (RFC 5892 §2.1); refused, never mapped otherwise"
    private static let needsTables =
        "takes the mapping tables of UTS 46 (RFC 5895 §2 leaves it to the program); refused"
    private static let length = "longer than DNS allows (RFC 1035 §2.3.4); refused"
    private static let differences = [
        "002": symbol, "030": symbol, "038": symbol, "039": symbol, "054": symbol, "073": symbol,
        "040": needsTables, "041": needsTables, "043": needsTables, "060": needsTables,
        "061": needsTables, "062": needsTables, "066": needsTables, "068": needsTables,
        "076": needsTables,
        "010": "an empty label (RFC 1035 §2.3.1); refused",
        "011": "an empty label (RFC 1035 §2.3.1); refused",
        "015": "an equals sign is in no host name (RFC 952); refused",
        "026": "takes the joining types (RFC 5892 app. A.1); refused",
        "049": "takes the joining types (RFC 5892 app. A.1); refused",
        "032": length, "033": length, "035": length,
    ]

    @Test func `hosts are mapped to ASCII as browsers map them, or refused`() throws {
        var report = ConformanceReport("url-resolution/to-ascii", differences: Self.differences)
        for value in try ConformanceData.cases("url-resolution/to-ascii.json", as: Case.self) {
            let host = try? HTTPOrigin(host: value.input).host
            report.record(
                value.id, host == value.expected, "\(value.input) gives \(host ?? "none")")
            // Different means refused: a host mapped to another one would be another server.
            #expect(host == nil || host == value.expected)
        }
        report.finish()
    }
}
