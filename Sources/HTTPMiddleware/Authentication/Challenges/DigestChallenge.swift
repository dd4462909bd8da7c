import HTTPCore
import HTTPFormats
import HTTPHashing

/// A Digest challenge that can be answered (RFC 7616 §3.3).
struct DigestChallenge: Hashable, Sendable {
    enum Algorithm: String, Hashable, Sendable, CaseIterable {
        case md5 = "md5"
        case sha256 = "sha-256"
        case sha512_256 = "sha-512-256"

        var scheme: AuthenticationScheme {
            switch self {
            case .md5: .digestMD5
            case .sha256: .digestSHA256
            case .sha512_256: .digestSHA512_256
            }
        }

        var hashing: any Hashing.Type {
            switch self {
            case .md5: MD5.self
            case .sha256: SHA256.self
            case .sha512_256: SHA512_256.self
            }
        }
    }

    /// The parts of a request that the answer protects (`qop`).
    enum Protection: Hashable, Sendable {
        /// The method and target, in the form of RFC 2069, without the protection of a nonce count.
        case legacy
        /// The method and target.
        case auth
        /// The method, target and body.
        case authInt
    }

    let realm: String
    var nonce: String
    let opaque: String?
    let algorithm: Algorithm
    /// `true` for the `-sess` algorithms, which hash the password once per nonce.
    let isSession: Bool
    /// The algorithm's name as the server wrote it, which the answer repeats; `nil` if there is
    /// none.
    let algorithmName: String?
    /// The protection to use. The body is protected only if the server accepts nothing else,
    /// because it must then be read once more.
    let protection: Protection
    /// `true` if the user name is hashed too.
    let hashesUser: Bool
    /// `true` if the password was right, but the nonce was too old.
    let isStale: Bool
    /// The URIs for which the answer is valid; empty for the whole origin.
    let domain: [String]

    /// Creates a challenge, or `nil` for another scheme and for a challenge that cannot be
    /// answered: one without realm or nonce, or with an unknown algorithm or protection.
    init?(_ challenge: AuthenticationChallenge) {
        guard challenge.scheme == "digest", let realm = challenge.realm,
            let nonce = challenge["nonce"], !nonce.isEmpty
        else { return nil }
        algorithmName = challenge["algorithm"]
        var name = (algorithmName ?? "MD5").asciiLowercased
        isSession = name.hasSuffix("-sess")
        if isSession { name.removeLast("-sess".count) }
        guard let algorithm = Algorithm(rawValue: name) else { return nil }
        let offered = challenge["qop"]?.asciiLowercased.split { $0 == "," || $0 == " " }
        switch offered {
        case nil: protection = .legacy
        case let offered? where offered.contains("auth"): protection = .auth
        case let offered? where offered.contains("auth-int"): protection = .authInt
        default: return nil
        }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = challenge["opaque"]
        let isTrue = { (name: String) in challenge[name]?.asciiLowercased == "true" }
        hashesUser = isTrue("userhash")
        isStale = isTrue("stale")
        domain = challenge["domain"]?.split(separator: " ").map(String.init) ?? []
    }
}
