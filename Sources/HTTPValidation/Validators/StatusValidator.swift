public import HTTPCore
public import HTTPRetry

/// A validator that accepts some status codes. Failures pass. Without such a rule, or
/// ``HTTPDefaultValidator``, every status is accepted.
///
/// ```swift
/// Validation([.allowed(statusCodes: 200..<300)])
/// ```
public struct StatusValidator: HTTPValidator {
    private let isAllowed: @Sendable (Int) -> Bool

    /// Creates a validator that accepts the status codes for which `isAllowed` returns `true`.
    public init(_ isAllowed: @escaping @Sendable (_ code: Int) -> Bool) {
        self.isAllowed = isAllowed
    }

    public func accepts(_ status: HTTPStatus) -> Bool { isAllowed(status.code) }

    public func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict {
        guard case .success(let response) = outcome, !isAllowed(response.status.code) else {
            return .next
        }
        return .fail(HTTPError.unexpectedStatus(response.head))
    }
}

extension HTTPValidator where Self == StatusValidator {
    /// Accepts one status code.
    public static func allowed(statusCode: Int) -> Self { StatusValidator { $0 == statusCode } }

    /// Accepts the codes of a range: `200..<300`, `200...299`, `..<400`.
    public static func allowed(
        statusCodes range: some RangeExpression<Int> & Sendable
    ) -> Self {
        StatusValidator { range.contains($0) }
    }

    /// Accepts the listed status codes. An empty list accepts none.
    public static func allowed(statusCodes: Int...) -> Self { allowed(statusCodes: statusCodes) }

    /// Accepts the codes of a list. An empty list accepts nothing.
    public static func allowed(statusCodes: [Int]) -> Self {
        StatusValidator { statusCodes.contains($0) }
    }
}
