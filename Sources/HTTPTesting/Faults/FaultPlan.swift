import HTTPCore

/// The chances of faults in a ``FaultSession``, and the seed from which it draws them.
///
/// The fault of a request depends on the seed, the method, the URL, and the number of earlier
/// requests with the same method and URL. It does not depend on other tasks, so a run that failed
/// can be repeated.
///
/// ```swift
/// var plan = FaultPlan(seed: 7)
/// plan.unanswered = 0.1  // one request of ten
/// plan.latency = .milliseconds(5)...(.milliseconds(50))
/// ```
public struct FaultPlan: Hashable, Sendable {
    /// The seed of the faults. The same seed gives the same faults.
    public var seed: UInt64
    /// The range of the delay before a request is sent.
    public var latency: ClosedRange<Duration> = .zero ... .zero

    // Chances from 0 to 1. A request has at most one fault.

    /// The chance that a request fails before it is sent: `cannotConnect`.
    public var unsent = 0.0
    /// The chance that a request is sent and its response lost: `connectionLost`.
    public var unanswered = 0.0
    /// The chance that a response's body breaks off: `bodyIncomplete`. An empty body never does.
    public var truncated = 0.0
    /// The chance that a request is sent twice, and the second response returned. A request with a
    /// one-shot body is sent once.
    public var duplicated = 0.0

    /// Creates a plan without faults, to be completed.
    public init(seed: UInt64) { self.seed = seed }
}

/// The effect of a ``FaultSession`` on one request.
public struct Fault: Hashable, Sendable {
    /// The kinds of faults.
    public enum Kind: Hashable, Sendable {
        /// The request fails before it is sent.
        case unsent
        /// The request is sent, and its response is lost.
        case unanswered
        /// The request is sent twice, and the second response is returned.
        case duplicated
        /// - Parameter fraction: the part of the body that passes, in `0..<1`. If the length is not
        ///   known, this is the part of the first piece.
        case truncated(fraction: Double)
    }

    /// The delay before the request is sent.
    public var latency: Duration
    /// The fault, or `nil` if there is none.
    public var kind: Kind?
}

extension FaultPlan {
    /// Returns the fault of the request that `key` identifies, after `number` earlier ones.
    func fault(for key: String, number: Int) -> Fault {
        var dice = SeededRandom(seed, key: key.utf8, number: number)
        let span = latency.upperBound.subtracting(latency.lowerBound)
        // All values are always drawn, so that one setting does not change the effect of another.
        let wait = latency.lowerBound.adding(span.scaled(by: dice.fraction()))
        var draw = dice.fraction()
        let fraction = dice.fraction()
        let chances: [(Double, Fault.Kind)] = [
            (unsent, .unsent), (unanswered, .unanswered),
            (truncated, .truncated(fraction: fraction)), (duplicated, .duplicated),
        ]
        for (chance, kind) in chances {
            if draw < chance { return Fault(latency: wait, kind: kind) }
            draw -= max(0, chance)
        }
        return Fault(latency: wait, kind: nil)
    }
}
