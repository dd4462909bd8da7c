extension HTTPHeaderName {
    /// `true` if a field of this name is treated as a secret by default.
    ///
    /// ``HTTPHeaders/setSensitive(_:_:)`` changes that for the fields of one message. A secret is
    /// in no log, error or recording, and does not reach another origin.
    public var isSensitive: Bool { spelling.withBytes(Self.isSensitive) }

    static func isSensitive(_ name: Span<UInt8>) -> Bool {
        for start in 0..<name.count {
            for word in SecretWord.starting(with: name[start])
            where word.occurs(in: name, at: start) {
                return true
            }
        }
        return false
    }
}

/// A word that makes a name look like the name of a secret.
private struct SecretWord {
    let bytes: [UInt8]
    let isWholeName: Bool

    func occurs(in name: Span<UInt8>, at start: Int) -> Bool {
        guard isWholeName ? name.count == bytes.count : name.count - start >= bytes.count
        else { return false }
        let end = start + bytes.count
        return end <= name.count
            && name.extracting(start..<end).equalsIgnoringCase(bytes.span)
    }

    static func starting(with byte: UInt8) -> [SecretWord] { byFirstLetter[Int(byte & 31)] }

    private static let byFirstLetter: [[SecretWord]] = {
        var groups = [[SecretWord]](repeating: [], count: 32)
        let words =
            wholeNames.map { SecretWord(bytes: Array($0.utf8), isWholeName: true) }
            + parts.map { SecretWord(bytes: Array($0.utf8), isWholeName: false) }
        for word in words { groups[Int(word.bytes[0] & 31)].append(word) }
        return groups
    }()

    private static let wholeNames = [
        "cookie", "cookie2", "set-cookie", "set-cookie2", "dpop",
    ]
    private static let parts = [
        "authorization", "application-key", "functions-key", "master-key", "token", "secret",
        "password", "passwd", "passphrase", "credential", "api-key", "api_key",
        "apikey", "access-key", "auth-key", "subscription-key", "private-key", "account-key",
        "x-auth", "session-id", "sessionid", "signature", "jwt",
    ]
}
