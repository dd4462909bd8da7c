/// The reason why a field is refused.
enum FieldFlaw {
    case name, controlCharacter, outerBlank, length

    /// Creates the reason to refuse a field, or `nil` if the field can be sent: its name is a
    /// token, and its value has at most 16 MiB, holds no control character other than tab, and does
    /// not begin or end with a blank.
    init?(_ name: HTTPHeaderName, _ value: Span<UInt8>) {
        guard name.isToken else {
            self = .name
            return
        }
        guard value.areFieldValueCharacters else {
            self = .controlCharacter
            return
        }
        guard !value.isEmpty else { return nil }
        guard !value[0].isBlank, !value[value.count - 1].isBlank else {
            self = .outerBlank
            return
        }
        guard value.count <= 1 << 24 else {
            self = .length
            return
        }
        return nil
    }

    /// Returns the error. It never contains the value, which may be a secret.
    func error(of name: HTTPHeaderName) -> HTTPError {
        let message =
            switch self {
            case .name: "\(name.spelling.logSafe) is not a header field name (RFC 9110 §5.1)"
            case .controlCharacter:
                "the value of \(name) holds a control character (RFC 9110 §5.5)"
            case .outerBlank: "the value of \(name) starts or ends with a blank (RFC 9110 §5.5)"
            case .length: "the value of \(name) is longer than 16 MiB"
            }
        return HTTPError(.invalidRequest, message)
    }
}
