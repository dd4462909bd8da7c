import ConformanceVectors
import HTTPCore
import HTTPFormats
import Testing

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct ContentDispositionConformanceTests {
    struct Case: Decodable {
        struct Outcome: Decodable {
            var outcome: String
            var type: String?
            var parameters: [String: String]?
        }
        var id: String
        var value: String
        var strict: Outcome?
        var lenient: Outcome?
    }

    private static let undecodable =
        "bytes that are not in the charset: the parameter is ignored, no U+FFFD in a file name "
        + "(RFC 6266 §4.3)"
    private static let c1 =
        "ISO-8859-1 has control characters at these bytes; safeFileName removes them "
        + "(RFC 8187 §3.2.1)"
    private static let broken =
        "broken percent-encoding is against the grammar (RFC 8187 §3.2.1); "
        + "the vector is a lenient one"
    private static let twice =
        "a parameter given twice makes the field invalid (RFC 6266 §4.1); "
        + "the vector is a lenient one"

    private static let differences = [
        "026": undecodable, "094": undecodable, "028": c1, "093": c1,
        "030": "a charset we do not know: the parameter is ignored, not the field (RFC 6266 §4.3)",
        "119": broken, "120": broken, "121": twice, "122": twice,
    ]

    /// The strict outcome decides. The lenient one decides only if there is no other.
    @Test func `fields are read to the letter of RFC 6266`() throws {
        var report = ConformanceReport(
            "content-disposition/parse", differences: Self.differences)
        for value in try ConformanceData.cases("content-disposition/parse.json", as: Case.self) {
            let expected = try #require(value.strict ?? value.lenient)
            let found = ContentDisposition(value.value)
            let isRight: Bool
            if expected.outcome == "reject" {
                isRight = found == nil
            } else if let found, let parameters = expected.parameters {
                var others: [String: String] = [:]
                for parameter in found.parameters
                where !["filename", "filename*"].contains(parameter.name) {
                    others[parameter.name] = parameter.value
                }
                others["filename"] = found.fileName
                isRight =
                    found.type == expected.type
                    && others == parameters.filter { $0.key != "filename*" }
            } else {
                isRight = false
            }
            report.record(
                value.id, isRight, "\(value.value) gives \(String(describing: found))")
        }
        report.finish()
    }

    struct Written: Decodable {
        struct Options: Decodable {
            var type: String?
        }
        var id: String
        var filename: String?
        var options: Options?
        var expected: String
    }

    /// The approximation in `filename` may differ, but the result of reading must not.
    @Test func `what is written reads as the file name it was made of`() throws {
        var report = ConformanceReport("content-disposition/create")
        for value in try ConformanceData.cases("content-disposition/create.json", as: Written.self)
        {
            let isInline = value.options?.type?.lowercased() == "inline"
            let field: ContentDisposition =
                isInline
                ? .inline(fileName: value.filename) : .attachment(fileName: value.filename)
            let again = ContentDisposition(field.description)
            let expected = try #require(ContentDisposition(value.expected))
            let needsExtended =
                value.filename?.unicodeScalars.contains { $0.value > 0xFF } ?? false
            report.record(
                value.id,
                again?.type == expected.type && again?.fileName == value.filename
                    && again?.fileName == expected.fileName
                    && (!needsExtended || again?["filename*"] == value.filename)
                    && field.description.utf8.allSatisfy { (0x20..<0x7F).contains($0) },
                field.description)
        }
        report.finish()
    }
}
