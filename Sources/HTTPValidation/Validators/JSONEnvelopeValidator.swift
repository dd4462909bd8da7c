public import HTTPCore
public import HTTPFormats
public import HTTPRetry

/// A validator of the JSON that a service wraps its values in, such as `{"code": 0, "data": {…}}`.
///
/// A body that is no JSON is a failure (`decodingFailed`) unless the status is an error, which is
/// left to other validators. Failures, and responses that cannot have content, pass.
public struct JSONEnvelopeValidator: HTTPValidator {
    /// A closure that returns the verdict about the JSON of a body.
    public typealias Judge =
        @Sendable (_ envelope: HTTPJSON, _ attempt: RetryAttempt) async throws -> HTTPVerdict

    public let bodyLimit: Int?
    private let judge: Judge

    /// - Parameters:
    ///   - bodyLimit: The limit on the body, in bytes.
    ///   - judge: The closure that returns the verdict.
    public init(bodyLimit: Int = HTTPBody.defaultLimit, _ judge: @escaping Judge) {
        self.bodyLimit = bodyLimit
        self.judge = judge
    }

    public func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict {
        guard case .success(let response) = outcome, response.mayHaveContent,
            let bytes = response.body.bytes
        else { return .next }
        let envelope: HTTPJSON
        do {
            envelope = try HTTPJSON(parsing: bytes)
        } catch {
            guard !response.status.isError else { return .next }
            return .fail(
                HTTPError(
                    .decodingFailed, "the \(bytes.count) bytes of this response are no JSON",
                    mayHaveReachedServer: true, response: response.head, underlyingError: error))
        }
        return try await judge(envelope, attempt)
    }
}
