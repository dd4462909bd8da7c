import HTTPCore
import HTTPFormats

/// A challenge of Digest, read and found answerable (RFC 7616 §3.3).
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

    /// What the answer vouches for (`qop`).
    enum Protection: Hashable, Sendable {
        /// Method and target, in the form of RFC 2069, which no nonce count protects.
        case legacy
        /// Method and target.
        case auth
        /// And the body.
        case authInt
    }

    let realm: String
    var nonce: String
    let opaque: String?
    let algorithm: Algorithm
    /// Of `-sess`: the password is hashed once per nonce.
    let isSession: Bool
    /// As written, or `nil` for none; the answer has the same.
    let algorithmName: String?
    /// The best that both sides can. The body is vouched for only where that is all the server wants,
    /// since it has to be read once more for that.
    let protection: Protection
    /// The user name goes hashed, too.
    let hashesUser: Bool
    /// The password was right, the nonce was old.
    let isStale: Bool
    /// URIs that the answer is good for; empty for all of the origin.
    let domain: [String]

    /// - Returns: `nil` for other schemes, and for what cannot be answered: no realm, no nonce, an
    ///   algorithm or a protection that is not known.
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
