import HTTPCore
import Testing
@testable import HTTPTesting
import PortableFoundation

@Suite struct RedactionTests {
    private let redaction = Redaction(names: ["PIN"], plainNames: ["page_token"])

    @Test(arguments: [
        ("https://h/a?b=1", "https://h/a?b=1"),
        ("https://me:pw@h/a", "https://h/a"),
        ("https://a@b@h/", "https://h/"),
        ("https://h/a@b", "https://h/a@b"),
        ("https://h/?access_token=x&b=1", "https://h/?access_token=redacted&b=1"),
        ("https://h/?ACCESS%5Ftoken=x", "https://h/?ACCESS%5Ftoken=redacted"),
        ("https://h/?key=x&sig=y&code=z#f", "https://h/?key=redacted&sig=redacted&code=redacted#f"),
        ("https://h/?pin=1&page_token=2", "https://h/?pin=redacted&page_token=2"),
        ("https://h/?token=&token", "https://h/?token=&token"),
        ("https://h/?a=b?token=x", "https://h/?a=b?token=redacted"),
        // A combining mark makes one `Character` with the delimiter before it.
        ("https://me:pw@\u{301}h", "https://\u{301}h"),
        ("h?\u{301}a&\u{301}b=&token=\u{301}x", "h?\u{301}a&\u{301}b=&token=redacted"),
        (
            "<https://u:p@h/?token=x&n=2>; rel=\"next\", <https://h/?n=1>; rel=\"prev\"",
            "<https://h/?token=redacted&n=2>; rel=\"next\", <https://h/?n=1>; rel=\"prev\""
        ),
    ])
    func `URLs lose user information and the values of secret keys`(text: String, redacted: String)
    {
        #expect(redaction.redacted(text) == redacted)
        #expect(redaction.redacted(redacted) == redacted)
    }

    @Test(
        arguments: [
            (
                "application/x-www-form-urlencoded", "user=me&client_secret=s%20t&a=+",
                "user=me&client_secret=redacted&a=+"
            ),
            ("application/x-www-form-urlencoded", "code=1&a=%7e", "code=1&a=%7e"),
            (
                "application/json", #"{"user": "me", "pin": "12", "n": [{"apiKey": ["k", 1]}]}"#,
                #"{"user":"me","pin":"redacted","n":[{"apiKey":["redacted",1]}]}"#
            ),
            ("application/vnd.x+json", #"{"token": {"a": "b"}}"#, #"{"token":{"a":"redacted"}}"#),
            (nil, #"{"password": "x"}"#, #"{"password":"redacted"}"#),
            (
                "application/json", #"{ "max_tokens": 100, "page_token": "x" }"#,
                #"{"max_tokens":100,"page_token":"x"}"#
            ),
            ("application/json", #"{ "a\/b": "c" }"#, #"{ "a\/b": "c" }"#),
            ("application/json", #"{"a":{"token":"x"},"a":1}"#, #"{"a":1}"#),
            (
                "application/json", #"{"\u0074oken":"x"}"#, #"{"token":"redacted"}"#
            ),
            ("application/json", "{ no JSON: token", "{ no JSON: token"),
            ("text/plain", #"{"token": "x"}"#, #"{"token": "x"}"#),
        ] as [(String?, String, String)])
    func `forms and JSON lose the values of secret names, and are else as they were`(
        type: String?, content: String, redacted: String
    ) {
        #expect(redaction.redacted(Data(content.utf8), type: type) == Data(redacted.utf8))
    }
}
