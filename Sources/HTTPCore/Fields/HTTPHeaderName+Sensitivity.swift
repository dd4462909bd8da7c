extension HTTPHeaderName {
    /// `true` if a field of this name is treated as a secret by default.
    ///
    /// ``HTTPHeaders/setSensitive(_:_:)`` changes that for the fields of one message. A secret is
    /// in no log, error or recording, and does not reach another origin.
    public var isSensitive: Bool { spelling.withBytes(Self.isSensitive) }

    static func isSensitive(_ name: Span<UInt8>) -> Bool {
        let starts = SecretWord.starts
        var letters = 0
        for end in 0..<name.count {
            letters = SecretWord.appending(name[end], to: letters)
            // Nearly always false, and much cheaper than comparing words.
            guard starts[letters >> 6] >> UInt64(letters & 63) & 1 == 1, end >= 2 else { continue }
            for word in SecretWord.starting(with: name[end &- 2])
            where word.occurs(in: name, at: end &- 2) {
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

    /// A bit for each three letters that a word starts with.
    static let starts: [UInt64] = {
        var starts = [UInt64](repeating: 0, count: 512)
        for word in byFirstLetter.joined() {
            let letters = word.bytes[..<3].reduce(0) { appending($1, to: $0) }
            starts[letters >> 6] |= 1 << UInt64(letters & 63)
        }
        return starts
    }()

    /// Returns the last three letters as a number of 15 bits, regardless of case.
    static func appending(_ letter: UInt8, to letters: Int) -> Int {
        (letters << 5 | Int(letter & 31)) & 0x7FFF
    }

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
