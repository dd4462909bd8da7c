import HTTPCore

/// Decides when a jar's changes are written: after a quiet moment, but no later than some time
/// after the first of them.
struct SaveSchedule: Sendable {
    static let quietTime = Duration.seconds(1)
    static let longestDelay = Duration.seconds(10)

    private var unsaved: (first: HTTPInstant, last: HTTPInstant)?

    mutating func noteChange(at now: HTTPInstant) {
        unsaved = (unsaved?.first ?? now, now)
    }

    mutating func noteSave() { unsaved = nil }

    /// The instant of the next save; `nil` if there is nothing to save.
    var due: HTTPInstant? {
        unsaved.map { min($0.last + Self.quietTime, $0.first + Self.longestDelay) }
    }
}
