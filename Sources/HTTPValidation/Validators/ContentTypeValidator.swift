import HTTPCore
public import HTTPFormats
public import HTTPRetry

/// A validator that accepts content of the types that the request asked for. Failures, and
/// responses that are not successful, pass.
///
/// Parameters do not matter, and of weights only zero, which means never (`Accept.quality(of:)`).
/// Content without a type is accepted if any type is, by `*/*`. A response without content passes.
public struct ContentTypeValidator: HTTPValidator {
    private let ranges: [MediaRange]?

    /// Creates a rule for the types of the request's `Accept` as it was sent. Without a valid one,
    /// any type is accepted.
    public init() { ranges = nil }

    /// Creates a rule for these types, whatever the request says.
    public init(_ ranges: MediaRange...) { self.ranges = ranges }

    public func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict {
        guard case .success(let response) = outcome, response.status.isSuccessful,
            response.mayHaveContent, !response.body.isEmpty,
            let accept = ranges.map({ Accept($0.map { Weighted($0) }) })
                ?? response.originalRequest.headers.accept,
            ranges != nil || !accept.ranges.isEmpty
        else { return .next }
        let type = response.headers.contentType
        let quality = type.map(accept.quality) ?? accept.qualityOfUntyped
        guard quality == .zero else { return .next }
        let fault = type.map { "is of type \($0.essence.logSafe)" } ?? "has no type"
        return .fail(.unexpectedContentType(fault, response))
    }
}

extension Error where Self == HTTPError {
    fileprivate static func unexpectedContentType(
        _ fault: String, _ response: HTTPResponse
    ) -> HTTPError {
        HTTPError(
            .unexpectedContentType, "the content \(fault), which the request does not accept",
            mayHaveReachedServer: true, response: response.head)
    }
}
