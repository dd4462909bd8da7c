public import HTTPCore
public import HTTPFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a request must be for a ``Stub`` to answer it.
public struct StubMatcher: Sendable, CustomStringConvertible {
    enum Verdict: Sendable {
        case match([String: URITemplate.Value] = [:])
        /// Free of secrets.
        case mismatch([Difference])
    }

    /// What is asked of a request, for a message.
    public let description: String
    let judge: @Sendable (StubbedRequest) -> Verdict

    private init(_ description: String, _ judge: @escaping @Sendable (StubbedRequest) -> Verdict) {
        self.description = description
        self.judge = judge
    }

    private init(
        _ description: String,
        unless differences: @escaping @Sendable (StubbedRequest) -> [Difference]
    ) {
        self.init(description) { request in
            let differences = differences(request)
            return differences.isEmpty ? .match() : .mismatch(differences)
        }
    }
}

// MARK: - Method and URL

extension StubMatcher {
    /// Any of `methods`.
    public static func method(_ methods: HTTPMethod...) -> Self {
        let names = methods.map(\.rawValue).joined(separator: " or ")
        return Self(names) { asked in
            methods.contains(asked.request.method)
                ? []
                : [
                    Difference(
                        part: "the method", expected: names, found: "\(asked.request.method)")
                ]
        }
    }

    /// The same URL: equal origins, the same path and, unless `ignoringQuery`, the same query.
    /// Nothing matches what is no absolute URL.
    public static func url(_ url: String, ignoringQuery: Bool = false) -> Self {
        let shown = Redaction().redacted(url)
        return Self(shown) { asked in
            let expected = ComparableURL(url, ignoringQuery: ignoringQuery)
            let found = ComparableURL(
                asked.request.url.absoluteString, ignoringQuery: ignoringQuery)
            return expected != nil && expected == found
                ? [] : [Difference(part: "the URL", expected: shown, found: asked.shownURL)]
        }
    }

    /// A URL that `template` gives (RFC 6570), whole or from its path on. A query that the template
    /// does not mention may be anything.
    ///
    /// A text without expressions matches itself: `"https://api.example.com/users"`, `"/users"`.
    public static func template(_ template: URITemplate) -> Self {
        let shown = Redaction().redacted(template.text)
        return Self(shown) { asked in
            for form in asked.urlForms {
                if let variables = template.match(form) { return .match(variables) }
            }
            let note = template.malformedOffset.map { " (malformed at byte \($0))" } ?? ""
            return .mismatch([
                Difference(part: "the URL", expected: shown + note, found: asked.shownURL)
            ])
        }
    }

    /// A pair in the URL's query, decoded; of any value if `value` is `nil`.
    public static func query(_ name: String, _ value: String? = nil) -> Self {
        let isSecret = Redaction().isSecretKey(name)
        @Sendable func shown(_ value: String) -> String { isSecret ? "<redacted>" : value.logSafe }
        return Self("?\(name)" + (value.map { "=\(shown($0))" } ?? "")) { asked in
            let found = asked.query(name)
            if let found, value == nil || found == value { return [] }
            return [
                Difference(
                    part: "the query's \(name.logSafe)", expected: value.map(shown) ?? "present",
                    found: found.map(shown))
            ]
        }
    }
}

// MARK: - Fields and body

extension StubMatcher {
    /// A field with that value, or with any if `value` is `nil`.
    public static func header(_ name: HTTPHeaderName, _ value: String? = nil) -> Self {
        let isSecret = name.isSensitive
        @Sendable func shown(_ value: String, _ isSecret: Bool) -> String {
            isSecret ? "<redacted>" : value.logSafe
        }
        return Self("\(name)" + (value.map { ": \(shown($0, isSecret))" } ?? "")) { asked in
            let headers = asked.request.headers
            let found = headers[values: name]
            if value.map(found.contains) ?? !found.isEmpty { return [] }
            let hides = isSecret || headers.isSensitive(name)
            return [
                Difference(
                    part: "the field \(name)",
                    expected: value.map { shown($0, hides) } ?? "present",
                    found: found.first.map { shown($0, hides) })
            ]
        }
    }

    /// A body that is this JSON: members in any order, numbers in any spelling.
    public static func json(_ json: HTTPJSON) -> Self {
        Self("this JSON body") { asked in
            if asked.json == json { return [] }
            guard let expected = try? json.serialized() else {
                return [Difference(part: "the expected JSON", found: "none that can be written")]
            }
            return Difference.between(expected: expected, found: asked.body, Redaction())
        }
    }

    /// A body that can be decoded as a `Value` for which `holds` is true.
    public static func json<Value: Decodable & Sendable>(
        as type: Value.Type, _ holds: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) -> Self {
        Self("a JSON body that is a \(type)") { asked in
            guard let value = try? JSONDecoder().decode(type, from: asked.body) else {
                return [Difference(part: "the body", found: "no JSON of a \(type)")]
            }
            return holds(value)
                ? [] : [Difference(part: "the body", found: "not the right \(type)")]
        }
    }

    /// A body of exactly these bytes.
    public static func body(_ bytes: Data) -> Self {
        Self("this body") { asked in
            if asked.body == bytes { return [] }
            let redaction = Redaction()
            let type = asked.request.headers[.contentType]
            let differences = Difference.between(
                expected: redaction.redacted(bytes, type: type),
                found: redaction.redacted(asked.body, type: type), redaction)
            return differences.isEmpty ? [Difference(part: "the body")] : differences
        }
    }

    /// A body of exactly this text, in UTF-8.
    public static func body(_ text: String) -> Self { body(Data(text.utf8)) }

    /// Whatever `holds`; `description` says what that is, as in "a page beyond the last one".
    public static func custom(
        _ description: String, _ holds: @escaping @Sendable (StubbedRequest) -> Bool
    ) -> Self {
        Self(description) { asked in
            holds(asked)
                ? [] : [Difference(part: "the request", expected: description, found: "another")]
        }
    }

    /// Anything that `matcher` does not match.
    public static func not(_ matcher: StubMatcher) -> Self {
        Self("not \(matcher)") { asked in
            guard case .match = matcher.judge(asked) else { return [] }
            return [
                Difference(part: "the request", expected: "not \(matcher)", found: "just that")
            ]
        }
    }
}

// MARK: - URLs

extension StubbedRequest {
    /// For a message.
    fileprivate var shownURL: String { Redaction().redacted(request.url.absoluteString) }

    /// What a template may stand for: the whole URL or what follows its authority, with the query and
    /// without.
    fileprivate var urlForms: [String] {
        guard let reference = try? URIReference(request.url.absoluteString) else { return [] }
        let path = reference.path.isEmpty ? "/" : String(reference.path)
        let query = reference.query.map { "?\($0)" } ?? ""
        var forms = [path + query, path]
        if let origin = try? HTTPOrigin(reference) {
            forms += ["\(origin)\(path)\(query)", "\(origin)\(path)"]
            if reference.path.isEmpty { forms += ["\(origin)\(query)", "\(origin)"] }
        }
        return forms
    }
}

/// The parts of a URL that a server gets to see.
private struct ComparableURL: Equatable {
    let origin: HTTPOrigin
    let path: String
    let query: String?

    init?(_ text: String, ignoringQuery: Bool) {
        guard let reference = try? URIReference(text), let origin = try? HTTPOrigin(reference)
        else { return nil }
        self.origin = origin
        path = reference.path.isEmpty ? "/" : String(reference.path)
        query = ignoringQuery ? nil : reference.query.map { String($0) }
    }
}
