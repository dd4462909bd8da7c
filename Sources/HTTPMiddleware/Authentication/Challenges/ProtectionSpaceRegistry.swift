import HTTPCore

/// A registry of the protection spaces that credentials were sent to. With it, the next request to
/// a known space need not be refused first.
struct ProtectionSpaceRegistry: Sendable {
    /// The credentials to sign a request with.
    enum Answer: Sendable {
        case basic(PasswordCredentials)
        case digest(DigestAnswer)

        var credentials: PasswordCredentials {
            switch self {
            case .basic(let credentials): credentials
            case .digest(let answer): answer.credentials
            }
        }
    }

    /// A server or a proxy, and one of its realms.
    struct Key: Hashable, Sendable {
        var origin: HTTPOrigin
        var realm: String?
    }

    /// The answer for a protection space, and the paths for which it is valid.
    struct Space: Sendable {
        var key: Key
        var scopes: [PathScope]
        var answer: Answer

        fileprivate func depth(of originForm: String) -> Int? {
            scopes.lazy.filter { $0.contains(originForm) }.map(\.depth).max()
        }
    }

    let capacity: Int
    /// The spaces in the order in which they were entered.
    private var spaces: [Space] = []
    /// Answers to nonces that no server has accepted yet. Requests do not start with these: a
    /// server that requires counts in order would refuse the first answer if another one overtook
    /// it.
    private var unproven: [DigestAnswer] = []

    init(capacity: Int = 256) { self.capacity = capacity }

    /// Returns the answer for a request that has not been refused: that of the innermost space that
    /// contains the request, with its nonce counted.
    mutating func answer(to origin: HTTPOrigin, at originForm: String) -> Answer? {
        var best: (index: Int, depth: Int)?
        for index in spaces.indices where spaces[index].key.origin == origin {
            guard let depth = spaces[index].depth(of: originForm), depth >= best?.depth ?? 0
            else { continue }
            best = (index, depth)
        }
        return best.flatMap { use($0.index) }
    }

    /// Returns the answer to the challenge of a refused request, with its nonce counted. If a
    /// server sends the same nonce to every request, each count is used once.
    mutating func answer(toRefusal space: Space) -> Answer? {
        guard case .digest(var answer) = space.answer else { return space.answer }
        if let index = index(of: space.key), case .digest(let known) = spaces[index].answer,
            known.isSameSession(as: answer)
        {
            return use(index)
        }
        if let index = unproven.firstIndex(where: { $0.isSameSession(as: answer) }) {
            answer = unproven.remove(at: index)
        } else if unproven.count >= capacity {
            unproven.removeFirst()
        }
        answer.count += 1
        unproven.append(answer)
        return .digest(answer)
    }

    /// Enters a space whose answer was not refused, or has yet to be sent. From now on, requests to
    /// the space start with it.
    mutating func enter(_ space: Space) {
        var space = space
        if case .digest(let answer) = space.answer,
            let index = unproven.firstIndex(where: { $0.isSameSession(as: answer) })
        {
            space.answer = .digest(unproven.remove(at: index))
        }
        if let index = index(of: space.key) {
            switch (spaces[index].answer, space.answer) {
            case (.digest(let old), .digest(let new)) where old.isSameSession(as: new): return
            // Basic names no scope: its scope is the paths where it was seen (RFC 7617 §2.2).
            case (.basic, .basic):
                space.scopes = Array(Set(spaces[index].scopes + space.scopes).prefix(64))
            default: break
            }
            spaces.remove(at: index)
        } else if spaces.count >= capacity {
            spaces.removeFirst()
        }
        spaces.append(space)
    }

    private mutating func use(_ index: Int) -> Answer? {
        guard case .digest(var answer) = spaces[index].answer else { return spaces[index].answer }
        guard answer.count < .max else {
            spaces.remove(at: index)
            return nil
        }
        answer.count += 1
        spaces[index].answer = .digest(answer)
        return .digest(answer)
    }

    /// Stores the nonce for the next request, from `Authentication-Info` (RFC 7616 §3.5).
    mutating func renew(_ used: DigestAnswer, nonce: String, clientNonce: String) {
        let key = Key(origin: used.credentials.origin, realm: used.challenge.realm)
        guard let index = index(of: key), case .digest(var answer) = spaces[index].answer,
            answer.challenge.nonce == used.challenge.nonce, nonce != used.challenge.nonce
        else { return }
        answer.challenge.nonce = nonce
        (answer.count, answer.clientNonce) = (0, clientNonce)
        spaces[index].answer = .digest(answer)
    }

    /// Removes refused credentials, so that they are not sent again without a challenge. Newer
    /// credentials stay.
    mutating func forget(_ refused: Answer) {
        spaces.removeAll { $0.answer.credentials == refused.credentials }
        guard case .digest(let answer) = refused else { return }
        unproven.removeAll { $0.isSameSession(as: answer) }
    }

    private func index(of key: Key) -> Int? { spaces.firstIndex { $0.key == key } }
}

extension DigestAnswer {
    /// Returns `true` if both answers count the same nonce.
    fileprivate func isSameSession(as other: DigestAnswer) -> Bool {
        challenge.nonce == other.challenge.nonce && challenge.realm == other.challenge.realm
            && challenge.algorithm == other.challenge.algorithm && credentials == other.credentials
    }
}
