import HTTPCore
import HTTPCredentials
import HTTPFormats
import HTTPHashing

/// The common part of ``ChallengeAuthentication``, ``DigestAuthentication`` and
/// ``ProxyAuthentication``. It answers the challenges of servers or of proxies, with the schemes
/// that prove a password; ``AuthenticationScheme`` says where any other scheme goes.
final class ChallengeResponder: Sendable {
    /// The side that sends challenges, with its status and fields (RFC 9110 §11.6 and §11.7).
    enum Side: Sendable {
        case server, proxy

        var status: HTTPStatus { self == .server ? .unauthorized : .proxyAuthenticationRequired }
        var field: HTTPHeaderName { self == .server ? .authorization : .proxyAuthorization }
        var info: HTTPHeaderName {
            self == .server ? .authenticationInfo : .proxyAuthenticationInfo
        }
    }

    private struct State {
        var registry = ProtectionSpaceRegistry()
        /// The proxies that have sent challenges, by the origin of the requests that they forward.
        var proxies: [HTTPOrigin: HTTPOrigin] = [:]
    }

    private let side: Side
    private let schemes: Set<AuthenticationScheme>
    private let sendsPasswordUnencrypted: Bool
    private let providers: [any PasswordProvider]
    private let makeClientNonce: @Sendable () -> String
    private let state = Locked(State())

    init(
        _ side: Side, _ providers: [any PasswordProvider], schemes: Set<AuthenticationScheme>,
        sendsPasswordUnencrypted: Bool,
        makeClientNonce: @escaping @Sendable () -> String = ChallengeResponder.randomNonce
    ) {
        self.side = side
        self.schemes = schemes
        self.sendsPasswordUnencrypted = sendsPasswordUnencrypted
        self.providers = providers
        self.makeClientNonce = makeClientNonce
    }

    /// Returns 128 random bits, in hexadecimal.
    static func randomNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }

    func respond(
        to original: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        // What is signed must be what is sent, so pending changes run now, once for each send.
        let request = try original.prepared()
        let target = try HTTPTarget(request.url)
        guard !request.headers.contains(side.field) else {
            var response = try await next.response(for: original)
            response.noteOwnCredentials(of: request, refusedWith: side.status, in: side.field)
            return response
        }

        let known = state.withLock { state in
            let asker = side == .server ? target.origin : state.proxies[target.origin]
            return asker.flatMap { state.registry.answer(to: $0, at: target.originForm) }
        }
        var used = try await sign(request, for: target, with: known)
        var response = try await next.response(for: used?.request ?? request)
        learn(from: response, after: used?.answer)
        var answers = 0
        while response.status == side.status {
            if answers > 0, let refused = used?.answer {
                guard staleChallenge(in: response, after: refused) != nil,
                    answers < Self.mostAnswers
                else {
                    response.handBack(because: refusal(response, of: refused))
                    return response
                }
            }
            let reply: Reply
            do {
                reply = try await answer(to: response, original, target, refused: used?.answer)
            } catch let error as HTTPError where error.response != nil {
                throw try await response.explaining(error.afterResponse)
            } catch {
                response.body.abandon()
                throw error.afterResponse
            }
            let (signed, space): (Signed, ProtectionSpaceRegistry.Space)
            switch reply {
            case .proof(let proof, let itsSpace):
                request.currentCall.report(
                    .layer(HTTPCredentialEvent.challenged(response.head, isAnswered: true)))
                (signed, space) = (proof, itsSpace)
            case .none(let reason):
                request.currentCall.report(
                    .layer(HTTPCredentialEvent.challenged(response.head, isAnswered: false)))
                response.handBack(because: reason)
                return response
            }
            let refused = response.history + [response.head]
            await response.discard()
            try Task.checkCancellation()
            answers += 1
            response = try await next.followUp(signed.request)
            learn(from: response, for: space, after: signed.answer)
            response.history = refused + response.history
            used = signed
        }
        return response
    }

    private enum Reply {
        /// The request to send once more.
        case proof(Signed, for: ProtectionSpaceRegistry.Space)
        /// The reason for which the caller gets the refusal.
        case none(because: String)
    }

    private func answer(
        to response: HTTPResponse, _ original: HTTPRequest, _ target: HTTPTarget,
        refused: ProtectionSpaceRegistry.Answer?
    ) async throws -> Reply {
        let asker = try asker(of: response, target)
        let space: ProtectionSpaceRegistry.Space
        switch try await choice(response, asker, target, refused: refused) {
        case .space(let chosen): space = chosen
        case .none(let reason): return .none(because: reason)
        }
        guard original.body.canBeSent else {
            // The next request is then signed at once.
            state.withLock { $0.registry.enter(space) }
            return .none(
                because:
                    "the challenge was not answered, since the body can be read only once, and "
                    + "was: make it restartable, or send the request again")
        }
        let request = try original.prepared()
        let newTarget = try HTTPTarget(request.url)
        // A change that runs anew for each send may lead to another origin.
        guard newTarget.origin == target.origin else {
            return .none(
                because: "the challenge was not answered, since a change of modify(_:) leads to "
                    + "another origin, \(newTarget.origin)")
        }
        let signed = try await sign(
            request, for: newTarget, with: state.withLock { $0.registry.answer(toRefusal: space) })
        guard let signed else {
            return .none(
                because:
                    "the challenge was not answered, since its auth-int protects the body, which "
                    + "would have to be read once more, but can be read only once")
        }
        return .proof(signed, for: space)
    }

    /// The largest number of answers to one request. Only a nonce that had expired is answered more
    /// than once: it says nothing against the password. A server whose nonces have always expired
    /// must not be asked for ever.
    private static let mostAnswers = 4

    /// Returns the reason for which an answer was in vain.
    private func refusal(
        _ response: HTTPResponse, of answer: ProtectionSpaceRegistry.Answer
    ) -> String {
        staleChallenge(in: response, after: answer) != nil
            ? "the challenge was answered \(Self.mostAnswers) times, but each time its nonce had "
                + "expired: send the request again"
            : "the challenge was answered, but the credentials for \(answer.credentials.origin) "
                + "were refused: check the user name and the password"
    }

    private func asker(
        of response: HTTPResponse, _ target: HTTPTarget
    ) throws(HTTPError) -> HTTPOrigin {
        guard side == .proxy else { return target.origin }
        // A proxy cannot see requests inside a tunnel, so a response from there is the server's.
        guard let proxy = response.forwardingProxy, target.origin.scheme == .http else {
            throw HTTPError(
                .protocolViolation,
                "no proxy can have sent this 407 (RFC 9110 §15.5.8), so no proxy credentials were "
                    + "sent",
                mayHaveReachedServer: true, response: response.head
            ).ending(response)
        }
        state.withLock { state in
            if state.proxies.count >= 256 { state.proxies = [:] }
            state.proxies[target.origin] = proxy
        }
        return proxy
    }
}

// MARK: - Choosing

extension ChallengeResponder {
    private struct Candidate {
        var scheme: AuthenticationScheme
        var realm: String?
        /// `nil` for Basic.
        var digest: DigestChallenge?

        init?(_ challenge: AuthenticationChallenge) {
            if let digest = DigestChallenge(challenge) {
                (scheme, realm, self.digest) = (digest.algorithm.scheme, digest.realm, digest)
            } else if challenge.scheme == "basic" {
                (scheme, realm) = (.basic, challenge.realm)
            } else {
                return nil
            }
        }
    }

    private func challenges(_ response: HTTPResponse) -> [AuthenticationChallenge] {
        side == .server ? response.headers.challenges : response.headers.proxyChallenges
    }

    private enum Choice {
        case space(ProtectionSpaceRegistry.Space)
        /// The reason for which no challenge can be answered.
        case none(because: String)
    }

    /// Returns the space of the strongest challenge that has credentials, with its answer. Among
    /// equals, the challenge that the server names first is used.
    ///
    /// - Throws: `passwordWithheld` if only a password that can be read on the way is left.
    private func choice(
        _ response: HTTPResponse, _ asker: HTTPOrigin, _ target: HTTPTarget,
        refused: ProtectionSpaceRegistry.Answer?
    ) async throws -> Choice {
        let challenges = challenges(response).prefix(32)
        let candidates = challenges.compactMap(Candidate.init)
            .filter { schemes.contains($0.scheme) }
        guard !candidates.isEmpty else { return .none(because: unusable(challenges)) }
        var reason: String?
        let strongestFirst = candidates.enumerated().sorted {
            ($1.element.scheme, $0.offset) < ($0.element.scheme, $1.offset)
        }.map(\.element)
        for candidate in strongestFirst {
            let space = ProtectionSpace(
                origin: asker, realm: candidate.realm, isProxy: side == .proxy,
                scheme: candidate.scheme)
            guard let credentials = try await credentials(for: space) else {
                let realm = candidate.realm.map { "the realm \($0.logSafe)" } ?? "no realm"
                reason =
                    reason
                    ?? "the challenge was not answered, since there are no credentials for "
                    + "\(realm) at \(asker)"
                continue
            }
            let key = ProtectionSpaceRegistry.Key(origin: asker, realm: candidate.realm)
            guard let digest = candidate.digest else {
                guard asker.scheme == .https || sendsPasswordUnencrypted else {
                    throw HTTPError.passwordWithheld(from: asker, response: response.head)
                        .ending(response)
                }
                // The same credentials would be refused again.
                if case .basic(credentials)? = refused {
                    state.withLock { $0.registry.forget(.basic(credentials)) }
                    reason =
                        "the credentials for \(asker) were refused: check the user name and the "
                        + "password"
                    continue
                }
                let scope = side == .server ? PathScope(around: target.originForm) : .all
                return .space(.init(key: key, scopes: [scope], answer: .basic(credentials)))
            }
            let answer = DigestAnswer(
                challenge: digest, credentials: credentials, clientNonce: makeClientNonce(),
                count: 0)
            return .space(
                .init(key: key, scopes: scopes(of: digest, target), answer: .digest(answer)))
        }
        return .none(because: reason ?? unusable(challenges))
    }

    /// Returns the reason for which no credentials can answer any of these challenges.
    private func unusable(_ challenges: some Collection<AuthenticationChallenge>) -> String {
        guard !challenges.isEmpty else {
            return "the challenge was not answered, since the response has none that can be read"
        }
        let names = challenges.prefix(4).map { challenge in
            guard challenge.scheme == "digest" else { return challenge.scheme }
            let details = [
                challenge["algorithm"]?.logSafe, challenge["qop"].map { "qop \($0.logSafe)" },
            ].compactMap(\.self)
            return (["digest"] + details).joined(separator: " ")
        }
        return "the challenge was not answered, since this layer does not use "
            + names.joined(separator: ", or ")
    }

    private func credentials(for space: ProtectionSpace) async throws -> PasswordCredentials? {
        for provider in providers {
            let credentials = try await provider.credentials(for: space)
            if let credentials, credentials.mayEnter(space) { return credentials }
        }
        return nil
    }

    /// Returns the paths for which the answer is valid: those that the server names in its own
    /// origin, or else the whole origin.
    private func scopes(of digest: DigestChallenge, _ target: HTTPTarget) -> [PathScope] {
        guard side == .server, !digest.domain.isEmpty,
            let base = try? URIReference(target.url)
        else { return [.all] }
        return digest.domain.prefix(64).compactMap { text in
            guard let uri = (try? URIReference(text))?.resolved(against: base),
                (try? HTTPOrigin(uri)) == target.origin
            else { return nil }
            return PathScope(uri.path)
        }
    }
}

// MARK: - Remembering

extension ChallengeResponder {
    /// Records whether the first answer was accepted, and what the next request starts with.
    private func learn(
        from response: HTTPResponse, for space: ProtectionSpaceRegistry.Space,
        after used: ProtectionSpaceRegistry.Answer
    ) {
        guard response.status == side.status else {
            state.withLock { $0.registry.enter(space) }
            return learn(from: response, after: used)
        }
        state.withLock { $0.registry.forget(used) }
        guard case .digest(var answer) = used,
            let fresh = staleChallenge(in: response, after: used)
        else { return }
        (answer.challenge, answer.clientNonce, answer.count) = (fresh, makeClientNonce(), 0)
        var renewed = space
        renewed.answer = .digest(answer)
        state.withLock { [renewed] in $0.registry.enter(renewed) }
    }

    /// Returns the challenge with a new nonce, if `answer` was refused for its old nonce. That says
    /// nothing about the password.
    private func staleChallenge(
        in response: HTTPResponse, after answer: ProtectionSpaceRegistry.Answer
    ) -> DigestChallenge? {
        guard case .digest(let answer) = answer else { return nil }
        return challenges(response).lazy.compactMap(DigestChallenge.init).first {
            $0.isStale && $0.realm == answer.challenge.realm
                && $0.algorithm == answer.challenge.algorithm
        }
    }

    /// Stores the nonce for the next request, so that the request need not be refused first.
    private func learn(from response: HTTPResponse, after used: ProtectionSpaceRegistry.Answer?) {
        guard case .digest(let answer) = used, let info = response.headers[side.info],
            let nonce = AuthenticationChallenge.challenges(in: "Digest \(info)").first?[
                "nextnonce"],
            !nonce.isEmpty
        else { return }
        let clientNonce = makeClientNonce()
        state.withLock { $0.registry.renew(answer, nonce: nonce, clientNonce: clientNonce) }
    }
}

// MARK: - Signing

extension ChallengeResponder {
    private struct Signed {
        var request: HTTPRequest
        var answer: ProtectionSpaceRegistry.Answer
    }

    /// - Returns: `nil` if there is no answer, or if it cannot be computed.
    private func sign(
        _ request: HTTPRequest, for target: HTTPTarget, with answer: ProtectionSpaceRegistry.Answer?
    ) async throws -> Signed? {
        guard let answer else { return nil }
        let authorization: Authorization
        switch answer {
        case .basic(let credentials):
            authorization = try .basic(user: credentials.user, password: credentials.password)
        case .digest(let answer):
            var bodyHash = ""
            if answer.challenge.protection == .authInt {
                // The hash reads the body, so a body that can be read only once could not be sent.
                guard request.body.replay == .always else { return nil }
                bodyHash = try await answer.challenge.hash(of: request.body)
            }
            authorization = try answer.authorization(
                method: request.method, uri: target.originForm, bodyHash: bodyHash)
        }
        var signed = request
        switch side {
        case .server: try signed.authorize(authorization, issuedBy: answer.credentials.origin)
        // The credentials for a proxy travel with the request that it forwards.
        case .proxy: try signed.authorize(authorization.forProxy, issuedBy: target.origin)
        }
        return Signed(request: signed, answer: answer)
    }
}
