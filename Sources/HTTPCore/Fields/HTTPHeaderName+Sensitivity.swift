extension HTTPHeaderName {
    /// `true` if a field of this name is treated as a secret by default.
    ///
    /// ``HTTPHeaders/setSensitive(_:_:)`` changes that for the fields of one message. A secret is
    /// in no log, error or recording, does not reach another origin, and separates the responses of
    /// a cache.
    ///
    /// The name decides, by its words, which `-` and `_` separate. A name is secret if it
    ///
    /// - contains a word such as `token`, `secret` or `password`, also inside a longer one;
    /// - has the word `auth`, `otp`, `hmac` or another such word;
    /// - ends with `key`, except for keys that only name something (`Idempotency-Key`,
    ///   `Surrogate-Key`, `Sec-WebSocket-Key`), or with `session`, `pin`, `bearer` or another such
    ///   word.
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

/// A word that makes a name look like the name of a secret. Its `-` also stands for `_`,
/// except in `x-auth`.
///
/// The words come from a survey of the names that API descriptions (OpenAPI) give to keys in
/// fields, of vendors' documentation, and of the names that loggers of other projects redact. Its
/// names, and names that must not be secret, are the tables of `HTTPHeaderNameTests`. Most names
/// end with `key`; so that is the rule, and the keys that are no secrets are the exceptions.
private struct SecretWord {
    enum Place {
        /// The word is the name.
        case wholeName
        /// The word is any part of the name, also within another word.
        case anywhere
        /// The word is a word of the name.
        case word
        /// The word is the last word of the name.
        case lastWord
    }

    let bytes: [UInt8]
    let place: Place

    func occurs(in name: Span<UInt8>, at start: Int) -> Bool {
        let end = start + bytes.count
        guard end <= name.count, name.hasWord(bytes, at: start) else { return false }
        switch place {
        case .wholeName: return name.count == bytes.count
        case .anywhere: return true
        case .word: return name.isBoundary(start) && name.isBoundary(end)
        case .lastWord:
            guard name.isBoundary(start), end == name.count else { return false }
            return bytes != Self.key || !Self.isPlainKey(name.extracting(..<start))
        }
    }

    private static let key = Array("key".utf8)

    /// Returns `true` if `start`, the name before `key`, ends with a word that makes it a key that
    /// only names something.
    private static func isPlainKey(_ start: Span<UInt8>) -> Bool {
        plainKeys.contains { word in
            let place = start.count - 1 - word.count
            return place >= 0 && start.isBoundary(place) && start.hasWord(word, at: place)
        }
    }

    static func starting(with byte: UInt8) -> [SecretWord] { byFirstLetter[Int(byte & 31)] }

    private static let byFirstLetter: [[SecretWord]] = {
        var groups = [[SecretWord]](repeating: [], count: 32)
        let lists: [(Place, [String])] = [
            (.wholeName, wholeNames), (.anywhere, parts), (.word, words), (.lastWord, lastWords),
        ]
        for (place, list) in lists {
            for text in list {
                let word = SecretWord(bytes: Array(text.utf8), place: place)
                groups[Int(word.bytes[0] & 31)].append(word)
            }
        }
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

    // Each has three letters or more, and no `-` among the first three except in `x-auth`.

    private static let wholeNames = [
        "cookie", "cookie2", "set-cookie", "set-cookie2", "dpop",
    ]
    private static let parts = [
        "authorization", "application-key", "functions-key", "master-key", "token", "secret",
        "password", "passwd", "passphrase", "passcode", "credential", "api-key",
        "apikey", "access-key", "auth-key", "subscription-key", "private-key", "account-key",
        "x-auth", "session-id", "sessionid", "signature", "jwt",
    ]
    private static let words = [
        "auth", "otp", "totp", "hmac", "accesskey", "appkey", "authkey", "clientkey", "masterkey",
        "privatekey",
    ]
    private static let lastWords = [
        "key", "session", "authentication", "pin", "pin-code", "mfa-code", "pat", "bearer",
        "assertion", "csrf", "xsrf", "sig", "pwd", "pass", "creds", "sid",
    ]
    /// The words before `key` in names of keys that are no secrets.
    private static let plainKeys = [
        "idempotency", "surrogate", "websocket", "cache", "crypto", "public", "partition", "row",
        "sort", "routing", "message", "object", "deduplication", "dedup",
    ].map { Array($0.utf8) }
}

extension Span<UInt8> {
    /// Returns `true` if these bytes hold `word`, regardless of case, from `start` on.
    fileprivate func hasWord(_ word: [UInt8], at start: Int) -> Bool {
        for (offset, byte) in word.enumerated() {
            let found = self[start &+ offset]
            guard found.asciiLowercased == byte || byte == UInt8(ascii: "-") && found.isSeparator
            else { return false }
        }
        return true
    }

    /// Returns `true` if a word may begin or end at `place`.
    fileprivate func isBoundary(_ place: Int) -> Bool {
        place == 0 || place == count || self[place].isSeparator || self[place &- 1].isSeparator
    }
}

extension UInt8 {
    fileprivate var isSeparator: Bool { self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}
