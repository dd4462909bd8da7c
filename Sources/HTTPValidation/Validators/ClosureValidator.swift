public import HTTPCore
public import HTTPRetry

/// A validator that judges responses with a closure. Failures pass.
public struct ClosureValidator: HTTPValidator {
    /// A closure that returns the verdict about a response. An error that it throws becomes
    /// `validationFailed`.
    public typealias Judge =
        @Sendable (_ response: HTTPResponse, _ attempt: RetryAttempt) async throws -> HTTPVerdict

    public let bodyLimit: Int?
    private let judge: Judge

    /// - Parameters:
    ///   - bodyLimit: The limit in bytes for a closure that reads the body. The closure is then not
    ///     called for a response that the caller streams.
    ///   - judge: The closure that returns the verdict.
    public init(bodyLimit: Int? = nil, _ judge: @escaping Judge) {
        self.bodyLimit = bodyLimit
        self.judge = judge
    }

    public func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict {
        guard case .success(let response) = outcome,
            bodyLimit == nil || response.body.bytes != nil
        else { return .next }
        return try await judge(response, attempt)
    }
}
