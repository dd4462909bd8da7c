import HTTPCore
import Testing

@testable import HTTPMiddleware

@Suite struct ProtectionSpaceRegistryTests {
    private let origin: HTTPOrigin
    private let credentials: PasswordCredentials

    init() throws {
        origin = try HTTPOrigin("https://h")
        credentials = PasswordCredentials(user: "u", password: "p", for: origin)
    }

    private func digest(
        _ nonce: String, realm: String = "r", clientNonce: String = "c"
    ) throws -> ProtectionSpaceRegistry.Answer {
        let line = "Digest realm=\(realm), nonce=\(nonce), qop=auth"
        return .digest(
            DigestAnswer(
                challenge: try #require(DigestChallenge(.only(in: line))),
                credentials: credentials, clientNonce: clientNonce, count: 0))
    }

    private func space(
        _ nonce: String, realm: String = "r", clientNonce: String = "c",
        scopes: [PathScope] = [.all]
    ) throws -> ProtectionSpaceRegistry.Space {
        .init(
            key: .init(origin: origin, realm: realm), scopes: scopes,
            answer: try digest(nonce, realm: realm, clientNonce: clientNonce))
    }

    private func counted(_ answer: ProtectionSpaceRegistry.Answer?) -> String? {
        guard case .digest(let answer)? = answer else { return nil }
        return "\(answer.challenge.nonce):\(answer.count):\(answer.clientNonce)"
    }

    @Test func `a nonce is counted from 1, and goes on where it is asked for again`() throws {
        var book = ProtectionSpaceRegistry()
        #expect(counted(book.answer(toRefusal: try space("a"))) == "a:1:c")
        #expect(counted(book.answer(toRefusal: try space("a", clientNonce: "d"))) == "a:2:c")
        book.enter(try space("a"))
        #expect(counted(book.answer(to: origin, at: "/x")) == "a:3:c")
        #expect(counted(book.answer(toRefusal: try space("a", clientNonce: "d"))) == "a:4:c")
        book.enter(try space("a"))
        #expect(counted(book.answer(to: origin, at: "/x")) == "a:5:c")
    }

    @Test func `no request begins with a nonce before its first answer is accepted`() throws {
        var book = ProtectionSpaceRegistry()
        #expect(counted(book.answer(toRefusal: try space("a"))) == "a:1:c")
        #expect(book.answer(to: origin, at: "/") == nil)
        book.enter(try space("a"))
        #expect(counted(book.answer(toRefusal: try space("b", clientNonce: "d"))) == "b:1:d")
        #expect(counted(book.answer(to: origin, at: "/")) == "a:2:c")
        book.enter(try space("b"))
        #expect(counted(book.answer(to: origin, at: "/")) == "b:2:d")
    }

    @Test func `a next nonce replaces the one that it was sent for, and no other`() throws {
        var book = ProtectionSpaceRegistry()
        book.enter(try space("a"))
        guard case .digest(let used)? = book.answer(to: origin, at: "/") else {
            Issue.record("no answer")
            return
        }
        book.renew(used, nonce: "b", clientNonce: "d")
        book.renew(used, nonce: "late", clientNonce: "e")
        #expect(counted(book.answer(to: origin, at: "/")) == "b:1:d")
    }

    @Test func `of the spaces that a path is in, the deepest answers; of equals, the last`() throws
    {
        var book = ProtectionSpaceRegistry()
        book.enter(try space("i", realm: "inner", scopes: [PathScope("/a/b")]))
        book.enter(try space("o", realm: "outer", scopes: [PathScope("/a")]))
        #expect(counted(book.answer(to: origin, at: "/a/b/c"))?.first == "i")
        #expect(counted(book.answer(to: origin, at: "/a/c"))?.first == "o")
        #expect(book.answer(to: origin, at: "/") == nil)
        book.enter(try space("l", realm: "last", scopes: [PathScope("/a")]))
        #expect(counted(book.answer(to: origin, at: "/a/c"))?.first == "l")
    }

    @Test func `it has a capacity: what was entered first goes first`() throws {
        var book = ProtectionSpaceRegistry(capacity: 2)
        for realm in ["a", "b", "c"] {
            book.enter(try space(realm, realm: realm, scopes: [PathScope("/" + realm)]))
        }
        #expect(book.answer(to: origin, at: "/a") == nil)
        #expect(counted(book.answer(to: origin, at: "/b")) == "b:1:c")
        for nonce in ["x", "y", "z"] {
            _ = book.answer(toRefusal: try space(nonce, realm: "new"))
        }
        #expect(counted(book.answer(toRefusal: try space("z", realm: "new"))) == "z:2:c")
        #expect(counted(book.answer(toRefusal: try space("x", realm: "new"))) == "x:1:c")
    }

    @Test func `refused credentials are forgotten, newer ones are not`() throws {
        var book = ProtectionSpaceRegistry()
        book.enter(
            .init(
                key: .init(origin: origin, realm: "b"), scopes: [.all],
                answer: .basic(credentials)))
        let other = PasswordCredentials(user: "u", password: "better", for: origin)
        book.forget(.basic(other))
        #expect(book.answer(to: origin, at: "/") != nil)
        book.forget(.basic(credentials))
        #expect(book.answer(to: origin, at: "/") == nil)
        let refused = try #require(book.answer(toRefusal: try space("a")))
        book.forget(refused)
        #expect(counted(book.answer(toRefusal: try space("a"))) == "a:1:c")
    }
}
