public import HTTPCore

/// Named values as `application/x-www-form-urlencoded`.
public struct FormURLEncoded: Hashable, Sendable {
    /// The escaping of a form.
    public enum Style: Hashable, Sendable {
        /// The escaping of a ``QueryEncoding``: a space is `%20`.
        case percentEncoded
        /// The escaping of the WHATWG URL Standard (§5.2) and of browsers: a space is `+`.
        case whatwg
    }

    package struct Pair: Hashable, Sendable {
        package var name: String
        package var value: String
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The pairs in the order in which they are written.
    package var pairs: [Pair]
    package var style: Style

    package init(_ pairs: [Pair] = [], style: Style = .percentEncoded) {
        self.pairs = pairs
        self.style = style
    }

    /// Creates the pairs that a query of `parameters` would have, in the same order.
    public init(
        _ parameters: [String: Any?], style: Style = .percentEncoded,
        encoding: QueryEncoding = QueryEncoding()
    ) {
        self.init(QueryValue.dictionary(parameters), style, encoding)
    }

    /// Creates the pairs that a query of the properties of `value` would have.
    ///
    /// - Throws: `invalidRequest` if `value` has no named properties, or cannot be encoded.
    public init(
        propertiesOf value: some Encodable, style: Style = .percentEncoded,
        encoding: QueryEncoding = QueryEncoding()
    ) throws(HTTPError) {
        self.init(try QueryValue.dictionary(encoding: value), style, encoding)
    }

    private init(_ values: [String: QueryValue], _ style: Style, _ encoding: QueryEncoding) {
        self.init(encoding.pairs(values).map { Pair($0.name, $0.value ?? "") }, style: style)
    }

    /// Creates a form from its text (WHATWG URL §5.1). This never fails: bytes that are not UTF-8
    /// become U+FFFD, and a `%` without two hexadecimal digits is kept.
    package init(parsing bytes: some Sequence<UInt8>) {
        pairs = Array(bytes).split(separator: UInt8(ascii: "&")).map { piece in
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            func text(_ bytes: ArraySlice<UInt8>) -> String {
                String(decoding: bytes.percentDecoded(plusAsSpace: true), as: UTF8.self)
            }
            return Pair(text(piece[..<equals]), text(piece[equals...].dropFirst()))
        }
        style = .whatwg
    }

    /// Reads a form, as the parser of the URL Standard does (§5.1): it accepts any text, and `+` is
    /// a space.
    public init(parsing text: String) { self.init(parsing: text.utf8) }

    /// The value of the first pair of that name.
    public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// The form as it is sent, in ASCII.
    public var text: String {
        var text = ""
        for (index, pair) in pairs.enumerated() {
            if index > 0 { text += "&" }
            append(pair.name, to: &text)
            text += "="
            append(pair.value, to: &text)
        }
        return text
    }

    private func append(_ part: String, to text: inout String) {
        switch style {
        case .percentEncoded: text.appendPercentEncoded(part, allowed: .queryPart)
        case .whatwg:
            text.appendPercentEncoded(part, allowed: .whatwgForm, spaceAsPlus: true)
        }
    }

    /// The `Content-Type` that the body implies, without parameters, since the type has none (URL
    /// Standard §5.2): some servers refuse one.
    package var contentType: String { MediaType.formURLEncoded.description }

    public var body: HTTPBody { HTTPBody(text) }
}

extension FormURLEncoded: HTTPContent {
    public var fields: HTTPHeaders { [.contentType: contentType] }
}

extension HTTPRequest {
    /// Returns this request with a form as its body. The form's content type is set unless the
    /// request has one.
    package func formURLEncoded(_ form: FormURLEncoded) -> HTTPRequest {
        setting(form.body, fields: form.fields)
    }

    /// Returns this request with `parameters` as its body. See ``/HTTPFormats/FormURLEncoded``.
    public func formURLEncoded(
        _ parameters: [String: Any?], style: FormURLEncoded.Style = .percentEncoded,
        encoding: QueryEncoding = QueryEncoding()
    ) -> HTTPRequest {
        formURLEncoded(FormURLEncoded(parameters, style: style, encoding: encoding))
    }

    /// Returns this request with the properties of `value` as its body. See
    /// ``/HTTPFormats/FormURLEncoded``.
    ///
    /// - Throws: `invalidRequest` if `value` has no named properties, or cannot be encoded.
    public func formURLEncoded(
        propertiesOf value: some Encodable, style: FormURLEncoded.Style = .percentEncoded,
        encoding: QueryEncoding = QueryEncoding()
    ) throws(HTTPError) -> HTTPRequest {
        formURLEncoded(try FormURLEncoded(propertiesOf: value, style: style, encoding: encoding))
    }
}
