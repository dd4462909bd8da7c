import HTTPCore
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The cases of header-fields/field-parsing whose fields have a type here, in that project's shapes.
@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct FieldParsingConformanceTests {
    indirect enum JSON: Decodable, Equatable {
        case null, number(Int), text(String), flag(Bool), list([JSON]), object([String: JSON])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([JSON].self) {
                self = .list(list)
            } else {
                self = .object(try container.decode([String: JSON].self))
            }
        }
    }

    struct Case: Decodable {
        var id: String
        var field: String
        var lines: [String]
        var parsed: JSON
    }

    private static let differences = [
        "CacheControlBadMaxAgeTest":
            "the directive is kept and reads as zero: stale, not unlimited (RFC 9111 §4.2.1)",
        "UnquotedETagTest": "an entity tag has quotes (RFC 9110 §8.8.3)",
        "FilenameStarQuotedCDTest": "an extended value is no quoted string (RFC 8187 §3.2.1)",
    ]

    @Test func `typed fields are read as another project reads them`() throws {
        var report = ConformanceReport(
            "header-fields/field-parsing (typed fields)", differences: Self.differences)
        for value in try ConformanceData.cases("header-fields/field-parsing.json", as: Case.self) {
            var headers = HTTPHeaders()
            for line in value.lines {
                let octets = Array("\(value.field):\(line)".utf8)
                let isTaken = headers.append(line: octets.span)
                #expect(isTaken)
            }
            guard let found = Self.read(value.field, headers) else { continue }
            report.record(value.id, found == value.parsed, "\(value.lines) gives \(found)")
        }
        report.finish()
    }

    /// `nil` where the field has no type here.
    private static func read(_ field: String, _ headers: HTTPHeaders) -> JSON? {
        func date(_ date: HTTPDate?) -> JSON { date.map { .number($0.secondsSince1970) } ?? .null }
        func tags(_ condition: EntityTagCondition?) -> JSON {
            guard case .tags(let tags) = condition else { return .null }
            return .list(tags.map { .text($0.description) })
        }
        switch HTTPHeaderName(field) {
        case .cacheControl:
            return .list(
                headers.cacheControl?.directives.map { directive in
                    let argument = directive.argument
                    return .list([
                        .text(directive.name),
                        argument.flatMap(Int.init).map(JSON.number) ?? argument.map(JSON.text)
                            ?? .null,
                    ])
                } ?? [])
        case .contentDisposition:
            guard let field = headers.contentDisposition else { return .null }
            return .list([
                .text(field.type),
                .object(
                    Dictionary(
                        uniqueKeysWithValues: field.parameters.map { ($0.name, .text($0.value)) })),
            ])
        case .contentType:
            guard let field = headers.contentType else { return .null }
            return .list([
                .text(field.essence),
                .object(
                    Dictionary(
                        uniqueKeysWithValues: field.parameters.map { ($0.name, .text($0.value)) })),
            ])
        case .contentLength: return headers.contentLength.map(JSON.number) ?? .null
        case .contentRange: return headers.contentRange.map { .text("\($0)") } ?? .null
        case .range: return headers.range.map { .text("\($0)") } ?? .null
        case .date: return date(headers.date)
        case .expires: return date(headers.expires)
        case .lastModified: return date(headers.lastModified)
        case .entityTag:
            return headers.entityTag.map { .list([.flag($0.isWeak), .text($0.opaqueTag)]) } ?? .null
        case .ifMatch: return tags(headers.ifMatch)
        case .ifNoneMatch: return tags(headers.ifNoneMatch)
        case .link:
            return .list(
                headers.links.map { link in
                    .list([
                        .text(link.target),
                        .object(
                            Dictionary(
                                link.parameters.map { ($0.name, .text($0.value)) },
                                uniquingKeysWith: { first, _ in first })),
                    ])
                })
        default: return nil
        }
    }
}
