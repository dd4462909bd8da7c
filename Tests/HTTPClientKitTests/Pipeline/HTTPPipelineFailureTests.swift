import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite struct HTTPPipelineFailureTests {
    private let head: HTTPResponse.Head

    init() throws {
        head = HTTPResponse.Head(
            status: .serviceUnavailable,
            url: try #require(URL(string: "https://h/path?key=secret")))
    }

    private static func name(_ failure: HTTPPipelineFailure) -> String {
        switch failure {
        case .retrying: "retrying"
        case .dropped: "dropped"
        case .adapting: "adapting"
        case .decoding: "decoding"
        case .invalid: "invalid"
        case .notHTTP: "notHTTP"
        case .exchange: "exchange"
        case .other: "other"
        }
    }

    @Test(.rows("S3-4"))
    func `an error means exactly one of eight`() throws {
        let gone = HTTPError(.connectionLost, "gone")
        let request = try HTTPRequest(.get, "https://h/")
        let errors: [(any Error, String)] = [
            (HTTPError(.retryDropped, "enough", underlyingError: gone), "dropped"),
            (
                HTTPError(
                    .adaptingFailed, "",
                    underlyingError: AdaptingFailure(request: request, thrown: gone)), "adapting"
            ),
            (HTTPError(.decodingFailed, "", response: head, underlyingError: gone), "decoding"),
            (HTTPError(.validationFailed, "", response: head), "invalid"),
            (HTTPError(.unexpectedStatus, "", response: head), "invalid"),
            (HTTPError(.protocolViolation, ""), "notHTTP"),
            (gone, "exchange"),
            (HTTPError(.droppedAsDuplicate, ""), "exchange"),
            (PipelineMistake(), "other"),
            (HTTPPipelineFailure.notHTTP(gone), "notHTTP"),
        ]
        for (error, expected) in errors {
            #expect(Self.name(HTTPPipelineFailure(error)) == expected, "\(error)")
        }
    }

    @Test(.rows("S3-4"))
    func `the status is the response's, inside any wrapper`() throws {
        let invalid = HTTPPipelineFailure.invalid(reason: "no", Data(), head)
        let other = HTTPResponse.Head(status: .forbidden, url: head.url)
        let refused = HTTPError(.unexpectedStatus, "no", response: other)
        #expect(invalid.status == .serviceUnavailable)
        #expect(
            HTTPPipelineFailure.decoding(Data(), head, thrown: PipelineMistake()).status
                == .serviceUnavailable)
        #expect(
            HTTPPipelineFailure.dropped(reason: "", original: invalid).status
                == .serviceUnavailable)
        #expect(
            HTTPPipelineFailure.retrying(thrown: PipelineMistake(), original: invalid).status
                == .serviceUnavailable)
        #expect(
            HTTPPipelineFailure.retrying(thrown: refused, original: invalid).status == .forbidden)
        #expect(HTTPPipelineFailure.exchange(HTTPError(.timedOut, "")).status == nil)
        #expect(HTTPPipelineFailure.notHTTP(refused).status == nil)
        #expect(HTTPPipelineFailure.other(PipelineMistake()).status == nil)
    }

    @Test(.rows("S3-4"))
    func `failures in failures can be walked`() {
        let invalid = HTTPPipelineFailure.invalid(reason: "no", Data(), head)
        let nested = HTTPPipelineFailure.dropped(
            reason: "b", original: .retrying(thrown: PipelineMistake(), original: invalid))
        #expect(Self.name(nested.first) == "invalid")
    }

    @Test func `no description shows bytes, queries or foreign errors`() throws {
        struct Secret: Error { let password = "hunter2" }
        let bytes = Data("hunter2".utf8)
        let request = try HTTPRequest(
            .get, "https://h/?key=secret", headers: ["Authorization": "hunter2"])
        let failures: [HTTPPipelineFailure] = [
            .retrying(thrown: Secret(), original: .other(Secret())),
            .adapting(request, thrown: Secret()),
            .decoding(bytes, head, thrown: Secret()),
            .invalid(reason: "no", bytes, head),
            .dropped(reason: "enough", original: .invalid(reason: "no", bytes, head)),
        ]
        for failure in failures {
            var dumped = ""
            dump(failure, to: &dumped)
            for text in [failure.description, failure.debugDescription, dumped] {
                #expect(!text.contains("hunter2") && !text.contains("secret"), "\(text)")
                #expect(!text.isEmpty)
            }
        }
    }
}
