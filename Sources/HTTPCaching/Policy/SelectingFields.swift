import HTTPCore
import HTTPFormats
import HTTPHashing
import PortableFoundation

/// The request's fields that select a response, and the digest of their values (RFC 9111 §4.1).
///
/// Only the digest is stored. It begins with the key, so that equal secrets of two URLs have
/// different digests.
enum SelectingFields {
    /// Returns the names in the response's `Vary`: in lower case, sorted, each once.
    ///
    /// Content that is still coded depends on what its request accepts, also if no `Vary` says so:
    /// others may not be able to read it.
    static func names(in headers: HTTPHeaders) -> [String] {
        var names: Set<String> = []
        if let text = headers[combined: .vary], case .fields(let fields) = Vary(text) {
            names.formUnion(fields.map { $0.spelling.asciiLowercased })
        }
        if headers.contains(.contentEncoding) { names.insert("accept-encoding") }
        return names.sorted()
    }

    /// Returns the digest of the values that a request has for these names; empty without names.
    static func variant(
        of names: [String], in headers: HTTPHeaders, for key: HTTPCacheKey
    ) -> String {
        guard !names.isEmpty else { return "" }
        var hash = SHA256()
        hash.update("\(key.partition)\n\(key.url)\n")
        for name in names {
            hash.update(name)
            // A missing field differs from an empty one.
            hash.update(
                headers[combined: HTTPHeaderName(name)].map { ":\(normalized($0, of: name))\n" }
                    ?? "\n")
        }
        return hash.finalize().hexadecimal
    }

    /// Returns the value without differences that mean nothing: blanks around the members of a list
    /// and, for languages and codings, case (RFC 9110 §8.4, §12.5.3, §12.5.4).
    ///
    /// The order of languages is kept, since servers use it.
    private static func normalized(_ value: String, of name: String) -> String {
        guard !singletons.contains(name) else { return value }
        var members: [String] = []
        var member = ""
        var isQuoted = false
        var isEscaped = false
        for scalar in value.unicodeScalars {
            if scalar == ",", !isQuoted {
                members.append(member.trimmingBlanks)
                member = ""
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\", isQuoted {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            }
            member.unicodeScalars.append(scalar)
        }
        members.append(member.trimmingBlanks)
        let joined = members.filter { !$0.isEmpty }.joined(separator: ",")
        guard insensitive.contains(name) else { return joined }
        return String(
            String.UnicodeScalarView(
                joined.asciiLowercased.unicodeScalars.filter { $0 != " " && $0 != "\t" }))
    }

    /// Fields that are no lists, in whose values a comma means nothing.
    private static let singletons: Set<String> = [
        "authorization", "cookie", "user-agent", "referer", "proxy-authorization", "from", "host",
    ]
    private static let insensitive: Set<String> = ["accept-language", "accept-encoding"]
}
