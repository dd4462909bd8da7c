import HTTPCore

/// The session and server that the steps use.
struct Visit: Sendable {
    let session: any HTTPSession
    /// The base URL, without a slash at the end.
    let base: String
    /// The transport's name, for progress lines.
    let transport: String

    func request(_ method: HTTPMethod = .get, _ target: String) throws(HTTPError) -> HTTPRequest {
        try HTTPRequest(method, base + target)
    }
}

/// A step of one or two requests with one expected outcome.
struct TourStep: Sendable {
    /// The outcome in words that do not depend on the transport, and the number of body bytes
    /// received.
    typealias Outcome = (text: String, bytes: Int64)

    let title: String
    let expected: String
    /// The allowed time in seconds. Outside it, the outcome says so.
    var time: ClosedRange<Double> = 0...60
    let action: @Sendable (Visit) async throws -> Outcome

    /// Runs the step. An error is also an outcome, and the expected one of some steps.
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
