public import HTTPCore
import HTTPRetry
import HTTPValidation
public import PortableFoundation

/// The meaning of a pipeline's failure: exactly one of eight.
///
/// A view of the error that ``HTTPPipeline/value()`` throws. The error itself has more details:
/// phase, timer, timeline.
public indirect enum HTTPPipelineFailure: Error {
    /// A retrier threw while it decided about `original`.
    case retrying(thrown: any Error, original: HTTPPipelineFailure)
    /// A retrier dropped the call with a reason.
    case dropped(reason: String, original: HTTPPipelineFailure)
    /// The adapter threw; nothing was sent.
    case adapting(HTTPRequest, thrown: any Error)
    /// The response's bytes could not be decoded.
    case decoding(Data, HTTPResponse.Head, thrown: any Error)
    /// A validator or a status rule does not accept the response.
    case invalid(reason: String, Data, HTTPResponse.Head)
    /// The server's reply is not HTTP.
    case notHTTP(HTTPError)
    /// No complete response arrived.
    case exchange(HTTPError)
    /// An error from a closure of ``HTTPPipeline/map(_:)``, or from a session that throws other
    /// errors.
    case other(any Error)

    /// Creates the view of an error that a pipeline has thrown. A failure is returned as it is.
    public init(_ error: any Error) {
        guard let error = error as? HTTPError else {
            self = error as? HTTPPipelineFailure ?? .other(error)
            return
        }
        switch (error.code, error.underlyingError, error.response) {
        case (.retryFailed, let failure as RetryFailure, _):
            self = .retrying(thrown: failure.thrown, original: Self(failure.original))
        case (.retryDropped, let original?, _):
            self = .dropped(reason: error.statement, original: Self(original))
        case (.adaptingFailed, let failure as AdaptingFailure, _):
            self = .adapting(failure.request, thrown: failure.thrown)
        case (.decodingFailed, let thrown, let head?):
            self = .decoding(error.bodyPrefix ?? Data(), head, thrown: thrown ?? error)
        case (.protocolViolation, _, _):
            self = .notHTTP(error)
        case (let code, _, let head?) where Self.verdicts.contains(code):
            self = .invalid(reason: error.statement, error.bodyPrefix ?? Data(), head)
        default:
            self = .exchange(error)
        }
    }

    /// Codes of responses that arrived completely and were not accepted.
    private static let verdicts: Set<HTTPError.Code> = [
        .validationFailed, .unexpectedStatus, .unexpectedContentType, .emptyResponse,
        .errorResponse, .digestMismatch,
    ]

    private init(_ end: RetryAttempt.End) {
        switch end {
        case .failure(let error): self.init(error)
        case .response(let head): self.init(HTTPError.unacceptedResponse(head))
        }
    }

    /// The status of the response, also of one that was retried, or that a retrier or an adapter
    /// received.
    public var status: HTTPStatus? {
        switch self {
        case .retrying(let thrown, let original): Self(thrown).status ?? original.status
        case .dropped(_, let original): original.status
        case .adapting(_, let thrown): Self(thrown).status
        case .decoding(_, let head, _), .invalid(_, _, let head): head.status
        case .exchange(let error): error.status
        case .notHTTP, .other: nil
        }
    }

    /// The original failure, inside any number of wrappers.
    public var first: HTTPPipelineFailure {
        switch self {
        case .retrying(_, let original), .dropped(_, let original): original.first
        default: self
        }
    }
}

extension HTTPError {
    /// A response that was retried without having failed.
    fileprivate static func unacceptedResponse(_ head: HTTPResponse.Head) -> HTTPError {
        HTTPError(
            .validationFailed, "the response \(head.status.code) was not accepted",
            mayHaveReachedServer: true, response: head)
    }
}

extension HTTPPipelineFailure: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// One line for a log, free of secrets: no bytes, and only the type of any other error.
    public var description: String {
        switch self {
        case .retrying(let thrown, let original):
            "the retry decision failed with \(Self.name(of: thrown)), after: \(original)"
        case .dropped(let reason, let original): "\(reason.escapingControls()), after: \(original)"
        case .adapting(let request, let thrown):
            "\(request) could not be adapted: \(Self.name(of: thrown))"
        case .decoding(let data, let head, let thrown):
            "the \(data.count) bytes of \(head) could not be decoded: \(Self.name(of: thrown))"
        case .invalid(let reason, _, let head):
            "\(head) is not accepted: \(reason.escapingControls())"
        case .notHTTP(let error), .exchange(let error): error.description
        case .other(let error): Self.name(of: error)
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    private static func name(of error: any Error) -> String {
        (error as? HTTPError)?.description ?? "\(type(of: error))"
    }
}

extension HTTPPipelineFailure: LocalizedError {
    public var errorDescription: String? { description }
}
