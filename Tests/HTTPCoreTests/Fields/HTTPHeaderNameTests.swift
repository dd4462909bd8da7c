import HTTPCore
import TestSupport
import Testing

@Suite struct HTTPHeaderNameTests {
    // MARK: Names

    @Test(.rows("S4-13"))
    func `names are equal without regard to ASCII case and keep their spelling`() {
        let name: HTTPHeaderName = "cOnTeNt-TyPe"
        #expect(name == .contentType)
        #expect(name.hashValue == HTTPHeaderName.contentType.hashValue)
        #expect(name.spelling == "cOnTeNt-TyPe")
        #expect("\(name)" == "cOnTeNt-TyPe")
        #expect(Set([name, .contentType, .contentLength]).count == 2)
    }

    /// `@` and `` ` ``, and `[` and `{`, differ by the bit that makes a letter's case. K (KELVIN
    /// SIGN) equals k in Unicode case folding.
    @Test(
        .rows("S4-13"),
        arguments: [("@", "`"), ("X[", "X{"), ("k", "\u{212A}"), ("É", "é"), ("a", "aa")])
    func `only ASCII letters fold`(a: String, b: String) {
        #expect(HTTPHeaderName(a) != HTTPHeaderName(b))
    }

    @Test(
        .rows("S1-14"),
        arguments: [
            ("X-Foo", true), ("!#$%&'*+-.^_`|~", true), ("", false), ("X Foo", false),
            ("X-Foo:", false), ("X\r\nY", false), ("X\0", false), ("é", false), ("a\u{7F}", false),
            ("(c)", false), ("a\tb", false),
        ])
    func `a name is a token`(text: String, isToken: Bool) {
        #expect(HTTPHeaderName(text).isToken == isToken)
    }

    @Test(
        arguments: [
            "Authorization", "PROXY-AUTHORIZATION", "cookie", "Set-Cookie", "X-Api-Key", "api_key",
            "X-Auth-Token", "X-Amz-Security-Token", "Ocp-Apim-Subscription-Key", "X-CSRF-Token",
            "X-Client-Secret", "X-Hub-Signature-256", "PHP-Auth-Password", "Set-Cookie2", "token",
            "MyTokens", "ttoken", "X-Session-Id", "jwt", "CREDENTIALS", "X-AUTH-USER",
            "X-Serverless-Authorization", "x-forwarded-authorization", "DD-APPLICATION-KEY",
            "X-Functions-Key", "X-Parse-Master-Key", "DPoP", "dpop", "Authorizations",
            "X-Authorization-Old", "X-Amz-Authorization",
        ])
    func `names that look like keys are secrets by default`(text: String) {
        #expect(HTTPHeaderName(text).isSensitive)
    }

    @Test(
        arguments: [
            "Accept", "Content-Type", "ETag", "Idempotency-Key", "Surrogate-Key",
            "WWW-Authenticate",
            "X-Request-Id", "Location", "Cookies", "X-Cookie", "Authority", "tok", "X-Toke",
            "", "My-Set-Cookie", "DPoP-Nonce", "X-DPoP", "Application", "X-Functions", "Master",
        ])
    func `ordinary names are none`(text: String) {
        #expect(!HTTPHeaderName(text).isSensitive)
    }

    @Test func `a word in any place of a name makes it sensitive`() {
        let wholeNames = ["cookie", "cookie2", "set-cookie", "set-cookie2", "dpop"]
        let parts = [
            "authorization", "application-key", "functions-key", "master-key", "token", "secret",
            "password", "passwd", "passphrase", "credential", "api-key", "api_key", "apikey",
            "access-key", "auth-key", "subscription-key", "private-key", "account-key", "x-auth",
            "session-id", "sessionid", "signature", "jwt",
        ]
        var random = SeededRandom(10)
        for _ in 0..<20_000 {
            // Words, and parts of them that begin or end like one.
            let name = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                let word = (wholeNames + parts).randomElement(using: &random) ?? ""
                let kept = word.dropFirst(Int.random(in: 0...1, using: &random))
                    .dropLast(Int.random(in: 0...1, using: &random))
                return Bool.random(using: &random) ? String(kept) : kept.uppercased()
            }.joined(separator: ["", "-", "x"].randomElement(using: &random) ?? "")
            let text = name.lowercased()
            let isSecret = wholeNames.contains(text) || parts.contains { text.contains($0) }
            #expect(HTTPHeaderName(name).isSensitive == isSecret, "\(name)")
        }
    }
}
