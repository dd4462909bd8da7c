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
}
