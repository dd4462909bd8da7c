import HTTPCore
import Testing

@testable import HTTPMiddleware

@Suite struct DigestChallengeTests {
    @Test(arguments: [
        "Basic realm=r", "Digest nonce=n", "Digest realm=r", "Digest realm=r, nonce=\"\"",
        "Digest realm=r, nonce=n, algorithm=SHA-1", "Digest realm=r, nonce=n, algorithm=-sess",
        "Digest realm=r, nonce=n, algorithm=token", "Digest realm=r, nonce=n, qop=auth-conf",
        "Digest realm=r, nonce=n, qop=\"\"",
    ]) func `what cannot be answered is no challenge`(line: String) throws {
        #expect(try DigestChallenge(.only(in: line)) == nil)
    }

    @Test func `names and flags are read regardless of case, the best of qop is taken`() throws {
        let challenge = try #require(
            DigestChallenge(
                .only(
                    in: """
                        digest realm=r, nonce=n, algorithm="sha-512-256-SESS", \
                        qop="auth-int, AUTH", stale=TRUE, userhash=True, domain="/a http://x/b"
                        """)))
        #expect(challenge.algorithm == .sha512_256 && challenge.isSession)
        #expect(challenge.protection == .auth && challenge.isStale && challenge.hashesUser)
        #expect(challenge.domain == ["/a", "http://x/b"])
        let integrity = try DigestChallenge(.only(in: "Digest realm=r, nonce=n, qop=auth-int"))
        #expect(integrity?.protection == .authInt)
    }
}
