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

    /// Names of the survey: those of keys in API descriptions, in vendors' documentation, and in
    /// the lists of programs that redact logs.
    @Test(
        arguments: [
            "X-Session", "X-Session-Id", "X_SESSION_ID", "X-Session-API-Key", "X-IFS-Session",
            "X-Otp", "X-OTP-Code", "X-GitHub-OTP", "X-Totp", "X-Pin", "X-Pin-Code", "X-Passcode",
            "X-Mfa-Code", "X-PAT", "X-Bearer", "Bearer", "Authentication", "X-Authentication",
            "Auth", "X-Auth", "X_Auth_Key", "Service-Auth", "X-Azure-Auth",
            "Ocp-Apim-Key", "X-Webhook-Key", "X-Key", "key", "X-Provider-Key", "X-Client-Key",
            "X-Legacy-Key", "X-Widget-Key", "X-Custom-Key", "Fastly-Key", "AccessKey",
            "KALSHI-ACCESS-KEY", "X-Portkey-Api-Key", "x-partner-apikey", "Salad-Api-Key",
            "X-Access_Key", "X-Secret_Key", "X-Service-Token", "X-StorageApi-Token",
            "X-Apim-Secret", "Stripe-Signature", "X-WC-Webhook-Signature", "X-Sig",
            "X-Shopify-Hmac-Sha256", "Cf-Access-Jwt-Assertion", "X-Saml-Assertion", "X-XSRF",
            "X-Amz-Server-Side-Encryption-Customer-Key", "X-Throw-Key", "X-Resort-Key",
        ])
    func `names of keys in real APIs are secrets by default`(text: String) {
        #expect(HTTPHeaderName(text).isSensitive)
        #expect(HTTPHeaderName(text.lowercased()).isSensitive)
    }

    @Test(
        arguments: [
            "Idempotency-Key", "X-Idempotency-Key", "Surrogate-Key", "Sec-WebSocket-Key",
            "Sec-WebSocket-Accept", "X-Cache-Key", "Cache-Key", "Crypto-Key", "Public-Key-Pins",
            "X-Pinned", "X-Pins", "X-Spin", "X-Pattern", "X-Path", "X-Compass", "X-Bearer-Count",
            "X-Sessions", "X-Session-Count", "Authentication-Info", "Proxy-Authentication-Info",
            "Proxy-Authenticate", "X-Keyword", "X-Keys", "X-Monkey", "Keep-Alive",
            "X-Hotp", "X-Partition-Key", "X-Request-Id", "X-User-Id", "X-Server-Id",
            "X-User-Scopes", "X-Wechat-Openid", "Content-Digest", "Accept-Signal", "Sec-Fetch-Site",
        ])
    func `names that only look like such names are none`(text: String) {
        #expect(!HTTPHeaderName(text).isSensitive)
    }

    @Test func `a word in its place makes a name sensitive`() {
        let wholeNames = ["cookie", "cookie2", "set-cookie", "set-cookie2", "dpop"]
        let parts = [
            "authorization", "application-key", "functions-key", "master-key", "token", "secret",
            "password", "passwd", "passphrase", "passcode", "credential", "api-key", "apikey",
            "access-key", "auth-key", "subscription-key", "private-key", "account-key", "x-auth",
            "session-id", "sessionid", "signature", "jwt",
        ]
        let words = [
            "auth", "otp", "totp", "hmac", "accesskey", "appkey", "authkey", "clientkey",
            "masterkey", "privatekey",
        ]
        let lastWords = [
            "key", "session", "authentication", "pin", "pin-code", "mfa-code", "pat", "bearer",
            "assertion", "csrf", "xsrf", "sig", "pwd", "pass", "creds", "sid",
        ]
        let plainKeys = [
            "idempotency", "surrogate", "websocket", "cache", "crypto", "public", "partition",
            "row", "sort", "routing", "message", "object", "deduplication", "dedup",
        ]
        func isSecret(_ name: String) -> Bool {
            let name = "-" + name.lowercased().replacing("_", with: "-") + "-"
            return wholeNames.contains { name == "-\($0)-" }
                || parts.contains { name.contains($0) }
                || words.contains { name.contains("-\($0)-") }
                || lastWords.contains { name.hasSuffix("-\($0)-") }
                    && !plainKeys.contains { name.hasSuffix("-\($0)-key-") }
        }
        let vocabulary = wholeNames + parts + words + lastWords + plainKeys
        var random = SeededRandom(10)
        for _ in 0..<20_000 {
            // Words, and parts of them that begin or end like one, with a separator or none between
            // any two, and often one that ends with `key`, since that word looks at the one before.
            var name = ""
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let separator = ["", "-", "_", "x"].randomElement(using: &random) ?? ""
                if !name.isEmpty { name += separator }
                let word = vocabulary.randomElement(using: &random) ?? ""
                let kept = word.dropFirst(Int.random(in: 0...1, using: &random))
                    .dropLast(Int.random(in: 0...1, using: &random))
                name += Bool.random(using: &random) ? String(kept) : kept.uppercased()
            }
            if Bool.random(using: &random) {
                name += ["-key", "_KEY", "key"].randomElement(using: &random) ?? ""
            }
            // The only word whose hyphen is one: `x_author` is no secret.
            guard !name.lowercased().contains("x_auth") else { continue }
            #expect(HTTPHeaderName(name).isSensitive == isSecret(name), "\(name)")
        }
    }
}
