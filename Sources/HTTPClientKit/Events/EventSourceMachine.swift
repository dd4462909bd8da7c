import HTTPCore
import HTTPRetry

/// Decides when an event source connects again, and what ends it (HTML Standard §9.2.3).
///
/// It reads no clock and sends nothing.
struct EventSourceMachine {
    enum Step: Equatable {
        case wait(Duration)
        case end
        /// Fails with the error that ended the connection.
        case fail
    }

    let reconnects: Bool
    let maxFailures: Int
    let longestWait: Duration
    /// `true` if the request itself has a deadline, which then limits all connections together.
    let hasDeadline: Bool
    private(set) var lastEventID: String
    private(set) var reconnectionTime: Duration
    /// The number of connections in a row that brought no event stream.
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

    /// Handles the end of the stream. It is no failure: servers close the connection to be asked
    /// again.
    func ended() -> Step { reconnects ? .wait(wait) : .end }

    /// Handles a stream that broke.
    func broke(_ error: HTTPError) -> Step {
        reconnects && mayEndOtherwise(error) ? .wait(wait) : .fail
    }

    /// Handles a connection without a response, or with a response that is no event stream.
    mutating func didNotOpen(_ error: HTTPError) -> Step {
        guard reconnects, mayEndOtherwise(error), error.response == nil, failures < maxFailures
        else {
            return .fail
        }
        failures += 1
        return .wait(wait)
    }

    /// The wait before the next connection. It doubles with each failure, so that not all clients
    /// return to a restarted server at once.
    private var wait: Duration {
        let base = ServerTime(reconnectionTime, atMost: longestWait).granted
        return Backoff(base: base, cap: longestWait, jitter: .none)
            .delay(beforeRetry: max(0, failures - 1))
    }

    /// Returns `true` if another connection may end differently. A deadline that is not the
    /// request's is set by a session for one call, and so for one connection.
    private func mayEndOtherwise(_ error: HTTPError) -> Bool {
        error.timer?.name == .deadline ? !hasDeadline : error.isRetryable
    }
}
