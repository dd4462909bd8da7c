import HTTPCore
import HTTPFormats
import PortableFoundation

/// The rules for the secrets of a message, which are replaced in files and error messages.
///
/// Sensitive header fields (``/HTTPCore/HTTPHeaders/isSensitive(_:)``) and user information in URLs
/// are always secret. So are the values in queries, forms and JSON whose names look like secrets
/// (`access_token`, `client_secret`, `password`, …), the query keys `key`, `sig` and `code`, and
/// the names given here. In JSON only strings are secret: `"max_tokens": 100` is not.
///
/// Secrets elsewhere are not found: in a path, in multipart content, in text without names.
///
/// ``Recording`` applies the rules to each exchange before it keeps it.
public struct Redaction: Sendable {
    /// The text that replaces a secret.
    package static let placeholder = "redacted"

    /// Additional names of query keys, form values and JSON members, in any case.
    public var names: Set<String>
    /// Names that look like secrets but are not, such as `next_page_token`.
    public var plainNames: Set<String>
    /// Additional header fields, in any case.
    public var fields: Set<String>

    /// Creates the standard rules with additions and exceptions.
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

    /// Returns `true` if the value of this query key is secret.
    func isSecretKey(_ name: String) -> Bool {
        isSecret(name) || Self.queryNames.holds(name) && !plainNames.holds(name)
    }

    func isSecret(_ field: HTTPHeaders.Field) -> Bool {
        field.isSensitive || fields.contains { HTTPHeaderName($0) == field.name }
    }

    // MARK: Texts

    /// Returns a URL, or a text that contains URLs, without user information and secret query
    /// values.
    func redacted(_ text: String) -> String {
        // By scalars, here and below: a delimiter followed by a combining mark is a different
        // `Character`.
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

    /// Returns pairs such as `a=b&c=d` with their secrets replaced, and otherwise byte for byte.
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

    /// Returns the content of a form or of JSON with its secrets replaced.
    ///
    /// Returns any other content, and content without names of secrets, byte for byte.
    func redacted(_ content: Data, type: String?) -> Data {
        let type = type.flatMap { MediaType($0) }
        if type?.essence == MediaType.formURLEncoded.essence {
            let text = String(decoding: content, as: UTF8.self)
            let redacted = redactedPairs(text.unicodeScalars[...], isQuery: false)
            return redacted == text ? content : Data(redacted.utf8)
        }
        guard type == nil || type?.isJSON == true, let json = try? HTTPJSON(parsing: content)
        else { return content }
        let redacted = redacted(json)
        // `json` has only the last of several members with one name; an earlier one may be secret.
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
    /// Returns `true` if the set contains the name, in any case.
    fileprivate func holds(_ name: String) -> Bool {
        let folded = name.lowercased()
        return contains { $0.lowercased() == folded }
    }
}
