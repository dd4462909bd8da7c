import HTTPCore

/// What the steps work with.
struct Visit: Sendable {
    let session: any HTTPSession
    /// Without a slash at the end.
    let base: String
    /// For lines that tell of progress.
    let transport: String

    func request(_ method: HTTPMethod = .get, _ target: String) throws(HTTPError) -> HTTPRequest {
        try HTTPRequest(method, base + target)
    }
}

/// A request or two, and the one outcome that is right.
struct TourStep: Sendable {
    /// What happened, in words that do not depend on the transport, and the bytes of body received.
    typealias Outcome = (text: String, bytes: Int64)

    let title: String
    let expected: String
    /// In seconds: outside of it, the outcome says so.
    var time: ClosedRange<Double> = 0...60
    let action: @Sendable (Visit) async throws -> Outcome

    /// Runs the step. An error is an outcome too, for some steps the right one.
    func run(_ visit: Visit) async -> StepResult {
        let clock = ContinuousClock()
        let start = clock.now
        var outcome: Outcome
        var details = ""
        do {
            outcome = try await action(visit)
        } catch {
            outcome = (Self.text(of: error), 0)
            details = "\n  \(error)"
        }
        let seconds = (clock.now - start) / .seconds(1)
        if seconds < time.lowerBound { outcome.text += ", too early" }
        if seconds > time.upperBound { outcome.text += ", too late" }
        if outcome.text != expected {
            StandardStreams.tell("\(visit.transport): \(title): \(outcome.text)\(details)")
        }
        return StepResult(outcome: outcome.text, seconds: seconds, bytes: outcome.bytes)
    }

    static func text(of error: any Error) -> String {
        switch error {
        case let error as HTTPError:
            error.code.rawValue + (error.timer.map { ", \($0.name.rawValue)" } ?? "")
        case is CancellationError: "cancelled"
        default: "\(type(of: error)): \(error)"
        }
    }
}
