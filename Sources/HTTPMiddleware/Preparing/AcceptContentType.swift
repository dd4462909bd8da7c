public import HTTPCore
public import HTTPFormats

/// A middleware that asks for a media type and refuses a response of another type (RFC 9110
/// §12.5.1).
///
/// If the request already has an `Accept` field, that field stays, and the response is compared
/// with it. Only responses with a successful status and a body are compared: what an error response
/// says is worth more than its type.
///
/// Runs per call (row 1).
public struct AcceptContentType: HTTPRequestInterceptor, HTTPResponseInterceptor {
    private let accept: Accept

    /// Creates a layer that asks for these types where a request has no `Accept`: JSON by default.
    public init(_ accept: Accept = Accept(.json)) { self.accept = accept }

    public func process(request: inout HTTPRequest) async throws {
        guard !request.headers.contains(.accept) else { return }
        try request.headers.set(.accept, accept.description)
    }

    /// - Throws: `unexpectedContentType`, which contains the response's head and the beginning of
    ///   its body, if the media type does not match. Content without a type that can be parsed is
    ///   accepted if any type is, by `*/*`.
    public func process(response: inout HTTPResponse) async throws {
        let request = response.originalRequest
        guard response.status.isSuccessful, response.status != .noContent,
            response.status != .resetContent, request.method != .head,
            response.body.length != 0,
            let asked = request.headers.accept
        else { return }
        let mediaType = response.headers[.contentType].flatMap { MediaType($0) }
        guard (mediaType.map(asked.quality) ?? asked.qualityOfUntyped) == .zero else { return }
        let found = mediaType.map { "\($0.essence.logSafe)" } ?? "of no type"
        throw HTTPError(
            .unexpectedContentType,
            "the response is \(found), and \(asked.description.logSafe) was asked for",
            mayHaveReachedServer: true, response: response.head
        ).ending(response).keeping(bodyPrefix: try await response.errorBody())
    }
}
