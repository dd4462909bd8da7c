import HTTPCore

/// A bar that keeps the fractions that it was shown.
final class ProgressBar: Sendable {
    private let fractions = Locked([Double]())

    var last: Double? { fractions.withLock { $0.last } }

    func show(_ fraction: Double?) {
        fractions.withLock { $0 += [fraction].compactMap(\.self) }
    }
}
