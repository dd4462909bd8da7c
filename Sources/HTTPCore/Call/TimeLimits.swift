/// The time limits of one exchange, with all defaults applied; `nil` means no limit.
///
/// Each transport enforces them with the clock that it has: `Transfer+Limits` in the curl
/// transport, `ExchangeLimits` in the other one. The curl transport compares integers after each
/// turn of its loop, leaves connecting to libcurl, and does not count the time in which it is
/// itself the slow side. URLSession gives few signs of what it does, so that transport also has to
/// infer that connecting is over.
package struct TimeLimits: Equatable, Sendable {
    package var connect: Duration?
    package var idle: Duration?
    package var total: Duration?
    /// The time that is left of the call's deadline when the exchange is submitted.
    package var deadline: Duration?

    /// Creates the limits of an exchange.
    ///
    /// A limit of the request comes first. Where the request says "standard", the limit is the
    /// session's. With a deadline, there are no standard limits.
    package init(_ request: HTTPTimeouts, session: HTTPTimeouts, timeLeft: Duration?) {
        func resolve(
            _ limit: HTTPTimeouts.Limit, _ own: HTTPTimeouts.Limit, _ standard: Duration?
        ) -> Duration? {
            switch (limit, own) {
            case (.never, _): nil
            case (.after(let duration), _): duration
            case (.standard, _) where timeLeft != nil: nil
            case (.standard, .never): nil
            case (.standard, .after(let duration)): duration
            case (.standard, .standard): standard
            }
        }
        connect = resolve(request.connect, session.connect, .seconds(10))
        idle = resolve(request.idle, session.idle, .seconds(60))
        total = resolve(request.total, session.total, nil)
        deadline = timeLeft
    }

    package init(_ request: HTTPRequest, session: HTTPTimeouts) {
        self.init(request.timeouts, session: session, timeLeft: request.timeLeft)
    }

    /// Returns the error that ends an exchange whose limit has passed.
    package func timedOut(
        _ name: HTTPError.Timer.Name, phase: HTTPError.Phase, mayHaveReachedServer: Bool
    ) -> HTTPError {
        let limit =
            switch name {
            case .connect: connect
            case .idle: idle
            case .total: total
            case .deadline: deadline
            }
        let what =
            switch name {
            case .connect: "the connection was not made in time"
            case .idle: "nothing was sent or received for too long"
            case .total: "the exchange took too long"
            case .deadline: "the call's deadline has passed"
            }
        return HTTPError(
            .timedOut, what, phase: phase, timer: HTTPError.Timer(name, limit ?? .zero),
            isRetryable: name != .deadline, mayHaveReachedServer: mayHaveReachedServer)
    }
}
