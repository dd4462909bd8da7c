public import PortableFoundation

/// A moment on an ``HTTPClock``. Only instants of the same clock can be compared.
///
/// The package has its own type because the instants of an `any Clock` can neither be compared nor
/// stored.
public struct HTTPInstant: Comparable, Hashable, Sendable {
    /// The time since the clock's own start, which is arbitrary.
    public var sinceStart: Duration

    /// Creates an instant so long after the start of its clock.
    public init(sinceStart: Duration) { self.sinceStart = sinceStart }

    /// Returns the instant after `duration`, limited to the earliest and the latest instant, which
    /// are 292 thousand million years away.
    public func advanced(by duration: Duration) -> Self {
        Self(sinceStart: sinceStart.adding(duration))
    }

    /// Returns the time from this instant to `other`. It is negative if `other` is earlier.
    public func duration(to other: Self) -> Duration { other.sinceStart.subtracting(sinceStart) }

    public static func < (a: Self, b: Self) -> Bool { a.sinceStart < b.sinceStart }
    /// Returns the instant `b` after `a`.
    public static func + (a: Self, b: Duration) -> Self { a.advanced(by: b) }
    /// Returns the time from `b` to `a`.
    public static func - (a: Self, b: Self) -> Duration { b.duration(to: a) }
}

/// The time source of policies, for every wait, expiry, age and deadline above a transport.
///
/// Transports run on real time. They receive a deadline as the time left on this clock.
public protocol HTTPClock: Sendable {
    /// The current instant. It never goes backwards, even if the date is changed.
    var now: HTTPInstant { get }

    /// The current date, for `Date`, `Expires`, cookies and similar fields.
    var date: Date { get }

    /// Waits until `now` has reached `deadline`.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    func sleep(until deadline: HTTPInstant) async throws
}

extension HTTPClock {
    /// Waits for a duration. Throws `CancellationError` if the task is cancelled meanwhile.
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}

/// Real time: a clock that continues while the machine sleeps, and the current date. A cancelled
/// sleep leaves nothing behind.
public struct HTTPSystemClock: HTTPClock {
    static let start = ContinuousClock().now

    /// Creates the clock; all such clocks are the same.
    public init() {}

    public var now: HTTPInstant {
        HTTPInstant(sinceStart: Self.start.duration(to: ContinuousClock().now))
    }

    public var date: Date { Date() }

    public func sleep(until deadline: HTTPInstant) async throws {
        try await Sleepers.shared.sleep(until: deadline, on: self)
    }
}

extension HTTPClock where Self == HTTPSystemClock {
    /// Real time.
    public static var system: HTTPSystemClock { HTTPSystemClock() }
}
