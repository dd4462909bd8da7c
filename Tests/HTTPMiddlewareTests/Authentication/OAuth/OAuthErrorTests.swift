import HTTPCore
import Testing
@testable import HTTPMiddleware
import PortableFoundation

struct OAuthErrorTests {
    private func error(_ text: String, hiding secrets: [String] = ["hunter2"]) -> OAuthError? {
        OAuthError(.badRequest, body: Data(text.utf8), hiding: secrets)
    }

    @Test func `the example of RFC 6749 §5.2 is read`() {
        let read = error(#"{"error":"invalid_request"}"#)
        #expect(read?.code == "invalid_request" && read?.explanation == nil)
        #expect(read?.status == .badRequest && read.map { "\($0)" } == "invalid_request")
    }

    @Test func `the server's text is safe for a log`() throws {
        let text = #"{"error":"e","error_description":"a\u001b[31m\nb\u202e"}"#
        let read = try #require(error(text))
        #expect(read.explanation == "a\u{1b}[31m\nb\u{202e}")
        #expect("\(read)" == #"e, "a\u{1B}[31m\nb\u{202E}""#)
        let long = String(repeating: "x", count: 1000)
        let cut = try #require(error(#"{"error":"e","error_description":"\#(long)"}"#))
        #expect("\(cut)".utf8.count < 100)
    }

    @Test(arguments: [
        "", "x", "[]", "{}", #"{"error":1}"#, #"{"error":""}"#, #"{"error":"a\nb"}"#,
        #"{"error":"a\"b"}"#, #"{"error":"é"}"#, #"{"error":"my hunter2"}"#,
        #"{"error":"\#(String(repeating: "x", count: 81))"}"#,
    ])
    func `what is not an error code is none`(text: String) { #expect(error(text) == nil) }

    @Test func `a text that repeats the secret is removed`() {
        let read = error(#"{"error":"invalid_client","error_description":"not hunter2!"}"#)
        #expect(read?.code == "invalid_client" && read?.explanation == nil)
    }
}
