import HTTPCore

/// What a server or proxy wants to see before it answers (RFC 9110 §11.3).
public struct AuthenticationChallenge: Hashable, Sendable {
    public struct Parameter: Hashable, Sendable {
        /// In lower case.
        public let name: String
        public let value: String
    }

    /// In lower case.
    public let scheme: String
    /// What some schemes have in place of parameters, such as `Negotiate`.
    public let token68: String?
    /// In the order written, each name once.
    public let parameters: [Parameter]

    public subscript(name: String) -> String? {
        let name = name.asciiLowercased
        return parameters.first { $0.name == name }?.value
    }

    /// The protection space, to show and to compare, case mattering (RFC 9110 §11.5).
    public var realm: String? { self["realm"] }
}

// MARK: - Reading

extension AuthenticationChallenge {
    /// Reads the challenges of one line of `WWW-Authenticate` or `Proxy-Authenticate`.
    ///
    /// A comma separates both challenges and their parameters; a name with `=` behind it is a
    /// parameter, any other a scheme (RFC 9110 §11.6.1). A scheme without a blank behind it has no
    /// parameters: `Basic, realm="x"` is a challenge without a realm, and then one that is broken.
    /// What is against the grammar ends the reading:
    /// the challenge it stands in is dropped, those before it are kept. A challenge that names a
    /// parameter twice is dropped alone (§11.2).
    public static func challenges(in fieldLine: String) -> [AuthenticationChallenge] {
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
    /// One that fills its member of the list: `realm` in `realm=x` is none.
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

    /// The parameters up to the end or to a scheme, which is not taken; `nil` where neither follows.
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
                // Behind a comma, and with blanks or a comma behind it: a scheme.
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
    /// RFC 9110 §11.2, without the `=` at the end.
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
