/// A source whose bytes come from a writer, which learns why no more of them are sent.
package protocol WrittenSource: HTTPBodySource {
    /// Notes that a transport is going to read the body.
    func willBeRead()

    /// Notes that an exchange has ended without reading the body. Another one may read it.
    func leave(because reason: HTTPError)

    /// Ends the body unless it has been read to its end, and gives the writer the reason.
    func end(because reason: HTTPError)
}

extension HTTPBody {
    /// Notes that the body will be read, for a transport that reads it in another task.
    package func willBeRead() { writtenSource?.willBeRead() }

    /// Tells the writer of a body that is being sent why no more of it is sent. Called by
    /// transports. A body that was not read yet may be sent by another attempt, and does not end
    /// before the call has its response.
    package func endWriting(because reason: @autoclosure () -> HTTPError) {
        guard let source = writtenSource else { return }
        if canBeSent { source.leave(because: reason()) } else { source.end(because: reason()) }
    }

    package var writtenSource: (any WrittenSource)? { streamSource as? any WrittenSource }
}

/// `true` if the response must be readable before the request's body has ended. A transport that
/// reads a body to its end before it sends refuses such a request.
package enum NeedsDuplex: HTTPRequestOption {
    package static var defaultValue: Bool { false }
}

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
