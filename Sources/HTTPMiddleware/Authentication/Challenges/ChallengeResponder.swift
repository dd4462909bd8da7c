import HTTPCore
import HTTPFormats

/// Answers the challenges of servers, or of proxies: what ``ChallengeAuthentication``,
/// ``DigestAuthentication`` and ``ProxyAuthentication`` are made of.
final class ChallengeResponder: Sendable {
    /// Who asks, and in which fields (RFC 9110 §11.6 and §11.7).
    enum Side: Sendable {
        case server, proxy

        var status: HTTPStatus { self == .server ? .unauthorized : .proxyAuthenticationRequired }
        var field: HTTPHeaderName { self == .server ? .authorization : .proxyAuthorization }
        var info: HTTPHeaderName {
            self == .server ? .authenticationInfo : .proxyAuthenticationInfo
        }
    }

    private struct State {
        var book = ProtectionSpaceRegistry()
        /// The proxies that have asked, by the origin of the requests that they forward.
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

    /// 128 bits that nobody can guess.
    static func randomNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }

    func respond(
        to original: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let original = try original.beginningCall()
        // What is signed is what is sent: changes that are yet to come are made now, anew for each send.
        let request = try original.prepared()
        let target = try HTTPTarget(request.url)
        guard !request.headers.contains(side.field) else {
            return try await next.response(for: original)
        }

        let known = state.withLock { state in
            let asker = side == .server ? target.origin : state.proxies[target.origin]
            return asker.flatMap { state.book.answer(to: $0, at: target.originForm) }
        }
        let used = try await sign(request, for: target, with: known)
        let response = try await next.response(for: used?.request ?? request)
        learn(from: response, after: used?.answer)
        guard response.status == side.status else { return response }

        let proof: (signed: Signed, space: ProtectionSpaceRegistry.Space)?
        do {
            proof = try await answer(to: response, original, target, refused: used?.answer)
        } catch {
            response.body.abandon()
            throw error
        }
        request.call?.report(.challenged(response.head, isAnswered: proof != nil))
        guard let proof else { return response }
        await response.discard()
        try Task.checkCancellation()
        var last = try await next.response(for: proof.signed.request)
        learn(from: last, for: proof.space, after: proof.signed.answer)
        last.history = response.history + [response.head] + last.history
        return last
    }

    /// - Returns: what to send once more; `nil` where the refusal is the caller's.
    private func answer(
        to response: HTTPResponse, _ original: HTTPRequest, _ target: HTTPTarget,
        refused: ProtectionSpaceRegistry.Answer?
    ) async throws -> (signed: Signed, space: ProtectionSpaceRegistry.Space)? {
        let asker = try asker(of: response, target)
        guard let space = try await space(response, asker, target, refused: refused) else {
            return nil
        }
        guard original.body.canBeSent else {
            // The next request is signed at once then.
            state.withLock { $0.book.enter(space) }
            return nil
        }
        let request = try original.prepared()
        let newTarget = try HTTPTarget(request.url)
        // A change that is made anew for each send may lead elsewhere.
        guard newTarget.origin == target.origin else { return nil }
        return try await sign(
            request, for: newTarget, with: state.withLock { $0.book.answer(toRefusal: space) }
        ).map { ($0, space) }
    }

    private func asker(
        of response: HTTPResponse, _ target: HTTPTarget
    ) throws(HTTPError) -> HTTPOrigin {
        guard side == .proxy else { return target.origin }
        // Through a tunnel the proxy sees no request, and what comes out of it is the server's.
        guard let proxy = response.forwardingProxy, target.origin.scheme == .http else {
            throw HTTPError(
                .protocolViolation,
                "a 407 that no proxy can have sent (RFC 9110 §15.5.8): credentials for a proxy stay here",
                mayHaveReachedServer: true, response: response.head
            ).ending(response.url)
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

    /// The strongest challenge that there are credentials for, with its answer; of equals, the one that
    /// the server names first.
    ///
    /// - Throws: `passwordWithheld` when all that is wanted is a password that anybody could read.
    private func space(
        _ response: HTTPResponse, _ asker: HTTPOrigin, _ target: HTTPTarget,
        refused: ProtectionSpaceRegistry.Answer?
    ) async throws -> ProtectionSpaceRegistry.Space? {
        let candidates = challenges(response).prefix(32).compactMap(Candidate.init)
            .filter { schemes.contains($0.scheme) }
        let strongestFirst = candidates.enumerated().sorted {
            ($1.element.scheme, $0.offset) < ($0.element.scheme, $1.offset)
        }.map(\.element)
        for candidate in strongestFirst {
            let space = ProtectionSpace(
                origin: asker, realm: candidate.realm, isProxy: side == .proxy,
                scheme: candidate.scheme)
            guard let credentials = try await credentials(for: space) else { continue }
            let key = ProtectionSpaceRegistry.Key(origin: asker, realm: candidate.realm)
            guard let digest = candidate.digest else {
                guard asker.scheme == .https || sendsPasswordUnencrypted else {
                    throw HTTPError.passwordWithheld(from: asker, response: response.head)
                        .ending(response.url)
                }
                // The same again would be refused again.
                if case .basic(credentials)? = refused {
                    state.withLock { $0.book.forget(.basic(credentials)) }
                    continue
                }
                let scope = side == .server ? PathScope(around: target.originForm) : .all
                return .init(key: key, scopes: [scope], answer: .basic(credentials))
            }
            let answer = DigestAnswer(
                challenge: digest, credentials: credentials, clientNonce: makeClientNonce(),
                count: 0)
            return .init(key: key, scopes: scopes(of: digest, target), answer: .digest(answer))
        }
        return nil
    }

    private func credentials(for space: ProtectionSpace) async throws -> PasswordCredentials? {
        for provider in providers {
            let credentials = try await provider.credentials(for: space)
            if let credentials, credentials.mayEnter(space) { return credentials }
        }
        return nil
    }

    /// Where the answer is good for: what the server says of its own origin, else all of it.
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
    /// Whether a first answer was good, and what the next one is to be.
    private func learn(
        from response: HTTPResponse, for space: ProtectionSpaceRegistry.Space,
        after used: ProtectionSpaceRegistry.Answer
    ) {
        guard response.status == side.status else {
            state.withLock { $0.book.enter(space) }
            return learn(from: response, after: used)
        }
        state.withLock { $0.book.forget(used) }
        // A nonce that was too old already says nothing of the password.
        guard case .digest(var answer) = used,
            let fresh = challenges(response).lazy.compactMap(DigestChallenge.init).first(where: {
                $0.isStale && $0.realm == answer.challenge.realm
                    && $0.algorithm == answer.challenge.algorithm
            })
        else { return }
        (answer.challenge, answer.clientNonce, answer.count) = (fresh, makeClientNonce(), 0)
        var renewed = space
        renewed.answer = .digest(answer)
        state.withLock { [renewed] in $0.book.enter(renewed) }
    }

    /// Takes the nonce for the next request, so that it need not be refused to learn it.
    private func learn(from response: HTTPResponse, after used: ProtectionSpaceRegistry.Answer?) {
        guard case .digest(let answer) = used, let info = response.headers[side.info],
            let nonce = AuthenticationChallenge.challenges(in: "Digest \(info)").first?[
                "nextnonce"],
            !nonce.isEmpty
        else { return }
        let clientNonce = makeClientNonce()
        state.withLock { $0.book.renew(answer, nonce: nonce, clientNonce: clientNonce) }
    }
}

// MARK: - Signing

extension ChallengeResponder {
    private struct Signed {
        var request: HTTPRequest
        var answer: ProtectionSpaceRegistry.Answer
    }

    /// - Returns: `nil` where there is no answer, or it cannot be computed.
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
                // Read for its hash, a body that can be read once could not be sent any more.
                guard request.body.replay == .always else { return nil }
                bodyHash = try await answer.challenge.hash(of: request.body)
            }
            authorization = try answer.authorization(
                method: request.method, uri: target.originForm, bodyHash: bodyHash)
        }
        var signed = request
        switch side {
        case .server: try signed.authorize(authorization, issuedBy: answer.credentials.origin)
        // What a proxy is to see travels with the request that it forwards.
        case .proxy: try signed.authorize(authorization.forProxy, issuedBy: target.origin)
        }
        return Signed(request: signed, answer: answer)
    }
}
