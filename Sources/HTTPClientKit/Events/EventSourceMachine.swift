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
    /// The identifier of the stream's last event, whatever it is.
    private(set) var lastEventID: String
    /// The last identifier that can be sent as `Last-Event-ID`.
    private(set) var resumptionID: String
    private(set) var reconnectionTime: Duration
    /// `true` once a connection has brought an event stream.
    private var hasOpened = false
    /// The number of connections in a row that brought no event stream.
    private(set) var failures = 0

    /// The shortest wait that a server can set: with less, all its clients would ask without a
    /// pause.
    static let shortestWait = Duration.milliseconds(500)
    /// The length of the longest identifier that is sent, in bytes. Servers limit the fields of a
    /// request, many to 8 KiB.
    static let longestID = 4 << 10
    /// The statuses that say that the server, or the way to it, is away for a while.
    private static let temporary: Set<HTTPStatus> = [
        .tooManyRequests, .badGateway, .serviceUnavailable, .gatewayTimeout,
    ]

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
        resumptionID = options.lastEventID
        reconnectionTime = options.reconnectionTime
    }

    mutating func opened() {
        hasOpened = true
        failures = 0
    }

    /// Takes what the stream says. An identifier that no field can hold, or that is too long to be
    /// sent, leaves the one before it: the server then repeats events, and none is lost.
    mutating func received(lastEventID: String, reconnectionTime: Duration?) {
        if lastEventID != self.lastEventID {
            self.lastEventID = lastEventID
            if let id = Self.fieldValue(lastEventID) { resumptionID = id }
        }
        if let reconnectionTime {
            self.reconnectionTime = max(reconnectionTime, Self.shortestWait)
        }
    }

    /// Returns an identifier as the value of a field, without blanks around it, as browsers send
    /// it; `nil` if it cannot be sent.
    private static func fieldValue(_ id: String) -> String? {
        guard id.utf8.count <= longestID else { return nil }
        let value = id.trimmingBlanks
        return value.utf8.allSatisfy(\.isFieldValueCharacter) ? value : nil
    }

    /// Handles the end of the stream. It is no failure: servers close the connection to be asked
    /// again.
    func ended() -> Step { reconnects ? .wait(wait) : .end }

    /// Handles a stream that broke.
    func broke(_ error: HTTPError) -> Step {
        reconnects && mayEndOtherwise(error) ? .wait(wait) : .fail
    }

    /// Handles a connection without a response, or with a response that is no event stream. A
    /// stream that was open before also survives a server that is away for a while.
    ///
    /// - Parameter retryAfter: The time that the response asks to wait, if it does.
    mutating func didNotOpen(_ error: HTTPError, retryAfter: Duration? = nil) -> Step {
        let mayOpen =
            error.response.map { hasOpened && Self.temporary.contains($0.status) }
            ?? mayEndOtherwise(error)
        guard reconnects, mayOpen, failures < maxFailures else { return .fail }
        failures += 1
        return .wait(
            max(wait, ServerTime(retryAfter ?? .zero, atMost: longestWait).granted))
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
