import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
@testable import HTTPMiddleware
import PortableFoundation

struct OAuthTokenResponseTests {
    private let date = HTTPTestClock.standardDate

    private func response(_ text: String) throws(HTTPError) -> OAuthTokenResponse {
        try OAuthTokenResponse(Data(text.utf8), at: date)
    }

    /// The example of RFC 6749 §4.4.3.
    @Test func `the example of the standard is read`() throws {
        let credential = try response(
            """
            {"access_token":"2YotnFZFEjr1zCsicMWpAA", "token_type":"example", "expires_in":3600,
             "token_type":"Bearer", "example_parameter":"example_value"}
            """
        ).credential
        #expect(credential.authorization.fieldValue == "Bearer 2YotnFZFEjr1zCsicMWpAA")
        #expect(credential.expiry == date + 3600)
        #expect(credential.refreshToken == nil)
    }

    @Test(
        arguments: [
            ("3600", 3600), ("0.5", 0.5), ("\"60\"", 60), ("1e300", 315_360_000),
            ("9223372036854775808", 315_360_000), ("null", nil),
        ] as [(String, Double?)])
    func `a life is a positive number of seconds, and at most ten years`(
        text: String, life: Double?
    ) throws {
        let credential = try response(
            "{\"access_token\":\"a\",\"token_type\":\"bearer\",\"expires_in\":\(text)}"
        ).credential
        #expect(credential.expiry == life.map { date + $0 })
        #expect(!"\(credential)".isEmpty)
    }

    @Test(arguments: [
        "0", "-1", "-1e300", "1e999", "\"\"", "\"-1\"", "\"1h\"", "true", "[]", "{}", "\"\\u0661\"",
    ])
    func `any other life is refused`(text: String) {
        let error = #expect(throws: HTTPError.self) {
            try response(
                "{\"access_token\":\"hunter2\",\"token_type\":\"bearer\",\"expires_in\":\(text)}")
        }
        #expect(error?.code == .refreshFailed)
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func `the case of the token type does not matter`(type: String) throws {
        let text = "{\"access_token\":\"a\",\"token_type\":\"\(type)\"}"
        #expect(try response(text).credential.expiry == nil)
    }

    @Test(arguments: [
        "", "null", "[]", "\"hunter2\"", "{", "{}", "access_token=hunter2&token_type=bearer",
        #"{"access_token":"hunter2"}"#, #"{"access_token":"hunter2","token_type":"mac"}"#,
        #"{"access_token":"hunter2","token_type":"Bearer\u0000"}"#,
        #"{"access_token":"hunter2","token_type":1}"#, #"{"token_type":"Bearer"}"#,
        #"{"access_token":["hunter2"],"token_type":"Bearer"}"#,
        #"{"access_token":7,"token_type":"Bearer"}"#, #"{"access_token":"","token_type":"Bearer"}"#,
        #"{"access_token":"hunter2 x","token_type":"Bearer"}"#,
        #"{"access_token":"hunter2\r\nX: y","token_type":"Bearer"}"#,
        #"{"access_token":"hunter2é","token_type":"Bearer"}"#,
        #"{"Access_Token":"hunter2","token_type":"Bearer"}"#,
    ])
    func `what is not a bearer token is refused, and not shown`(text: String) {
        let error = #expect(throws: HTTPError.self) { try response(text) }
        #expect(error?.code == .refreshFailed)
        var shown = error.map { "\($0) \(String(reflecting: $0))" } ?? ""
        dump(error, to: &shown)
        #expect(!shown.contains("hunter2"))
    }
}
