import HTTPCore
import HTTPRetry

/// Decides when an event source connects again, and what ends it (HTML Standard §9.2.3).
///
/// Takes no clock and sends nothing.
struct EventSourceMachine {
    enum Step: Equatable {
        case wait(Duration)
        case end
        /// With what ended the connection.
        case fail
    }

    let reconnects: Bool
    let maxFailures: Int
    let longestWait: Duration
    /// Of the request itself, and so of all connections together.
    let hasDeadline: Bool
    private(set) var lastEventID: String
    private(set) var reconnectionTime: Duration
    /// Connections in a row that brought no event stream.
    private(set) var failures = 0

    init(_ options: HTTPEventSourceOptions, for request: HTTPRequest) {
        switch options.reconnection {
        case .safeMethods: reconnects = request.method.isSafe
        case .always: reconnects = true
        case .never: reconnects = false
        }
        maxFailures = options.maxFailures
        longestWait = options.longestWait
        hasDeadline = request.deadline != nil
        lastEventID = options.lastEventID
        reconnectionTime = options.reconnectionTime
    }

    mutating func opened() { failures = 0 }

    mutating func received(lastEventID: String, reconnectionTime: Duration?) {
        self.lastEventID = lastEventID
        self.reconnectionTime = reconnectionTime ?? self.reconnectionTime
    }

    /// The stream came to its end, which is no failure: servers that want to be asked again close.
    func ended() -> Step { reconnects ? .wait(wait) : .end }

    /// The stream broke.
    func broke(_ error: HTTPError) -> Step {
        reconnects && mayEndOtherwise(error) ? .wait(wait) : .fail
    }

    /// There was no response, or none that is an event stream.
    mutating func didNotOpen(_ error: HTTPError) -> Step {
        guard reconnects, mayEndOtherwise(error), error.response == nil, failures < maxFailures
        else {
            return .fail
        }
        failures += 1
        return .wait(wait)
    }

    /// Doubles with each failure, so that a server that comes back is not met by all at once.
    private var wait: Duration {
        let base = min(max(.zero, reconnectionTime), longestWait)
        return Backoff(base: base, cap: longestWait, jitter: .none)
            .delay(beforeRetry: max(0, failures - 1))
    }

    /// A deadline that is not the request's is a session's for one call, and so for one connection.
    private func mayEndOtherwise(_ error: HTTPError) -> Bool {
        error.timer?.name == .deadline ? !hasDeadline : error.isRetryable
    }
}
