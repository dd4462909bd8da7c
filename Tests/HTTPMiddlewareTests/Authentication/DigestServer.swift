import HTTPCore
import HTTPFormats
import HTTPTesting

@testable import HTTPMiddleware

/// A server that protects its realm by Digest, strictly: it accepts only nonces that it has issued,
/// and only the next count of each.
final class DigestServer: Sendable {
    struct State {
        var nonce = 0
        /// The next count that is expected, by nonce.
        var due: [String: UInt32] = [:]
        /// The requests that arrived: whether each was signed, and with which count of which nonce.
        var log: [String] = []
    }

    let parameters: String
    let credentials: PasswordCredentials
    /// A Boolean value that indicates whether each response names the next nonce.
    let rotates: Bool
    let state = Locked(State())

    init(_ credentials: PasswordCredentials, _ parameters: String, rotates: Bool = false) {
        self.credentials = credentials
        self.parameters = parameters
        self.rotates = rotates
    }

    var log: [String] { state.withLock { $0.log } }

    /// Forgets all nonces, as a restart does.
    func forgetNonces() { state.withLock { $0.due = [:] } }

    private func issueNonce() -> String {
        state.withLock { state in
            state.nonce += 1
            state.due["n\(state.nonce)"] = 1
            return "n\(state.nonce)"
        }
    }

    func response(to request: HTTPRequest) async throws -> HTTPResponse {
        guard let field = request.headers[.authorization],
            let fields = AuthenticationChallenge.challenges(in: field).first,
            fields.scheme == "digest", let nonce = fields["nonce"]
        else {
            state.withLock { $0.log.append("unsigned") }
            return refusal(to: request)
        }
        // Without `qop`, no count is checked.
        let count = UInt32(fields["nc"] ?? "0", radix: 16) ?? .max
        let isDue = state.withLock { state in
            state.log.append("\(nonce):\(count)")
            guard let due = state.due[nonce], count == 0 || count == due else { return false }
            state.due[nonce] = count + 1
            return true
        }
        guard isDue else { return refusal(to: request, isStale: true) }
        guard
            let challenge = DigestChallenge(
                AuthenticationChallenge.challenges(
                    in: "Digest realm=\"r\", nonce=\(nonce), \(parameters)")[0])
        else { throw HTTPError(.internalFailure, "the test's challenge is none") }
        let expected = DigestAnswer(
            challenge: challenge, credentials: credentials, clientNonce: fields["cnonce"] ?? "",
            count: count)
        let hash = try await challenge.hash(of: HTTPBody(request.body.collect()))
        let target = try HTTPTarget(request.url).originForm
        guard fields["uri"] == target,
            fields["response"]
                == expected.response(method: request.method, uri: target, bodyHash: hash)
        else { return refusal(to: request) }
        var headers = HTTPHeaders()
        if rotates { headers[.authenticationInfo] = "nextnonce=\"\(issueNonce())\", qop=auth" }
        return HTTPResponse(.ok, headers: headers, to: request)
    }

    private func refusal(to request: HTTPRequest, isStale: Bool = false) -> HTTPResponse {
        let challenge =
            "Digest realm=\"r\", nonce=\(issueNonce()), \(parameters)"
            + (isStale ? ", stale=true" : "")
        return HTTPResponse(
            .unauthorized, headers: [.wwwAuthenticate: challenge], body: HTTPBody("no"),
            to: request)
    }

    var session: MockSession { MockSession { try await self.response(to: $0) } }
}
