import ConformanceVectors
import HTTPCore
import HTTPFormats
import Testing

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct FormURLEncodedConformanceTests {
    private struct Case: Decodable {
        var id: String
        var input: String?
        var pairs: [[String]]?
        var expected: String?
    }

    private func cases(_ name: String) throws -> [Case] {
        try ConformanceData.cases("form-urlencoded/\(name).json", as: Case.self)
    }

    private func utf8(_ pairs: [[String]]) -> [[[UInt8]]] {
        pairs.map { $0.map { Array($0.utf8) } }
    }

    @Test func `forms are read as browsers read them`() throws {
        var report = ConformanceReport("form-urlencoded/parse")
        for test in try cases("parse") {
            let pairs = FormURLEncoded(parsing: try #require(test.input)).pairs
            let read = pairs.map { [$0.name, $0.value] }
            report.record(test.id, utf8(read) == utf8(try #require(test.pairs)), "\(read)")
        }
        report.finish()
    }

    @Test func `forms are written as browsers write them`() throws {
        var report = ConformanceReport("form-urlencoded/serialise")
        for test in try cases("serialise") {
            let pairs = try #require(test.pairs).map { FormURLEncoded.Pair($0[0], $0[1]) }
            let text = FormURLEncoded(pairs, style: .whatwg).text
            report.record(test.id, text == test.expected, text)
        }
        report.finish()
    }

    @Test func `forms are read and written again as browsers do`() throws {
        var report = ConformanceReport("form-urlencoded/parse-then-serialise")
        for test in try cases("parse-then-serialise") {
            let text = FormURLEncoded(parsing: try #require(test.input)).text
            report.record(test.id, text == test.expected, text)
        }
        report.finish()
    }
}
