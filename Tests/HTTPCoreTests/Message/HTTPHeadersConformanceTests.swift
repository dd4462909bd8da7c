import ConformanceVectors
import HTTPCore
import Testing
import PortableFoundation

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct HTTPHeadersConformanceTests {
    struct Combined: Decodable {
        var id: String
        var fields: [[String]]
        var combined: [String: String]
        var separate: [String: [String]]?
    }

    @Test func `fields are combined as RFC 9110 §5_3 says, Set-Cookie never`() throws {
        var report = ConformanceReport("header-fields/combine")
        for value in try ConformanceData.cases("header-fields/combine.json", as: Combined.self) {
            let headers = try HTTPHeaders { headers in
                for field in value.fields {
                    try headers.append(HTTPHeaderName(field[0]), field[1])
                }
            }
            let combined = value.combined.allSatisfy {
                headers[combined: HTTPHeaderName($0.key)] == $0.value
            }
            let separate = (value.separate ?? [:]).allSatisfy {
                headers[combined: HTTPHeaderName($0.key)] == nil
                    && headers[values: HTTPHeaderName($0.key)] == $0.value
            }
            report.record(value.id, combined && separate, "\(headers)")
        }
        report.finish()
    }

    struct Value: Decodable {
        var id: String
        var value_b64: Data
        var accept: Bool
        var normalised_b64: Data?
    }

    @Test func `a value from a wire is taken without the blanks around it`() throws {
        let cases = try ConformanceData.cases("header-fields/values.json", as: Value.self)
        let isControl = { (byte: UInt8) in byte != 0x09 && (byte < 0x20 || byte == 0x7F) }
        let controls = cases.filter { $0.accept && $0.value_b64.contains(where: isControl) }
        var report = ConformanceReport(
            "header-fields/values",
            differences: Dictionary(
                uniqueKeysWithValues: controls.map {
                    (
                        $0.id,
                        "control characters are invalid in a value, CR and LF too (RFC 9110 §5.5)"
                    )
                }))
        for value in cases {
            var headers = HTTPHeaders()
            let line = Array("a:".utf8) + value.value_b64
            let isTaken = headers.append(line: line.span)
            report.record(
                value.id,
                isTaken == value.accept
                    && headers.bytes(of: "a")
                        == (isTaken ? value.normalised_b64.map { Array($0) } : nil)
            )
        }
        report.finish()
    }
}
