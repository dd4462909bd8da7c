/// Why a field is refused that somebody wants to send.
enum FieldFlaw {
    case name, controlCharacter, outerBlank, length

    /// `nil` where the name is a token, and the value free of control characters other than tab and
    /// of blanks around it.
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

    /// Never repeats the value, which may be a secret.
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
