import HTTPCore

/// How often what goes wrong, and by which dice: what a ``FaultSession`` goes by.
///
/// What happens to a request depends on the seed, the method, the URL, and how often they were sent
/// before; not on what other tasks do meanwhile. So a run that failed can be run again.
///
/// ```swift
/// var plan = FaultPlan(seed: 7)
/// plan.unanswered = 0.1  // one request of ten
/// plan.latency = .milliseconds(5)...(.milliseconds(50))
/// ```
public struct FaultPlan: Hashable, Sendable {
    public var seed: UInt64
    /// How long a request waits before it is sent.
    public var latency: ClosedRange<Duration> = .zero ... .zero

    // Of 0...1; one request has one fault at most.

    /// The chance that a request fails before it is sent: `cannotConnect`.
    public var unsent = 0.0
    /// The chance that a request is sent and its response lost: `connectionLost`.
    public var unanswered = 0.0
    /// The chance that a response's body breaks off: `bodyIncomplete`. An empty body cannot.
    public var truncated = 0.0
    /// The chance that a request reaches the server twice, of which the second answer counts. A
    /// one-shot body goes once.
    public var duplicated = 0.0

    public init(seed: UInt64) { self.seed = seed }
}

/// What a ``FaultSession`` does to one request.
public struct Fault: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case unsent, unanswered, duplicated
        /// - Parameter fraction: how much of the body passes, of 0..<1; of the first piece, where the
        ///   length is not known.
        case truncated(fraction: Double)
    }

    public var latency: Duration
    /// `nil` for none.
    public var kind: Kind?
}

extension FaultPlan {
    /// What happens to the request that `key` stands for, `number` times after the first.
    func fault(for key: String, number: Int) -> Fault {
        var dice = FaultDice(seed: seed, key: key.utf8, number: number)
        let span = latency.upperBound.subtracting(latency.lowerBound)
        // Both drawn always, so that one setting does not change what another one does.
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
