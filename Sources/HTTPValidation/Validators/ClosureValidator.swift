public import HTTPCore
public import HTTPRetry

/// A validator that judges responses with a closure. Failures pass.
///
/// A closure that reads the body needs a limit:
///
/// ```swift
/// ClosureValidator(bodyLimit: 64 << 10) { response, _ in
///     let envelope = try await response.json(Envelope.self)
///     return envelope.isError ? .invalid("the service says: \(envelope.code)") : .next
/// }
/// ```
///
/// One that judges by the head needs none: `ClosureValidator { response, _ in … }`.
public struct ClosureValidator: HTTPValidator {
    /// A closure that returns the verdict about a response. An error that it throws becomes
    /// `validationFailed`.
    public typealias Judge =
        @Sendable (_ response: HTTPResponse, _ attempt: RetryAttempt) async throws -> HTTPVerdict

    public let bodyLimit: Int?
    private let judge: Judge

    /// - Parameters:
    ///   - bodyLimit: The limit in bytes for a closure that reads the body. The closure is then not
    ///     called for a response that the caller streams. Without a limit, the call fails with
    ///     `validationFailed` if the closure reads the body of a response that streams.
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
