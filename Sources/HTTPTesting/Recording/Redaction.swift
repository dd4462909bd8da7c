import HTTPCore
import HTTPFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What of a message is a secret, and is replaced before a file or an error message gets it.
///
/// Sensitive header fields (``HTTPHeaders/isSensitive(_:)``) and user information in URLs always are.
/// So are the values in queries, forms and JSON whose names look like secrets (`access_token`,
/// `client_secret`, `password`, …), the query keys `key`, `sig` and `code`, and what is named here.
/// Of JSON only texts are: `"max_tokens": 100` is none.
///
/// What lies elsewhere is not found: in a path, in multipart content, in a text without names.
public struct Redaction: Sendable {
    /// What stands in place of a secret.
    public static let placeholder = "redacted"

    /// Further names of query keys, form values and JSON members, in any case.
    public var names: Set<String>
    /// Names that look like secrets and are none: `next_page_token`.
    public var plainNames: Set<String>
    /// Further header fields, in any case.
    public var fields: Set<String>

    public init(
        names: Set<String> = [], plainNames: Set<String> = [], fields: Set<String> = []
    ) {
        self.names = names
        self.plainNames = plainNames
        self.fields = fields
    }

    private static let queryNames: Set<String> = ["key", "sig", "code"]

    func isSecret(_ name: String) -> Bool {
        !plainNames.holds(name) && (HTTPHeaderName(name).isSensitive || names.holds(name))
    }

    /// Of a query.
    func isSecretKey(_ name: String) -> Bool {
        isSecret(name) || Self.queryNames.holds(name) && !plainNames.holds(name)
    }

    func isSecret(_ field: HTTPHeaders.Field) -> Bool {
        field.isSensitive || fields.contains { HTTPHeaderName($0) == field.name }
    }

    // MARK: Texts

    /// A URL, or a text that holds URLs, without user information and secret query values.
    func redacted(_ text: String) -> String {
        // By scalars, here and below: a delimiter with a combining mark behind it is another `Character`.
        var rest = withoutUserInformation(text).unicodeScalars[...]
        var result = String.UnicodeScalarView()
        while let mark = rest.firstIndex(of: "?") {
            let start = rest.index(after: mark)
            let end =
                rest[start...].firstIndex { " \"<>#,?".unicodeScalars.contains($0) }
                ?? rest.endIndex
            result += rest[..<start]
            result += redactedPairs(rest[start..<end], isQuery: true).unicodeScalars
            rest = rest[end...]
        }
        return String(result + rest)
    }

    private func withoutUserInformation(_ text: String) -> String {
        var rest = text.unicodeScalars[...]
        var result = String.UnicodeScalarView()
        while let marker = rest.firstRange(of: "://".unicodeScalars) {
            let authority = rest[marker.upperBound...].prefix {
                !"/?#\\ \"<>".unicodeScalars.contains($0)
            }
            result += rest[..<marker.upperBound]
            let start = authority.lastIndex(of: "@").map(authority.index(after:))
            rest = rest[(start ?? marker.upperBound)...]
        }
        return String(result + rest)
    }

    /// `a=b&c=d`, byte for byte as it was but for the secrets.
    private func redactedPairs(
        _ text: Substring.UnicodeScalarView, isQuery: Bool
    ) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: "="), equals < pair.index(before: pair.endIndex)
            else { return String(pair) }
            let bytes = Array(String(pair[..<equals]).utf8).percentDecoded(plusAsSpace: true)
            let name = String(decoding: bytes, as: UTF8.self)
            guard isQuery ? isSecretKey(name) : isSecret(name) else { return String(pair) }
            return String(pair[...equals]) + Self.placeholder
        }.joined(separator: "&")
    }

    // MARK: Content

    /// The content of a form or of JSON with its secrets replaced; any other, and content in which
    /// nothing looks like a secret's name, byte for byte as it is.
    func redacted(_ content: Data, type: String?) -> Data {
        let type = type.flatMap { MediaType($0) }
        if type?.essence == MediaType.formURLEncoded.essence {
            let text = String(decoding: content, as: UTF8.self)
            let redacted = redactedPairs(text.unicodeScalars[...], isQuery: false)
            return redacted == text ? content : Data(redacted.utf8)
        }
        guard type == nil || type?.isIn(.json) == true, let json = try? HTTPJSON(parsing: content)
        else { return content }
        let redacted = redacted(json)
        // Of members with one name the last is in `json`; an earlier one may be a secret's.
        guard redacted != json || mayNameSecret(content) else { return content }
        return (try? redacted.serialized()) ?? Data()
    }

    private func mayNameSecret(_ content: Data) -> Bool {
        let text = String(decoding: content, as: UTF8.self)
        if HTTPHeaderName(text).isSensitive { return true }
        let folded = text.lowercased()
        return names.contains { folded.contains($0.lowercased()) }
    }

    func redacted(_ json: HTTPJSON) -> HTTPJSON {
        switch json {
        case .array(let elements): return .array(elements.map(redacted))
        case .object(let members):
            return .object(
                HTTPJSON.Object(
                    members.map { name, value in
                        (name, isSecret(name) ? withoutTexts(value) : redacted(value))
                    }))
        case .null, .bool, .number, .string: return json
        }
    }

    private func withoutTexts(_ json: HTTPJSON) -> HTTPJSON {
        switch json {
        case .string: .string(Self.placeholder)
        case .array(let elements): .array(elements.map(withoutTexts))
        case .object(let members):
            .object(HTTPJSON.Object(members.map { ($0.name, withoutTexts($0.value)) }))
        case .null, .bool, .number: json
        }
    }
}

extension Set<String> {
    /// Whether the name is there, in any case.
    fileprivate func holds(_ name: String) -> Bool {
        let folded = name.lowercased()
        return contains { $0.lowercased() == folded }
    }
}
