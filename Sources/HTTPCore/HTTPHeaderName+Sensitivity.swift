extension HTTPHeaderName {
    /// Whether a field of this name is taken for a secret unless somebody says otherwise.
    public var isSensitive: Bool { spelling.withOctets(Self.isSensitive) }

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

/// What makes a name look like a secret's.
private struct SecretWord {
    let octets: [UInt8]
    let isWholeName: Bool

    func occurs(in name: Span<UInt8>, at start: Int) -> Bool {
        guard isWholeName ? name.count == octets.count : name.count - start >= octets.count
        else { return false }
        let end = start + octets.count
        return end <= name.count
            && name.extracting(start..<end).equalsIgnoringCase(octets.span)
    }

    static func starting(with octet: UInt8) -> [SecretWord] { byFirstLetter[Int(octet & 31)] }

    private static let byFirstLetter: [[SecretWord]] = {
        var groups = [[SecretWord]](repeating: [], count: 32)
        let words =
            wholeNames.map { SecretWord(octets: Array($0.utf8), isWholeName: true) }
            + parts.map { SecretWord(octets: Array($0.utf8), isWholeName: false) }
        for word in words { groups[Int(word.octets[0] & 31)].append(word) }
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
