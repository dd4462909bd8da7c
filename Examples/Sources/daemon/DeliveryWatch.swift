import HTTPClientKit
import Synchronization

/// Observes one delivery and describes it in one line.
final class DeliveryWatch: HTTPObserver {
    private struct State {
        var attempts = 0
        var status: HTTPStatus?
        var begin: HTTPInstant?
        var end: HTTPInstant?
    }

    private let state = Mutex(State())

    func observe(_ event: HTTPEvent) {
        state.withLock { state in
            state.begin = state.begin ?? event.instant
            state.end = event.instant
            switch event.kind {
            case .sending:
                state.attempts += 1
                state.status = nil
            case .head(let head): state.status = head.status
            default: break
            }
        }
    }

    /// `delivery=17 outcome=delivered status=204 attempts=1 ms=3 to=https://hooks.example.com`
    ///
    /// The path and query are left out: for many services, they are the secret.
    func line(for delivery: Delivery, _ outcome: DeliveryOutcome) -> String {
        let state = state.withLock { $0 }
        var parts = ["delivery=\(delivery.number)"]
        switch outcome {
        case .delivered: parts.append("outcome=delivered")
        case .cancelled: parts.append("outcome=cancelled")
        case .failed(let error as HTTPError): parts.append("outcome=failed reason=\(error.code)")
        case .failed(let error): parts.append("outcome=failed reason=\(type(of: error))")
        }
        if let status = state.status { parts.append("status=\(status.code)") }
        parts.append("attempts=\(state.attempts)")
        if let begin = state.begin, let end = state.end {
            parts.append("ms=\(Int((end - begin) / .milliseconds(1)))")
        }
        if let origin = try? HTTPOrigin(delivery.url) { parts.append("to=\(origin)") }
        return parts.joined(separator: " ")
    }
}
