#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The time after which to send again (RFC 9110 §10.2.3).
public enum RetryAfter: Hashable, Sendable, CustomStringConvertible {
    /// A wait, counted from the response.
    case delay(Duration)
    /// A date to wait for.
    case date(HTTPDate)

    /// Reads whole seconds, at most 2³¹, or a date in any of the three forms. Returns `nil` for any
    /// other text.
    ///
    /// - Parameter now: The current date; used for a two-digit year only.
    package init?(_ text: String, now: Date) {
        let text = text.trimmingBlanks
        if let delay = text.deltaSeconds {
            self = .delay(delay)
        } else if let date = HTTPDate(text, now: now) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Returns the wait that begins at `now`. It is never negative, and zero for a date that is not
    /// in the future.
    public func delay(from now: Date) -> Duration {
        switch self {
        case .delay(let delay): max(.zero, delay)
        case .date(let date):
            // A `Date` may hold any number, but a `Duration` may not.
            switch date.date.timeIntervalSince(now) {
            case let wait where wait > 0: .seconds(min(wait, 1e12))
            default: .zero
            }
        }
    }

    public var description: String {
        switch self {
        case .delay(let delay):
            // Rounded up, so that no client returns too early.
            String(max(.zero, delay).adding(.seconds(1) - Duration(attoseconds: 1)).wholeSeconds)
        case .date(let date): date.description
        }
    }
}

extension HTTPHeaders {
    /// Returns the value of `Retry-After`, or `nil` if the field is absent or malformed (RFC 9110
    /// §10.2.3).
    public func retryAfter(now: Date) -> RetryAfter? {
        self[.retryAfter].flatMap { RetryAfter($0, now: now) }
    }
}
