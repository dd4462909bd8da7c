public import HTTPCore
public import PortableFoundation

/// The time after which to send again (RFC 9110 §10.2.3).
public enum RetryAfter: Hashable, Sendable, CustomStringConvertible {
    /// A wait, counted from the response.
    case delay(Duration)
    /// A date to wait for.
    case date(HTTPDate)

    /// Reads seconds, at most 2³¹, or a date in any of the three forms. Returns `nil` for any other
    /// text. Parts of a second, which some servers send, are rounded up.
    ///
    /// - Parameter now: The current date; used for a two-digit year only.
    package init?(_ text: String, now: Date) {
        let text = text.trimmingBlanks
        if let delay = Self.seconds(text) {
            self = .delay(delay)
        } else if let date = HTTPDate(text, now: now) {
            self = .date(date)
        } else {
            return nil
        }
    }

    private static func seconds(_ text: String) -> Duration? {
        guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else {
            return text.deltaSeconds
        }
        let fraction = text.utf8[text.utf8.index(after: point)...]
        guard let whole = String(text[..<point]).deltaSeconds, !fraction.isEmpty,
            fraction.allSatisfy(\.isASCIIDigit)
        else { return nil }
        let isWhole = fraction.allSatisfy { $0 == UInt8(ascii: "0") }
        return isWhole ? whole : whole + .seconds(1)
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
    ///
    /// A date in it is one of the server's clock, which may differ from that of this machine.
    public func retryAfter(now: Date) -> RetryAfter? {
        self[.retryAfter].flatMap { RetryAfter($0, now: now) }
    }

    /// Returns the wait that `Retry-After` asks for, counted from the arrival of the response. A
    /// date is compared with ``serverDate(now:)``.
    package func retryDelay(now: Date) -> Duration? {
        guard contains(.retryAfter) else { return nil }
        return retryAfter(now: now)?.delay(from: serverDate(now: now))
    }

    /// Returns what the server's clock showed when the response arrived: its `Date`, with the `Age`
    /// that a cache reports, or `now` if there is no such date.
    ///
    /// Every date of a response that says how long to wait is compared with this one. The clocks of
    /// the server and of this machine may differ by any time, and the wait is then still right.
    package func serverDate(now: Date) -> Date {
        guard let text = self[.date], let date = HTTPDate(text.trimmingBlanks, now: now) else {
            return now
        }
        let age = self[.age]?.trimmingBlanks.deltaSeconds ?? .zero
        return date.date.addingTimeInterval(age.inSeconds)
    }
}
