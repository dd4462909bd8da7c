import HTTPCore

/// The response of an exchange whose body is being written, and the tasks that wait for it.
final class DuplexArrival: Sendable {
    private struct State {
        var result: Result<HTTPResponse, any Error>?
        var isGivenUp = false
    }

    private let writer: HTTPBodyWriter
    private let settled = Gate()
    private let state = Locked(State())

    init(_ writer: HTTPBodyWriter) { self.writer = writer }

    /// Sends the request. If it fails, the writer gets the error, also if no transport has read the
    /// body.
    func settle(_ send: () async throws -> HTTPResponse) async {
        let result: Result<HTTPResponse, any Error>
        do { result = .success(try await send()) } catch { result = .failure(error) }
        let isGivenUp = state.withLock { state in
            state.result = result
            return state.isGivenUp
        }
        switch result {
        case .success(let response):
            if isGivenUp { response.body.abandon() }
            writer.willNotBeSentAgain()
            // A session may respond without the body, and keep it unread, as mocks do.
            response.body.whenEnded { [writer] _ in
                writer.endUnread(because: .requestBodyEnded("the response has ended without it"))
            }
        case .failure(let error):
            writer.end(because: .requestBodyEnded("the request has failed", because: error))
        }
        settled.open()
    }

    /// Returns the response, once there is one.
    ///
    /// - Throws: The error of the request, or `CancellationError` as soon as the calling task is
    ///   cancelled.
    func response() async throws -> HTTPResponse {
        try await settled.wait()
        return try result.get()
    }

    /// Returns the response or the error of the request, also if the calling task is cancelled.
    func outcome() async -> Result<HTTPResponse, any Error> {
        await settled.waitIgnoringCancellation()
        return result
    }

    private var result: Result<HTTPResponse, any Error> {
        state.withLock { $0.result } ?? .failure(CancellationError())
    }

    /// Ends both directions.
    func giveUp(because error: any Error) {
        writer.fail(error)
        let result = state.withLock { state in
            state.isGivenUp = true
            return state.result
        }
        if case .success(let response) = result { response.body.abandon() }
    }
}

/// A request until it is sent. A copy that is kept any longer would keep the body, and its writer
/// would not learn that the body is no longer read.
final class DuplexRequest: Sendable {
    private let request: Locked<HTTPRequest?>

    private init(_ request: HTTPRequest) { self.request = Locked(request) }

    /// Returns `request` with a body, and the writer of the body.
    static func make(
        _ request: HTTPRequest, length: Int64?
    ) throws(HTTPError) -> (DuplexRequest, HTTPBodyWriter) {
        guard request.body.isEmpty else {
            throw HTTPError(
                .invalidRequest, "withDuplex writes the body: remove the request's own body")
        }
        guard case .streamed = request.delivery else {
            throw HTTPError(
                .invalidRequest,
                "withDuplex reads the response while it arrives: set the delivery to .streamed")
        }
        guard length ?? 0 >= 0 else {
            throw HTTPError(.invalidRequest, "the length of a body cannot be negative")
        }
        var request = request
        let (body, writer) = HTTPBody.makeWritable(length: length)
        request.body = body
        request[NeedsDuplex.self] = true
        return (DuplexRequest(request), writer)
    }

    func take() throws -> HTTPRequest {
        guard let request = request.withLock({ $0.take() }) else { throw CancellationError() }
        return request
    }
}
