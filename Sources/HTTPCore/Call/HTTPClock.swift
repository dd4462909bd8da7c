#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A moment on an ``HTTPClock``, which only that clock can relate to any other.
///
/// A type of ours because the instants of an `any Clock` can neither be compared nor stored.
public struct HTTPInstant: Comparable, Hashable, Sendable {
    /// Time since the clock's own start, which is arbitrary.
    public var sinceStart: Duration

    public init(sinceStart: Duration) { self.sinceStart = sinceStart }

    /// Stops at the latest and the earliest instant there are, 292 thousand million years away.
    public func advanced(by duration: Duration) -> Self {
        Self(sinceStart: sinceStart.adding(duration))
    }

    /// Negative when `other` is the earlier one.
    public func duration(to other: Self) -> Duration { other.sinceStart.subtracting(sinceStart) }

    public static func < (a: Self, b: Self) -> Bool { a.sinceStart < b.sinceStart }
    public static func + (a: Self, b: Duration) -> Self { a.advanced(by: b) }
    public static func - (a: Self, b: Self) -> Duration { b.duration(to: a) }
}

/// The time that policies read: every wait, expiry, age and deadline above a transport.
///
/// Transports run on real time; they are given a deadline as the time left on this clock.
public protocol HTTPClock: Sendable {
    /// Never goes backwards, whatever happens to the calendar.
    var now: HTTPInstant { get }

    /// The calendar's date, for `Date`, `Expires`, cookies and the like.
    var date: Date { get }

    /// Returns once `now` has reached `deadline`.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    func sleep(until deadline: HTTPInstant) async throws
}

extension HTTPClock {
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}

/// Real time: a clock that goes on while the machine sleeps, and the calendar. A sleep that is
/// cancelled leaves nothing behind.
public struct HTTPSystemClock: HTTPClock {
    static let start = ContinuousClock().now

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
    public static var system: HTTPSystemClock { HTTPSystemClock() }
}
