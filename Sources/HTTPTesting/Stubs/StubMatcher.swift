public import HTTPCore
public import HTTPFormats
public import PortableFoundation

/// A condition that a request must meet for a ``Stub`` to answer it.
public struct StubMatcher: Sendable, CustomStringConvertible {
    enum Verdict: Sendable {
        case match([String: URITemplate.Value] = [:])
        /// The differences are free of secrets.
        case mismatch([Difference])
    }

    /// The condition as text, for messages.
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
    /// Matches any of `methods`.
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

    /// Matches the same URL: equal origins, the same path and, unless `ignoringQuery` is `true`,
    /// the same query. A `url` that is not absolute matches nothing.
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

    /// Matches a URL that `template` expands to (RFC 6570), whole or from its path on. A query that
    /// the template does not mention may have any value.
    ///
    /// A template without expressions matches itself: `"https://api.example.com/users"`,
    /// `"/users"`.
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

    /// Matches a decoded pair in the URL's query, with any value if `value` is `nil`.
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
    /// Matches a field with the given value, or with any value if `value` is `nil`.
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

    /// Matches a body that is equal to this JSON, with members in any order and numbers in any
    /// notation.
    public static func json(_ json: HTTPJSON) -> Self {
        Self("this JSON body") { asked in
            if asked.json == json { return [] }
            guard let expected = try? json.serialized() else {
                return [Difference(part: "the expected JSON", found: "not serializable")]
            }
            return Difference.between(expected: expected, found: asked.body, Redaction())
        }
    }

    /// Matches a body that can be decoded as a `Value` for which `holds` returns `true`.
    public static func json<Value: Decodable & Sendable>(
        as type: Value.Type, _ holds: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) -> Self {
        Self("a JSON body that is a \(type)") { asked in
            guard let value = try? JSONDecoder().decode(type, from: asked.body) else {
                return [Difference(part: "the body", found: "not JSON that decodes as \(type)")]
            }
            return holds(value)
                ? []
                : [Difference(part: "the body", found: "a \(type) that fails the condition")]
        }
    }

    /// Matches a body of exactly these bytes.
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

    /// Matches a body of exactly this text, in UTF-8.
    public static func body(_ text: String) -> Self { body(Data(text.utf8)) }

    /// Matches a request for which `holds` returns `true`.
    ///
    /// - Parameters:
    ///   - description: a noun phrase for messages, such as "a page beyond the last one".
    ///   - holds: A closure that returns `true` for requests that match.
    public static func custom(
        _ description: String, _ holds: @escaping @Sendable (StubbedRequest) -> Bool
    ) -> Self {
        Self(description) { asked in
            holds(asked)
                ? [] : [Difference(part: "the request", expected: description, found: "another")]
        }
    }

    /// Matches any request that `matcher` does not match.
    public static func not(_ matcher: StubMatcher) -> Self {
        Self("not \(matcher)") { asked in
            guard case .match = matcher.judge(asked) else { return [] }
            return [
                Difference(
                    part: "the request", expected: "one that does not match",
                    found: "one that matches \(matcher)")
            ]
        }
    }
}

// MARK: - URLs

extension StubbedRequest {
    /// The URL without secrets, for messages.
    fileprivate var shownURL: String { Redaction().redacted(request.url.absoluteString) }

    /// The forms of the URL that a template may match: the whole URL, or the part after its
    /// authority, each with and without the query.
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

/// The parts of a URL that a server receives.
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
