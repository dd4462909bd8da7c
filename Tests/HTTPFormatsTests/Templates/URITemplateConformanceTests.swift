import ConformanceVectors
import HTTPCore
import HTTPFormats
import TestSupport
import Testing

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct URITemplateConformanceTests {
    private enum Variable: Decodable {
        case value(URITemplate.Value)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .value(.undefined)
            } else if let int = try? container.decode(Int.self) {
                self = .value(URITemplate.Value(describing: int))
            } else if let double = try? container.decode(Double.self) {
                self = .value(URITemplate.Value(describing: double))
            } else if let text = try? container.decode(String.self) {
                self = .value(.string(text))
            } else if let list = try? container.decode([String].self) {
                self = .value(.list(list))
            } else {
                let pairs = try container.decode([String: String].self)
                self = .value(URITemplate.Value(describing: pairs))
            }
        }

        var value: URITemplate.Value { if case .value(let value) = self { value } else { nil } }
    }

    private struct Case: Decodable {
        struct Expected: Decodable {
            var outcome: String
            var expansions: [String]?
        }
        var id: String
        var template: String
        var variables: [String: Variable]
        var expected: Expected
    }

    // MARK: RFC 6570

    @Test(
        .rows("S1-5"),
        arguments: [
            "spec-examples", "spec-examples-by-section", "extended-tests", "negative-tests",
        ])
    func `templates expand as the vectors say`(file: String) throws {
        var report = ConformanceReport("uri-template/\(file)")
        for test in try ConformanceData.cases("uri-template/\(file).json", as: Case.self) {
            let variables = test.variables.mapValues(\.value)
            let strict = try? URITemplate(strict: test.template).expand(strictly: variables)
            guard test.expected.outcome != "error" else {
                report.record(test.id, strict == nil, "\(test.template) gave \(strict ?? "")")
                continue
            }
            let lenient = URITemplate(test.template).expand(variables)
            let expected = test.expected.expansions ?? []
            report.record(
                test.id, strict.map(expected.contains) == true && strict == lenient,
                "\(test.template) gave \(strict ?? "an error") for \(expected)")
        }
        report.finish()
    }

    /// Checks that a template matches its expansion: the values it reads expand to the same text.
    @Test(
        .rows("S1-5"), arguments: ["spec-examples", "spec-examples-by-section", "extended-tests"])
    func `what a template gave, it matches`(file: String) throws {
        var report = ConformanceReport("uri-template/\(file) (matched)")
        for test in try ConformanceData.cases("uri-template/\(file).json", as: Case.self) {
            let template = URITemplate(test.template)
            for text in test.expected.expansions ?? [] {
                let values = template.match(text)
                let again = values.map { template.expand($0) }
                report.record(
                    test.id, again == text, "\(template), \(text): \(again ?? "no match")")
            }
        }
        report.finish()
    }
}
