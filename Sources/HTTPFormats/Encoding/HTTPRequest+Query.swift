public import HTTPCore
package import PortableFoundation

/// Query parameters. For every method they go into the URL, after its existing query and before its
/// fragment. These methods can rewrite what they wrote, so the encoding can be chosen before or
/// after the parameters. Setting ``url`` to another URL forgets the parameters.
extension HTTPRequest {
    /// Returns this request with `parameters` in place of all that the query methods set or added
    /// before.
    ///
    /// Values may have any type. See ``/HTTPFormats/QueryEncoding``.
    public func query(_ parameters: [String: Any?]) -> HTTPRequest {
        let values = QueryValue.dictionary(parameters)
        return changingQuery {
            $0.parameters = values
            $0.additions = []
        }
    }

    /// Returns this request with the properties of `value` as parameters, as ``query(_:)`` does
    /// with a dictionary.
    ///
    /// - Throws: `invalidRequest` if `value` has no named properties, or cannot be encoded.
    public func query(propertiesOf value: some Encodable) throws(HTTPError) -> HTTPRequest {
        let values = try QueryValue.dictionary(encoding: value)
        return changingQuery {
            $0.parameters = values
            $0.additions = []
        }
    }

    /// Returns this request with one parameter set, in place of one of the same name; `nil` removes
    /// it.
    ///
    /// Parameters are written in the ascending order of their names.
    public func query(_ name: String, _ value: Any?) -> HTTPRequest {
        let value = QueryValue(value)
        return changingQuery { $0.parameters[name] = value == .null ? nil : value }
    }

    /// Returns this request with `parameters` added after the existing ones, also under the same
    /// names.
    public func addingQuery(_ parameters: [String: Any?]) -> HTTPRequest {
        let values = QueryValue.dictionary(parameters)
        return changingQuery { $0.additions.append(.parameters(values)) }
    }

    /// Returns this request with one parameter added after the existing ones, also under the same
    /// name.
    public func addingQuery(_ name: String, _ value: Any?) -> HTTPRequest {
        let value = QueryValue(value)
        return changingQuery { $0.additions.append(.parameters([name: value])) }
    }

    /// Returns this request with `items` added in their order after the existing parameters. Names
    /// and values are plain text, not percent-encoded. An item without a value is written as its
    /// name.
    package func addingQuery(items: [URLQueryItem]) -> HTTPRequest {
        changingQuery {
            $0.additions.append(.pairs(items.map { QueryPair($0.name, $0.value) }))
        }
    }

    /// Returns this request with its parameters written by `encoding`, whether they are set before
    /// or after.
    public func queryEncoding(_ encoding: QueryEncoding) -> HTTPRequest {
        changingQuery { $0.encoding = encoding }
    }

    /// Returns this request with its parameters written by `encoding`, unless the caller has chosen
    /// an encoding or has set no parameters.
    package func queryEncoding(orDefault encoding: QueryEncoding) -> HTTPRequest {
        let state = self[RequestQuery.self]
        guard state.encoding == nil, !(state.parameters.isEmpty && state.additions.isEmpty) else {
            return self
        }
        return queryEncoding(encoding)
    }
}

/// The parameters that the query methods have set, and the text that they wrote into the URL.
private struct RequestQuery: HTTPRequestOption {
    static let defaultValue = RequestQuery()

    enum Addition {
        case parameters([String: QueryValue])
        case pairs([QueryPair])
    }

    /// The encoding that the caller has chosen; `nil` for the default.
    var encoding: QueryEncoding?
    var parameters: [String: QueryValue] = [:]
    var additions: [Addition] = []
    /// The end of the URL's query that was written, with the `&` that was put before it.
    var written = ""

    var text: String {
        let encoding = encoding ?? QueryEncoding()
        var pairs = encoding.pairs(parameters)
        for addition in additions {
            switch addition {
            case .parameters(let parameters): pairs += encoding.pairs(parameters)
            case .pairs(let others): pairs += others
            }
        }
        return QueryEncoding.text(of: pairs)
    }
}

extension HTTPRequest {
    private func changingQuery(_ change: (inout RequestQuery) -> Void) -> HTTPRequest {
        var request = self
        var state = self[RequestQuery.self]
        var parts = URLTextParts(url.absoluteString)
        if !state.written.isEmpty {
            if let query = parts.query, let rest = query.removing(suffix: state.written) {
                parts.query = rest.isEmpty ? nil : rest
            } else {
                // The URL was replaced, and the parameters went with the old one.
                state = RequestQuery(encoding: state.encoding)
            }
        }
        change(&state)
        request.write(state, into: parts)
        return request
    }

    /// Returns this request with another URL and writes the parameters into it. The URL must not
    /// hold them yet.
    package func replacingURL(_ url: URL) -> HTTPRequest {
        var request = self
        var state = self[RequestQuery.self]
        let isStillThere =
            state.written.isEmpty
            || URLTextParts(self.url.absoluteString).query?.removing(suffix: state.written) != nil
        if !isStillThere { state = RequestQuery(encoding: state.encoding) }
        request.url = url
        request.write(state, into: URLTextParts(url.absoluteString))
        return request
    }

    mutating func forgetQuery() {
        self[RequestQuery.self] = RequestQuery(encoding: self[RequestQuery.self].encoding)
    }

    private mutating func write(_ state: RequestQuery, into parts: URLTextParts) {
        var (state, parts) = (state, parts)
        let text = state.text
        let existing = parts.query ?? ""
        let needsAmpersand =
            !existing.isEmpty && existing.utf8.last != UInt8(ascii: "&") && !text.isEmpty
        state.written = (needsAmpersand ? "&" : "") + text
        if !text.isEmpty { parts.query = existing + state.written }
        self[RequestQuery.self] = state
        // An invalid URL stays as it is, and sending refuses it.
        url = URL(string: parts.text, encodingInvalidCharacters: false) ?? url
    }
}

/// A URL cut at its query. It may be invalid: `checkedTarget()` checks that.
private struct URLTextParts {
    var head: String
    var query: String?
    var fragment: String

    init(_ text: String) {
        let hash = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        fragment = String(text[hash...])
        let mark = text[..<hash].utf8.firstIndex(of: UInt8(ascii: "?"))
        head = String(text[..<(mark ?? hash)])
        query = mark.map { String(text[text.utf8.index(after: $0)..<hash]) }
    }

    var text: String { head + (query.map { "?\($0)" } ?? "") + fragment }
}

extension String {
    /// Returns the text before `suffix` if `suffix` is all of this query or begins at one of its
    /// pairs.
    fileprivate func removing(suffix: String) -> String? {
        guard utf8.count >= suffix.utf8.count,
            utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        else { return nil }
        let rest = utf8.dropLast(suffix.utf8.count)
        guard
            rest.isEmpty || suffix.utf8.first == UInt8(ascii: "&")
                || rest.last == UInt8(ascii: "&")
        else { return nil }
        return String(Substring(rest))
    }
}
