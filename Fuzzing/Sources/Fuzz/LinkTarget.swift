import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// Links that were read can be written, and read back equal.
    static let link = Self("link") { bytes in
        let line = bytes.text
        let links = LinkValue.links(in: line)
        let count = links.reduce(0) { $0 + $1.target.utf8.count }
        require(count <= line.utf8.count, "targets are longer than the field")
        let base = URL(string: "https://example.com/a/b?c")
        for link in links {
            for relation in link.relations {
                require(link.hasRelation(relation), "a relation is not found")
            }
            _ = (link.title, link["type"], link.anchor)
            if let base {
                _ = (link.targetURL(relativeTo: base), link.contextURL(relativeTo: base))
            }
            let names = link.parameters.map(\.name)
            for name in ["rel", "anchor", "media", "title", "type"] {
                require(names.filter { $0 == name }.count <= 1, "\(name) is there twice")
            }
            for name in names where name.utf8.allSatisfy({ $0 < 0x80 }) {
                require(link[name] != nil, "a parameter is not found by its name")
            }
        }
        requireRoundTrip(
            links, { $0.map(write).joined(separator: ", ") }, { LinkValue.links(in: $0) })
    }

    private static func write(_ link: LinkValue) -> String {
        "<\(link.target)>"
            + link.parameters.map { parameter in
                guard let language = parameter.language else {
                    return "; \(parameter.name)=\(quoted(parameter.value))"
                }
                let bytes = parameter.value.utf8.map { byte in
                    let digits = String(byte, radix: 16)
                    return byte < 0x10 ? "%0\(digits)" : "%\(digits)"
                }
                return "; \(parameter.name)=UTF-8'\(language)'\(bytes.joined())"
            }.joined()
    }
}

/// Returns the text as a quoted string (RFC 9110 §5.6.4).
func quoted(_ text: String) -> String {
    let bytes = text.utf8.flatMap { byte in
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            ? [UInt8(ascii: "\\"), byte] : [byte]
    }
    return "\"\(String(decoding: bytes, as: UTF8.self))\""
}
