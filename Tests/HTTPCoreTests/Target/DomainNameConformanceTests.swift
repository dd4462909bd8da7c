import ConformanceVectors
import HTTPCore
import Testing

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct DomainNameConformanceTests {
    struct Case: Decodable {
        var id: String
        var input: String
        /// `nil` if the host must be refused.
        var expected: String?
    }

    private static let version =
        "mapped since UTS 46 version 16; the tables are of version 15.1, which disallows it; "
        + "refused"
    private static let length = "longer than DNS allows (RFC 1035 §2.3.4); refused by HTTPOrigin"
    private static let differences = [
        "060": version, "068": version, "075": version, "076": version, "077": version,
        "010": "an empty label (RFC 1035 §2.3.1); refused by HTTPOrigin",
        "011": "an empty label (RFC 1035 §2.3.1); refused by HTTPOrigin",
        "015": "an equals sign is in no host name (RFC 952); refused by HTTPOrigin",
        "030": length, "032": length, "033": length, "035": length,
    ]

    @Test func `hosts are mapped to ASCII as browsers map them, or refused`() throws {
        var report = ConformanceReport("url-resolution/to-ascii", differences: Self.differences)
        for value in try ConformanceData.cases("url-resolution/to-ascii.json", as: Case.self) {
            let host = try? HTTPOrigin(host: value.input).host
            report.record(
                value.id, host == value.expected, "\(value.input) gives \(host ?? "none")")
            // Different means refused: a host mapped to another one would be another server.
            #expect(host == nil || host == value.expected)
            // A host that HTTPOrigin refuses is still mapped as the standard says.
            if Self.differences[value.id] != nil, Self.differences[value.id] != Self.version {
                #expect(try DomainName(value.input).ascii == value.expected)
            }
        }
        report.finish()
    }
}
