package import HTTPCore

/// The parts of a request that influenced the selection of this response (RFC 9110 §12.5.5).
package enum Vary: Hashable, Sendable, CustomStringConvertible {
    /// `*`, alone or among names: more than the request's fields, so that no other request matches.
    case anything
    case fields([HTTPHeaderName])

    /// Creates a value from the field's text. A member that is not a name counts as `*`, the safe
    /// interpretation where the field decides which request may get a stored response.
    package init(_ text: String) {
        var scanner = FieldScanner(text)
        var names: [HTTPHeaderName] = []
        scanner.skipSeparators()
        while !scanner.isAtEnd {
            guard let name = scanner.token(), name != "*", scanner.isAtMemberEnd() else {
                self = .anything
                return
            }
            names.append(HTTPHeaderName(name))
            scanner.skipSeparators()
        }
        self = .fields(names)
    }

    package var description: String {
        switch self {
        case .anything: "*"
        case .fields(let names): names.map(\.spelling).joined(separator: ", ")
        }
    }
}
