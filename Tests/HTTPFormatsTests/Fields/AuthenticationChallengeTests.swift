import HTTPCore
import HTTPFormats
import Testing

@Suite struct AuthenticationChallengeTests {
    /// Scheme, then token68 or parameters, as in `basic(realm=x)`.
    private static func read(_ line: String) -> [String] {
        AuthenticationChallenge.challenges(in: line).map { challenge in
            let parameters = challenge.parameters.map { "\($0.name)=\($0.value)" }
            return challenge.scheme
                + "(\(challenge.token68 ?? parameters.joined(separator: ";")))"
        }
    }

    @Test(
        arguments: [
            ("Negotiate", ["negotiate()"]), ("Negotiate YWJj==", ["negotiate(YWJj==)"]),
            (
                "Negotiate a.b-c_d~e+f/g=, Basic realm=x",
                ["negotiate(a.b-c_d~e+f/g=)", "basic(realm=x)"]
            ),
            ("Basic realm=x, Negotiate abc", ["basic(realm=x)", "negotiate(abc)"]),
            ("Basic realm=x, Negotiate abc=", ["basic(realm=x)", "negotiate(abc=)"]),
            (
                "NTLM, Negotiate, Basic Realm=\"a, b\"",
                ["ntlm()", "negotiate()", "basic(realm=a, b)"]
            ),
            ("A b=c, d = \"e\", F", ["a(b=c;d=e)", "f()"]), ("A b=", ["a(b=)"]),
            ("A b==c", []), ("A b c", []), ("A b=c d=e, F", []), ("A b=c, D=, F", []),
            ("F, A b=c d", ["f()"]), ("A=b", []), ("A b=c, b=d, E f=g", ["e(f=g)"]),
            ("A b=c, B=d, E", ["e()"]), ("", []), (",", []), ("\"", []), ("A b=\"c", []),
            ("A b=\"\0\"", []), ("A \0", []), ("A, \u{E9}", ["a()"]),
            ("A, B, \u{E9}", ["a()", "b()"]),
            ("A\tb=c", ["a(b=c)"]),
            ("Basic, realm=\"x\"", ["basic()"]), ("Basic,realm=x", ["basic()"]),
            ("Basic , realm=x", ["basic(realm=x)"]), ("Basic ,, ,realm=x", ["basic(realm=x)"]),
            ("Basic\t,realm=x, charset=y", ["basic(realm=x;charset=y)"]),
            ("A, B, c=d, E", ["a()", "b()"]), ("A x=y, B, c=d", ["a(x=y)", "b()"]),
            ("A , B , c=d, E", ["a()", "b(c=d)", "e()"]), ("Negotiate, abc=", ["negotiate()"]),
        ])
    func `commas separate challenges and parameters`(line: String, expected: [String]) {
        #expect(Self.read(line) == expected)
    }

    @Test func `a challenge gives its parameters by name`() throws {
        let challenge = try #require(
            AuthenticationChallenge.challenges(in: "Digest Realm=\"a\", NONCE=b").first)
        #expect(challenge.realm == "a")
        #expect(challenge["Nonce"] == "b")
        #expect(challenge["opaque"] == nil)
    }
}
