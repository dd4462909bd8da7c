import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// The first line is a template, the second a URI to match, and the others are values.
    static let uriTemplate = Self("uri-template") { bytes in
        let lines = bytes.textLines
        let template = URITemplate(lines[0])
        checkParsing(template)
        let texts = Array(lines.dropFirst(2))
        checkExpanding(template, values(for: template, from: texts))
        checkMatching(template, lines.count > 1 ? lines[1] : lines[0])
        checkRoundTrip(texts.filter { !$0.isEmpty })
    }

    private static func checkParsing(_ template: URITemplate) {
        let isMalformed = (try? URITemplate(strict: template.text)) == nil
        require(isMalformed == (template.malformedOffset != nil), "\(template) is half malformed")
        require(
            (0...template.text.utf8.count).contains(template.malformedOffset ?? 0),
            "the malformed offset is outside the template")
    }

    /// The names in all braces, without operators and modifiers.
    private static func variableNames(in template: URITemplate) -> [String] {
        template.text.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
            .flatMap { text in
                text.prefix { $0 != "}" }.drop { "+#./;?&".contains($0) }.split(separator: ",")
                    .map { String($0.prefix { $0 != ":" && $0 != "*" }) }
            }
    }

    /// A value with `&` is an associative array, and a value with `|` is a list.
    private static func values(
        for template: URITemplate, from texts: [String]
    ) -> [String: URITemplate.Value] {
        var values: [String: URITemplate.Value] = [:]
        for (name, text) in zip(variableNames(in: template), texts) {
            if text.contains("&") {
                values[name] = .associative(
                    text.split(separator: "&").map { pair in
                        let parts = pair.split(separator: "=", maxSplits: 1)
                        return URITemplate.Value.Pair(
                            String(parts.first ?? ""), String(parts.dropFirst().first ?? ""))
                    })
            } else if text.contains("|") {
                values[name] = .list(text.split(separator: "|").map(String.init))
            } else {
                values[name] = .string(text)
            }
        }
        return values
    }

    private static func checkExpanding(
        _ template: URITemplate, _ values: [String: URITemplate.Value]
    ) {
        let text = template.expand(values)
        let describing: [String: Any?] = values.mapValues { $0 }
        requireSame(template.expand(describing: describing), text, "values of any type")
        if let strict = try? template.expand(strictly: values) {
            requireSame(strict, text, "a strict expansion")
            require(text.isURIText, "\(text.debugDescription) of \(template) is no URI text")
            // An expanded text contains no expression.
            requireSame(URITemplate(text).expand([:]), text, "an expansion is a template")
        }
        if let matched = template.match(text) {
            require(
                Set(matched.keys).isSubset(of: variableNames(in: template)),
                "values without a variable")
        }
    }

    private static func checkMatching(_ template: URITemplate, _ uri: String) {
        guard let values = template.match(uri) else { return }
        require(template.malformedOffset == nil, "a malformed template matches")
        require(
            Set(values.keys).isSubset(of: variableNames(in: template)), "values without a variable")
        requireSame(template.expand(values), uri, "the expansion of a URI's values")
    }

    /// Matching is the reverse of expanding if a template can be read in only one way.
    private static func checkRoundTrip(_ texts: [String]) {
        let forms = ["/{v0}", "{/v1}", "/p{;v2}", "/x{.v3}", "{?v4,v5}", "{&v6*}"]
        for count in 1...forms.count where count <= texts.count {
            let template = URITemplate("/s" + forms.prefix(count).joined())
            var values: [String: URITemplate.Value] = [:]
            for (index, text) in texts.prefix(7).enumerated() {
                values["v\(index)"] = index == 6 ? .list([text, text]) : .string(text)
            }
            values = values.filter { variableNames(in: template).contains($0.key) }
            let uri = template.expand(values)
            let matched = template.match(uri)
            require(
                matched == values,
                "\(template) with \(values) gives \(uri), which matches as \(matched ?? [:])")
        }
    }
}

extension String {
    /// `true` for reserved, unreserved and percent-encoded characters (RFC 3986 §2).
    fileprivate var isURIText: Bool {
        let bytes = Array(utf8)
        return bytes.indices.allSatisfy { index in
            switch bytes[index] {
            case UInt8(ascii: "%"):
                index + 2 < bytes.count && bytes[index + 1].isHexDigit
                    && bytes[index + 2].isHexDigit
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~:/?#[]@!$&'()*+,;=".utf8.contains(bytes[index])
            }
        }
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }
}
