import HTTPCore
import HTTPFormats
import HTTPHashing
import Testing
@testable import HTTPMiddleware
import PortableFoundation

@Suite struct DigestAnswerTests {
    private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    private static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    private func answer(
        _ parameters: String, user: String = "Mufasa", password: String = "Circle of Life",
        clientNonce: String = clientNonce, count: UInt32 = 1
    ) throws -> DigestAnswer {
        DigestAnswer(
            challenge: try #require(DigestChallenge(.only(in: "Digest \(parameters)"))),
            credentials: PasswordCredentials(
                user: user, password: password, for: try HTTPOrigin("http://h")),
            clientNonce: clientNonce, count: count)
    }

    /// Computed with Python's hashlib from the formulas of RFC 7616 §3.4.1 to §3.4.3.
    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("MD5-sess", "e783283f46242139c486a698fec7211d"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ("SHA-256-sess", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
        ("SHA-512-256", "430d05014cecc49cab6fbe03176d41a1da86cbfe24a16580e22aaad928d960d0"),
        ("SHA-512-256-sess", "3f2a34f923c38b0fb26dce2fdfc2ce326c23cecf86fbb1444f3e51fbbc2cb92e"),
    ]) func `every algorithm, with and without a session`(name: String, response: String) throws {
        let answer = try answer(
            "realm=\"http-auth@example.org\", nonce=\"\(Self.nonce)\", qop=auth, algorithm=\(name)")
        #expect(answer.response(method: .get, uri: "/dir/index.html") == response)
    }

    @Test(arguments: [
        ("MD5", "22fc8b341f8318d3d2428586d18a17ca"),
        ("SHA-256", "928e8e67087be9932f754907b33111e49966dd067658a69b5a9065508e0c183a"),
        ("SHA-512-256", "d81059caac87187175e56008f515575f5e45e909b55fe0fcd0b2a371c35b97e0"),
    ]) func `auth-int vouches for the body`(name: String, response: String) async throws {
        let answer = try answer(
            "realm=\"http-auth@example.org\", nonce=\"\(Self.nonce)\", qop=\"auth-int\", "
                + "algorithm=\(name)", count: 10)
        let pieces = HTTPBody(length: 5) {
            AsyncStream<Data> {
                $0.yield(Data("hel".utf8))
                $0.yield(Data("lo".utf8))
                $0.finish()
            }
        }
        for body in [HTTPBody("hello"), pieces] {
            let hash = try await answer.challenge.hash(of: body)
            #expect(
                answer.response(method: .put, uri: "/dir/index.html", bodyHash: hash) == response)
        }
    }

    @Test func `the field of RFC 7616 section 3_9_1`() throws {
        let answer = try answer(
            """
            realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, \
            nonce="\(Self.nonce)", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """)
        let authorization = try answer.authorization(method: .get, uri: "/dir/index.html")
        #expect(
            authorization.fieldValue == """
                Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", \
                algorithm=SHA-256, nonce="\(Self.nonce)", nc=00000001, \
                cnonce="\(Self.clientNonce)", qop=auth, \
                response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1", \
                opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
                """)
    }

    /// RFC 7616 §3.9.2 with the hashes of erratum 4897.
    @Test func `a user name is hashed, or sent in UTF-8 where hashing is not wanted`() throws {
        let parameters = """
            realm="api@example.org", qop=auth, algorithm=SHA-512-256, charset=UTF-8, \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK"
            """
        func value(_ parameters: String) throws -> String {
            try answer(
                parameters, user: "Jäsøn Doe", password: "Secret, or not?",
                clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v"
            ).authorization(method: .get, uri: "/doe.json").fieldValue
        }
        let hashed = try value(parameters + ", userhash=true")
        let response =
            "response=\"3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5\""
        #expect(
            hashed.contains(
                "username=\"793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b\","))
        #expect(hashed.contains(response) && hashed.hasSuffix("userhash=true"))
        let plain = try value(parameters)
        #expect(plain.contains("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe,"))
        #expect(plain.contains(response) && !plain.contains("userhash"))
    }

    @Test func `quotes and backslashes are escaped in the field, not in what is hashed`() throws {
        let answer = try answer(#"realm="a\"b\\c", nonce="n\"1""#, user: #"u"s\er"#)
        #expect(answer.challenge.realm == #"a"b\c"#)
        let value = try answer.authorization(method: .get, uri: "/").fieldValue
        #expect(
            value.hasPrefix(#"Digest username="u\"s\\er", realm="a\"b\\c", uri="/", nonce="n\"1","#)
        )
        let key = MD5.hash(#"u"s\er:a"b\c:Circle of Life"#).hexadecimal
        let expected = MD5.hash("\(key):n\"1:\(MD5.hash("GET:/").hexadecimal)").hexadecimal
        #expect(answer.response(method: .get, uri: "/") == expected)
    }

    @Test func `without qop neither count nor client nonce are sent, but for a session`() throws {
        let plain = try answer("realm=r, nonce=n").authorization(method: .get, uri: "/").fieldValue
        #expect(!plain.contains("cnonce") && !plain.contains("nc=") && !plain.contains("qop"))
        #expect(!plain.contains("algorithm"))
        let session = try answer("realm=r, nonce=n, algorithm=MD5-sess")
            .authorization(method: .get, uri: "/").fieldValue
        #expect(session.contains("cnonce=") && !session.contains("nc="))
    }
}
