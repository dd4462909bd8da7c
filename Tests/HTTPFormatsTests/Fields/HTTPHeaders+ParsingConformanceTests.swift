import ConformanceVectors
import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

/// The cases of header-fields/field-parsing, what is read here put into that project's shapes.
@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct HTTPHeadersParsingConformanceTests {
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
        "AltSvcMixedTest": "`clear` means something alone only (RFC 7838 §3)",
        "CacheControlBadMaxAgeTest":
            "the directive is kept and reads as zero: stale, not unlimited (RFC 9111 §4.2.1)",
        "FilenameStarQuotedCDTest": "an extended value is no quoted string (RFC 8187 §3.2.1)",
        "UnquotedETagTest": "an entity tag has quotes (RFC 9110 §8.8.3)",
        "VaryTest": "a list with * means all of them (RFC 9110 §12.5.5)",
    ]

    /// The fields that have no type, and why; their cases count as different.
    private static let untyped: [HTTPHeaderName: String] = [
        "Accept-Patch": "read by no layer (RFC 5789 §3.1)",
        "Accept-Post": "read by no layer (Linked Data Platform §7.1)",
        "Access-Control-Allow-Origin": "a browser's to read (Fetch §3.2)",
        "Access-Control-Max-Age": "a browser's to read (Fetch §3.2)",
        .authenticationInfo: "read by no layer (RFC 9110 §11.6.3)",
        .authorization: "a server's to read; ``Authorization`` writes it (RFC 9110 §11.6.2)",
        "CDN-Cache-Control": "for the caches of servers (RFC 9213 §3.1)",
        "Clear-Site-Data": "about the storage of a browser (Clear Site Data §3.1)",
        .connection: "of one connection, the transport's (RFC 9110 §7.6.1)",
        .contentLanguage: "read by no layer (RFC 9110 §8.5)",
        .contentLocation: "read by no layer (RFC 9110 §8.7)",
        "Deprecation": "read by no layer (RFC 9745 §2.1)",
        .expect: "written by the transport, read by servers (RFC 9110 §10.1.1)",
        .host: "made from the URL by the transport (RFC 9110 §7.2)",
        .ifMatch: "a server's to read (RFC 9110 §13.1.1)",
        .ifNoneMatch: "a server's to read (RFC 9110 §13.1.2)",
        .keepAlive: "of HTTP/1.0, and the transport's (RFC 9112 app. C.2.2)",
        .origin: "a server's to read (RFC 6454 §7)",
        "Pragma": "deprecated (RFC 9111 §5.4)",
        "Referrer-Policy": "a browser's to read (Referrer Policy §4.1)",
        "Server-Timing": "read by no layer (Server Timing §3)",
        .setCookie: "belongs to the cookie store, not to fields (RFC 6265 §5.2)",
        "Strict-Transport-Security": "read by no layer (RFC 6797 §6.1)",
        "Sunset": "read by no layer (RFC 8594 §3)",
        .te: "framing, the transport's (RFC 9110 §10.1.4)",
        .transferEncoding: "framing, the transport's (RFC 9112 §6.1)",
        .via: "written and read by intermediaries (RFC 9110 §7.6.3)",
        "Warning": "obsolete (RFC 9111 §5.5)",
        "X-Content-Type-Options": "a browser's to read (Fetch §3.6)",
    ]

    @Test func `fields are read as another project reads them`() throws {
        let cases = try ConformanceData.cases("header-fields/field-parsing.json", as: Case.self)
        var differences = Self.differences
        for value in cases {
            if let reason = Self.untyped[HTTPHeaderName(value.field)] {
                differences[value.id] = reason
            }
        }
        var report = ConformanceReport("header-fields/field-parsing", differences: differences)
        for value in cases {
            var headers = HTTPHeaders()
            for line in value.lines {
                let bytes = Array("\(value.field):\(line)".utf8)
                let isTaken = headers.append(line: bytes.span)
                #expect(isTaken)
            }
            let found = try Self.read(value.field, headers)
            report.record(
                value.id, found == value.parsed,
                "\(value.lines) gives "
                    + "\(found.map { "\($0)" } ?? "nothing: \(value.field) has no type")")
        }
        report.finish()
    }

    /// `nil` where the field has no type here.
    private static func read(_ field: String, _ headers: HTTPHeaders) throws -> JSON? {
        func date(_ date: HTTPDate?) -> JSON { date.map { .number($0.secondsSince1970) } ?? .null }
        func texts(_ texts: [String]) -> JSON { .list(texts.map(JSON.text)) }
        func seconds(_ duration: Duration) -> JSON { .number(Int(duration.components.seconds)) }
        func named(_ name: String, _ parameters: [(String, String)]) -> JSON {
            let values = parameters.map { ($0, JSON.text($1)) }
            return .list([.text(name), .object(Dictionary(values) { first, _ in first })])
        }
        let base = try URL(strictly: "https://base.example/a/b")
        switch HTTPHeaderName(field) {
        case .acceptRanges: return texts(headers.acceptRanges)
        case .age: return headers[.age]?.trimmingBlanks.deltaSeconds.map(seconds) ?? .null
        case .allow: return headers.allow.map { texts($0.map(\.rawValue)) } ?? .null
        case .altSvc:
            switch headers[combined: .altSvc].map({ AlternativeServices($0) }) {
            case .clear: return texts(["clear"])
            case .services(let services): return texts(services.map(\.description))
            case nil: return .null
            }
        case .contentEncoding: return texts(headers.contentEncoding)
        case .ifRange: return headers.ifRange.map { .text("\($0)") } ?? .null
        case .ifUnmodifiedSince:
            return headers.ifUnmodifiedSince.map { .text("\($0)") } ?? .null
        case .location:
            return headers.location(relativeTo: base).map { .text($0.absoluteString) } ?? .null
        case .vary:
            switch headers[combined: .vary].map({ Vary($0) }) {
            case .anything: return texts(["*"])
            case .fields(let names): return texts(names.map { $0.spelling.lowercased() })
            case nil: return .null
            }
        case .wwwAuthenticate:
            // The text of each challenge there; the scheme's case is not kept here.
            return texts(
                headers.challenges.map { challenge in
                    challenge.scheme.capitalized + " "
                        + challenge.parameters.map { "\($0.name)=\"\($0.value)\"" }
                        .joined(separator: ", ")
                })
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
            return named(field.type, field.parameters.map { ($0.name, $0.value) })
        case .contentType:
            guard let field = headers.contentType else { return .null }
            return named(field.essence, field.parameters.map { ($0.name, $0.value) })
        case .contentLength: return headers.contentLength.map(JSON.number) ?? .null
        case .contentRange: return headers.contentRange.map { .text("\($0)") } ?? .null
        case .range: return headers.range.map { .text("\($0)") } ?? .null
        case .date: return date(headers.date)
        case .expires: return date(headers.expires)
        case .lastModified: return date(headers.lastModified)
        case .eTag:
            return headers.entityTag.map { .list([.flag($0.isWeak), .text($0.opaqueTag)]) } ?? .null
        case .link:
            return .list(
                headers.links.map { link in
                    named(link.target, link.parameters.map { ($0.name, $0.value) })
                })
        default: return nil
        }
    }
}
