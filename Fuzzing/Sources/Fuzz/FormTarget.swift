import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// The input is a form and a query. Its parameters are written in every style, and read back
    /// equal.
    static let form = Self("form") { bytes in
        let form = FormURLEncoded(parsing: bytes)
        for style in [FormURLEncoded.Style.percentEncoded, .whatwg] {
            let text = FormURLEncoded(form.pairs, style: style).text
            require(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text) is not ASCII")
            let again = FormURLEncoded(parsing: text).pairs
            require(
                again.count == form.pairs.count, "\(text) has other pairs than \(form.pairs)")
            for (a, b) in zip(again, form.pairs) {
                requireSame(a.name, b.name, "a name")
                requireSame(a.value, b.value, "a value")
            }
        }
        var parameters: [String: String] = [:]
        for pair in form.pairs where !pair.name.isEmpty && !pair.value.isEmpty {
            parameters[pair.name] = pair.value
        }
        checkQuery(parameters)
        checkRequest(bytes.text, parameters)
    }

    private static func text(of parameters: [String: Any?], _ encoding: QueryEncoding) -> String {
        QueryEncoding.text(of: encoding.pairs(QueryValue.dictionary(parameters)))
    }

    private static func checkQuery(_ parameters: [String: String]) {
        let expected = parameters.sorted { $0.key < $1.key }
        let query = text(of: parameters, QueryEncoding())
        let read = FormURLEncoded(parsing: query).pairs
        require(read.count == expected.count, "\(query) has other parameters than \(expected)")
        for (a, b) in zip(read, expected) {
            requireSame(a.name, b.key, "a name")
            requireSame(a.value, b.value, "a value")
        }
        for dictionary in [QueryEncoding.DictionaryStyle.brackets, .dots] {
            for array in [QueryEncoding.ArrayStyle.noBrackets, .withBrackets] {
                let nested: [String: Any?] = ["n": parameters, "a": Array(parameters.values)]
                let query = text(
                    of: nested, QueryEncoding(array: array, dictionary: dictionary))
                let count = FormURLEncoded(parsing: query).pairs.count
                require(count == 2 * parameters.count, "\(query) loses parameters")
            }
        }
    }

    /// Parameters can be added to any URL, and removed again.
    private static func checkRequest(_ query: String, _ parameters: [String: String]) {
        let base = "https://example.com/p?\(query)"
        guard let url = try? URL(strictly: base), (try? HTTPTarget(url)) != nil else { return }
        let request = HTTPRequest(.get, url)
        let changed = request.query(parameters).addingQuery("more", "1")
        let target = try? HTTPTarget(changed.url)
        require(target?.originForm.hasSuffix("more=1") == true, "\(changed.url) lacks a parameter")
        let restored = changed.query([:])
        guard !query.isEmpty, query.utf8.first != UInt8(ascii: "#") else { return }
        requireSame(restored.url.absoluteString, base, "parameters cannot be removed")
    }
}
