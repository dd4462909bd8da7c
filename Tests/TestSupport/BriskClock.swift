package import HTTPCore
import HTTPTesting
package import PortableFoundation

/// A clock on which a wait of at most ten seconds, such as one before a retry, ends at once. A
/// longer wait is a limit that no test reaches, and lasts until it is cancelled.
package final class BriskClock: HTTPClock {
    private let time = HTTPTestClock()
    private let kept = Locked([Duration]())

    package init() {}

    /// The waits that have ended, in the order in which they began.
    package var waits: [Duration] { kept.withLock { $0 } }
    package var now: HTTPInstant { time.now }
    package var date: Date { time.date }

    package func sleep(until deadline: HTTPInstant) async throws {
        let wait = deadline - now
        guard wait <= .seconds(10) else { return try await time.sleep(until: deadline) }
        try Task.checkCancellation()
        guard wait > .zero else { return }
        kept.withLock { $0.append(wait) }
        time.advance(to: deadline)
    }
}
