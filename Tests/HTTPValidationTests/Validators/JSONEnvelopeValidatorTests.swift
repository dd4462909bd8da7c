import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct JSONEnvelopeValidatorTests {
    private let accepting = JSONEnvelopeValidator { _, _ in .next }
    private let refusing = JSONEnvelopeValidator { _, _ in .invalid("judged") }

    // MARK: Envelopes

    @Test(.rows("S0-36"))
    func `the closure judges the JSON of the body`() async throws {
        let validator = JSONEnvelopeValidator { envelope, _ in
            envelope["code"]?.int == 0 ? .next : .invalid("code \(envelope["code"]?.int ?? -1)")
        }
        try await MockSession.answering(.ok, #"{"code": 0}"#).validated(by: validator)
        let error = try await failure {
            try await MockSession.answering(.ok, #"{"code": 7}"#).validated(by: validator)
        }
        #expect(error.message == "code 7")
    }

    @Test(.rows("S0-36"), arguments: ["<html>", "", "{\"code\": 0"])
    func `what is no JSON is a failure, and not sent again`(text: String) async throws {
        let mock = MockSession.answering(.ok, text)
        let error = try await failure {
            try await mock.validated(by: accepting) { $0.maxRetries = 3 }
        }
        #expect(error.code == .decodingFailed)
        #expect(error.underlyingError != nil)
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-36"))
    func `an error page is for the status to judge, an error envelope is not`()
        async throws
    {
        let page = try await failure {
            try await MockSession.answering(.badGateway, "<html>").validated(
                by: refusing, HTTPDefaultValidator())
        }
        #expect(page.code == .unexpectedStatus)
        let envelope = try await failure {
            try await MockSession.answering(.badGateway, "{}").validated(
                by: refusing, HTTPDefaultValidator())
        }
        #expect(envelope.message == "judged")
    }

    @Test(.rows("S0-36"))
    func `what cannot have content, what is streamed and what failed passes`() async throws {
        try await MockSession.answering(.noContent).validated(by: refusing)
        let stream = MockSession {
            HTTPResponse(.ok, body: HTTPBody(source: Pieces("{}")), to: $0)
        }
        let response = try await stream.validated(by: refusing) { $0.isValidatedByHead = true }
        #expect(try await response.text() == "{}")
        let broken = MockSession { _ in throw HTTPError(.cannotConnect, "refused") }
        let error = try await failure { try await broken.validated(by: refusing) }
        #expect(error.code == .cannotConnect)
    }
}
