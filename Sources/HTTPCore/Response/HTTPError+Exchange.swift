public import PortableFoundation

// Errors that end the exchange of a request or a response.
extension HTTPError {
    /// Returns the same error with the exchange that it ended. Called by transports. A request that
    /// has a response has reached the server.
    ///
    /// - Parameters:
    ///   - request: The request of the exchange. Its method is kept, and its URL without user
    ///     information, query and fragment.
    ///   - attempt: The number of the exchange in its call, from 1.
    ///   - elapsed: The time since the exchange was submitted.
    ///   - timeline: The exchanges of the call so far.
    ///   - response: The head of the response, if one has come.
    ///   - body: The bytes of the body that have been read.
    public func ending(
        _ request: HTTPRequest, attempt: Int? = nil, elapsed: Duration? = nil,
        timeline: HTTPTimeline? = nil, response: HTTPResponse.Head? = nil, body: Data? = nil
    ) -> Self {
        ending(
            request.url, method: request.method, attempt: attempt, elapsed: elapsed,
            timeline: timeline, response: response, body: body)
    }

    /// Returns the same error with the exchange of a response, and with the reasons for which
    /// layers have handed it back.
    package func ending(
        _ response: HTTPResponse, attempt: Int? = nil, timeline: HTTPTimeline? = nil,
        head: HTTPResponse.Head? = nil, body: Data? = nil
    ) -> Self {
        let error = with { $0.phase = $0.phase ?? .receiving }.ending(
            response.url, method: response.requestMethod, attempt: attempt, timeline: timeline,
            response: head, body: body)
        return response.reasons.filter { !message.contains($0) }.reduce(error) { $0.noting($1) }
    }

    /// Returns the same error with the method and the URL of a request, if it has none yet. An
    /// error of a later hop, to another URL, stays as it is.
    package func naming(_ request: HTTPRequest) -> Self { naming(request.method, request.url) }

    /// Returns the same error with the method and the URL of a response, if it has none yet.
    package func naming(_ response: HTTPResponse) -> Self {
        naming(response.requestMethod, response.url)
    }

    /// Returns the same error for a body of `response` that could not be read, with the request
    /// and the head, and with no more bytes than the request wants errors to keep.
    package func reading(_ response: HTTPResponse) -> Self {
        let limit = max(0, response.originalRequest.errorBodyLimit)
        return with {
            $0.response = $0.response ?? response.head
            $0.mayHaveReachedServer = true
            if let prefix = $0.bodyPrefix, prefix.count > limit {
                $0.bodyPrefix = Data(Array(prefix.prefix(limit)))
            }
        }.naming(response)
    }
}
