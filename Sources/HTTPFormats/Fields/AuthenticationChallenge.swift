import HTTPCore

/// A request for credentials from a server or proxy (RFC 9110 §11.3).
public struct AuthenticationChallenge: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        /// The name in lower case.
        package let name: String
        package let value: String
    }

    /// The authentication scheme in lower case.
    public let scheme: String
    /// The token that some schemes, such as `Negotiate`, have instead of parameters.
    public let token68: String?
    /// The parameters in the order written; each name occurs once.
    package let parameters: [Parameter]

    /// The value of a parameter, such as `realm`. Names are compared without case.
    public subscript(name: String) -> String? {
        let name = name.asciiLowercased
        return parameters.first { $0.name == name }?.value
    }

    /// The protection space, for display and comparison; case-sensitive (RFC 9110 §11.5).
    public var realm: String? { self["realm"] }
}

// MARK: - Reading

extension AuthenticationChallenge {
    /// Returns the challenges in one line of `WWW-Authenticate` or `Proxy-Authenticate`.
    ///
    /// A comma separates both challenges and their parameters. A name followed by `=` is a
    /// parameter, any other name is a scheme (RFC 9110 §11.6.1). A scheme that no blank follows has
    /// no parameters: `Basic, realm="x"` is a challenge without a realm, followed by a malformed
    /// one. Reading stops at the first error of grammar: the challenge that contains it is dropped,
    /// earlier ones are kept. If a challenge names a parameter twice, only that challenge is
    /// dropped (§11.2).
    package static func challenges(in fieldLine: String) -> [AuthenticationChallenge] {
        var scanner = FieldScanner(fieldLine)
        var challenges: [AuthenticationChallenge] = []
        scanner.skipSeparators()
        while let scheme = scanner.token() {
            if scanner.skipBlanks() == 0 {
                guard scanner.isAtMemberEnd() else { break }
                challenges.append(Self(scheme))
            } else if let token68 = scanner.token68() {
                challenges.append(Self(scheme, token68: token68))
            } else if let parameters = scanner.authenticationParameters() {
                if Set(parameters.map(\.name)).count == parameters.count {
                    challenges.append(Self(scheme, parameters: parameters))
                }
            } else {
                break
            }
            scanner.skipSeparators()
        }
        return challenges
    }

    private init(_ scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
        self.init(scheme: scheme.asciiLowercased, token68: token68, parameters: parameters)
    }
}

extension FieldScanner {
    /// Reads a token that fills its list member, or returns `nil`; `realm` in `realm=x` does not.
    fileprivate mutating func token68() -> String? {
        let start = position
        var token = take(while: \.isToken68Character)
        if !token.isEmpty {
            token += take { $0 == UInt8(ascii: "=") }
            if isAtMemberEnd() { return token }
        }
        reset(to: start)
        return nil
    }

    /// Reads the parameters up to the end or the next scheme, which is left unread. Returns `nil`
    /// if neither follows.
    mutating func authenticationParameters() -> [AuthenticationChallenge.Parameter]? {
        var parameters: [AuthenticationChallenge.Parameter] = []
        while true {
            let isBehindComma = isAtMemberEnd()
            skipSeparators()
            if isAtEnd { return parameters }
            let start = position
            guard let name = token() else { return nil }
            let nameEnd = position
            skipBlanks()
            guard take("=") else {
                // A name after a comma is a scheme if blanks, a comma or the end follow it.
                guard isBehindComma, position > nameEnd || isAtMemberEnd() else { return nil }
                reset(to: start)
                return parameters
            }
            skipBlanks()
            guard let value = tokenOrQuotedString(), isAtMemberEnd() else { return nil }
            parameters.append(.init(name: name.asciiLowercased, value: value))
        }
    }
}

extension UInt8 {
    /// `true` for a byte of `token68`, except the `=` at its end (RFC 9110 §11.2).
    fileprivate var isToken68Character: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default:
            isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(asciiLowercased)
        }
    }
}
