import HTTPCore
import HTTPFormats
import HTTPHashing
import PortableFoundation

/// The answer to a Digest challenge for one request, which proves a password (RFC 7616 §3.4). It is
/// a pure value: it computes, and does no I/O.
struct DigestAnswer: Sendable {
    var challenge: DigestChallenge
    var credentials: PasswordCredentials
    /// The client nonce. All answers to one nonce share it, so that `-sess` has one key for all of
    /// them (§3.4.2).
    var clientNonce: String
    /// The number of this answer among those to the same nonce, starting at 1.
    var count: UInt32

    private func hash(_ parts: String...) -> String {
        challenge.algorithm.hashing.hash(parts.joined(separator: ":")).hexadecimal
    }

    /// The hash of user, realm and password, the only part that needs the password.
    private var userKey: String {
        let key = hash(credentials.user, challenge.realm, credentials.password)
        return challenge.isSession ? hash(key, challenge.nonce, clientNonce) : key
    }

    private var nonceCount: String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// - Parameter bodyHash: the hash of the body by the challenge's algorithm, for
    ///   ``DigestChallenge/Protection/authInt``.
    func response(method: HTTPMethod, uri: String, bodyHash: String = "") -> String {
        switch challenge.protection {
        case .legacy: hash(userKey, challenge.nonce, hash(method.rawValue, uri))
        case .auth:
            hash(
                userKey, challenge.nonce, nonceCount, clientNonce, "auth",
                hash(method.rawValue, uri))
        case .authInt:
            hash(
                userKey, challenge.nonce, nonceCount, clientNonce, "auth-int",
                hash(method.rawValue, uri, bodyHash))
        }
    }

    /// The parameter that names the user (§3.4.4). The name is hashed if the server can look that
    /// up. Otherwise it is an extended parameter in UTF-8 if a quoted string cannot hold it.
    private var userParameter: String {
        if challenge.hashesUser {
            return "username=" + hash(credentials.user, challenge.realm).quoted
        }
        guard credentials.user.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            return "username*=" + ExtendedValue(text: credentials.user).serialized
        }
        return "username=" + credentials.user.quoted
    }

    func authorization(
        method: HTTPMethod, uri: String, bodyHash: String = ""
    ) throws(HTTPError) -> Authorization {
        let response = response(method: method, uri: uri, bodyHash: bodyHash)
        var parameters = [
            userParameter, "realm=" + challenge.realm.quoted, "uri=" + uri.quoted,
        ]
        if let name = challenge.algorithmName { parameters.append("algorithm=\(name)") }
        parameters.append("nonce=" + challenge.nonce.quoted)
        if challenge.protection != .legacy {
            let quality = challenge.protection == .auth ? "auth" : "auth-int"
            parameters += ["nc=\(nonceCount)", "cnonce=" + clientNonce.quoted, "qop=\(quality)"]
        } else if challenge.isSession {
            parameters.append("cnonce=" + clientNonce.quoted)
        }
        parameters.append("response=" + response.quoted)
        if let opaque = challenge.opaque { parameters.append("opaque=" + opaque.quoted) }
        if challenge.hashesUser { parameters.append("userhash=true") }
        return try .digest(parameters.joined(separator: ", "))
    }
}

extension DigestChallenge {
    /// Returns the hash of a body that can be read again.
    func hash(of body: HTTPBody) async throws -> String {
        try await Self.hash(body, algorithm.hashing.init())
    }

    private static func hash(
        _ body: HTTPBody, _ start: some Hashing
    ) async throws -> String {
        var state = start
        for try await bytes in body { state.update(bytes) }
        return state.finalize().hexadecimal
    }
}
