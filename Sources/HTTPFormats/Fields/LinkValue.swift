import HTTPCore
public import PortableFoundation

/// A link in the field `Link` (RFC 8288 §3).
public struct LinkValue: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        /// The name in lower case; that of an extended parameter ends with `*`.
        package let name: String
        /// The decoded value; empty if there was none.
        package let value: String
        /// The language of an extended value, empty if it names none; `nil` for a plain value, and
        /// for an extended one that could not be decoded and is kept as written.
        package let language: String?
    }

    /// The target as written. See ``targetURL(relativeTo:)``.
    public let target: String
    /// The parameters in the order written. Only the first of `rel`, `anchor`, `media`, `title` and
    /// `type` is kept (RFC 8288 §3.3, §3.4.1).
    package let parameters: [Parameter]
}

extension LinkValue {
    /// The relation types as written. Compare them with ``hasRelation(_:)``.
    public var relations: [String] {
        self["rel"]?.utf8.split(whereSeparator: \.isBlank)
            .map { String(decoding: $0, as: UTF8.self) } ?? []
    }

    /// Returns `true` if the link has that relation type; case is ignored (RFC 8288 §2.1).
    public func hasRelation(_ relation: String) -> Bool {
        relations.contains { $0.isEqualIgnoringASCIICase(to: relation) }
    }

    /// The value of the first parameter of that name.
    public subscript(name: String) -> String? { parameter(name)?.value }

    private func parameter(_ name: String) -> Parameter? {
        let name = name.asciiLowercased
        return parameters.first { $0.name == name }
    }

    /// The decoded `title*` if there is one, else `title` (RFC 8288 §3.4.1).
    public var title: String? {
        if let title = parameter("title*"), title.language != nil { return title.value }
        return self["title"]
    }

    /// The context of the link, if that is not the requested resource. A link with an anchor says
    /// nothing about the resource in whose response it was found (RFC 8288 §3.2).
    package var anchor: String? { self["anchor"] }

    /// Returns the target resolved against the URL of the response, read as liberally as that of a
    /// redirect, or `nil` if it is not a URI reference.
    public func targetURL(relativeTo base: URL) -> URL? { Self.resolve(target, base) }

    /// Returns the anchor, resolved in the same way, or `base` if there is none.
    package func contextURL(relativeTo base: URL) -> URL? {
        anchor.map { Self.resolve($0, base) } ?? base
    }

    private static func resolve(_ reference: String, _ base: URL) -> URL? {
        reference.isEmpty ? base : try? base.resolving(received: Array(reference.utf8))
    }
}

// MARK: - Reading

extension LinkValue {
    /// Returns the links in one field line (the algorithm of RFC 8288, Appendix B.2). Reading stops
    /// at text that is not a link; earlier links are kept.
    package static func links(in fieldLine: String) -> [LinkValue] {
        var scanner = FieldScanner(fieldLine)
        var links: [LinkValue] = []
        while true {
            scanner.skipSeparators()
            guard scanner.take("<") else { return links }
            let target = scanner.take { $0 != UInt8(ascii: ">") }
            guard scanner.take(">") else { return links }
            links.append(LinkValue(target: target, parameters: scanner.linkParameters()))
        }
    }
}

extension FieldScanner {
    private static let onceOnly: Set = ["rel", "anchor", "media", "title", "type"]

    /// Reads the parameters of a link (RFC 8288, Appendix B.3).
    fileprivate mutating func linkParameters() -> [LinkValue.Parameter] {
        var parameters: [LinkValue.Parameter] = []
        var seen: Set<String> = []
        while !isAtMemberEnd(), take(";") {
            skipBlanks()
            let name = take { !$0.isBlank && !"=;,".utf8.contains($0) }.asciiLowercased
            skipBlanks()
            var value = ""
            if take("=") {
                skipBlanks()
                value = next == UInt8(ascii: "\"") ? looseQuotedString() : unquotedValue()
            }
            guard !name.isEmpty, !Self.onceOnly.contains(name) || seen.insert(name).inserted
            else { continue }
            parameters.append(LinkValue.Parameter(name: name, rawValue: value))
        }
        return parameters
    }

    private mutating func unquotedValue() -> String {
        take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }.trimmingBlanks
    }

    /// Reads a quoted string (RFC 8288, Appendix B.4). Without a closing quote it extends to the
    /// end.
    private mutating func looseQuotedString() -> String {
        guard take("\"") else { return "" }
        var contents: [UInt8] = []
        while let byte = next {
            reset(to: position + 1)
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = next else { break }
                contents.append(escaped)
                reset(to: position + 1)
            } else {
                contents.append(byte)
            }
        }
        return String(decoding: contents, as: UTF8.self)
    }
}

extension LinkValue.Parameter {
    fileprivate init(name: String, rawValue: String) {
        if name.hasSuffix("*"), let extended = try? ExtendedValue(parsing: rawValue) {
            self.init(name: name, value: extended.text, language: extended.language)
        } else {
            self.init(name: name, value: rawValue, language: nil)
        }
    }
}
