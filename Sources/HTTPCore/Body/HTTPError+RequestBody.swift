extension HTTPError {
    /// The error of a body that is longer than it declares.
    package static func requestBody(beyond declared: Int64) -> HTTPError {
        requestBodyFailed(
            "the request's body goes on beyond its declared length of \(declared) bytes")
    }

    /// The error of a body that is shorter than it declares.
    package static func requestBody(ending count: Int64, before declared: Int64) -> HTTPError {
        requestBodyFailed(
            "the request's body ended after \(count) of its declared \(declared) bytes")
    }

    /// The error of a body that its own side has ended.
    package static func requestBodyFailed(_ message: String) -> HTTPError {
        HTTPError(.requestBodyFailed, message, phase: .sending, mayHaveReachedServer: true)
    }

    /// The error of a write whose bytes are not sent.
    ///
    /// - Parameters:
    ///   - circumstance: The reason, as a clause.
    ///   - cause: The error that is the reason, if there is one.
    package static func requestBodyEnded(
        _ circumstance: String, response: HTTPResponse.Head? = nil,
        because cause: (any Error)? = nil
    ) -> HTTPError {
        let detail =
            switch cause {
            case let error as HTTPError: ": \(error.message)"
            case is CancellationError: ": it was cancelled"
            default: ""
            }
        return HTTPError(
            .requestBodyEnded,
            "no more of the request's body is sent, since \(circumstance)\(detail)",
            phase: .sending, mayHaveReachedServer: true, response: response, underlyingError: cause)
    }
}
