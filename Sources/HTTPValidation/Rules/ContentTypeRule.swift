import HTTPCore
public import HTTPFormats
public import HTTPRetry

/// Accepts content of the types that the request asked for; failures, and responses that are not
/// successful, pass.
///
/// Parameters do not matter, weights only as far as zero means never (``Accept/quality(of:)``). Content
/// without a type is accepted where any type is, by `*/*`; a response without content passes.
public struct ContentTypeRule: HTTPValidator {
    private let ranges: [MediaRange]?

    /// What the request's own `Accept` says, as it was sent; any type without one that can be read.
    public init() { ranges = nil }

    /// These types, whatever the request says.
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
