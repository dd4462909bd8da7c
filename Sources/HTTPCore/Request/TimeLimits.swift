/// The time limits of one exchange, with all defaults applied; `nil` means no limit.
///
/// Each transport enforces them with the clock that it has: `Transfer+Limits` in the curl
/// transport, `ExchangeLimits` in the other one. The curl transport compares integers after each
/// turn of its loop, leaves connecting to libcurl, and does not count the time in which it is
/// itself the slow side. URLSession gives few signs of what it does, so that transport also has to
/// infer that connecting is over, and cannot limit TLS.
package struct TimeLimits: Equatable, Sendable {
    package var connect: Duration?
    package var tls: Duration?
    package var responseHead: Duration?
    package var idle: Duration?
    package var total: Duration?
    /// The time that is left of the call's deadline when the exchange is submitted.
    package var deadline: Duration?
    /// The time that the deadline was set to, which the error names.
    private let deadlineLimit: Duration?

    /// Creates the limits of an exchange.
    ///
    /// A limit of the request comes first. Where the request says "standard", the limit is the
    /// session's. With a deadline, there are no standard limits.
    package init(
        _ request: HTTPTimeouts, session: HTTPTimeouts, timeLeft: Duration?,
        deadlineLimit: Duration? = nil
    ) {
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
        tls = resolve(request.tls, session.tls, nil)
        responseHead = resolve(request.responseHead, session.responseHead, nil)
        idle = resolve(request.idle, session.idle, .seconds(60))
        total = resolve(request.total, session.total, nil)
        deadline = timeLeft
        self.deadlineLimit = deadlineLimit
    }

    package init(_ request: HTTPRequest, session: HTTPTimeouts) {
        self.init(
            request.timeouts, session: session, timeLeft: request.timeLeft,
            deadlineLimit: request.deadlineLimit)
    }

    /// Returns the error that ends an exchange whose limit has passed.
    package func timedOut(
        _ name: HTTPError.Timer.Name, phase: HTTPError.Phase, mayHaveReachedServer: Bool
    ) -> HTTPError {
        let limit =
            switch name {
            case .connect: connect
            case .tls: tls
            case .responseHead: responseHead
            case .idle: idle
            case .total: total
            case .deadline: deadlineLimit ?? deadline
            }
        let timer = HTTPError.Timer(name, max(.zero, limit ?? .zero))
        return HTTPError(
            .timedOut, timer.sentence, phase: phase, timer: timer,
            isRetryable: name != .deadline, mayHaveReachedServer: mayHaveReachedServer)
    }
}

extension HTTPError.Timer {
    /// The sentence for the error of an exchange or a call that the limit has ended: what has
    /// happened, and what to do about it.
    var sentence: String {
        let time = limit.readable
        return switch name {
        case .connect:
            "no connection was made within \(time): check that the server can be reached, or raise "
                + "timeouts.connect"
        case .tls:
            "the TLS handshake did not end within \(time): check the server, or raise timeouts.tls"
        case .responseHead:
            "the head of the response did not come within \(time) of the request: raise "
                + "timeouts.responseHead if the server may take longer"
        case .idle:
            "nothing was sent or received for \(time): raise timeouts.idle if the server may be "
                + "silent for longer"
        case .total:
            "the exchange did not end within \(time): raise timeouts.total if it may take longer"
        case .deadline where limit <= .zero: "the call's deadline had passed before the call began"
        case .deadline:
            "the call did not end within its deadline of \(time): give it more time, or see in its "
                + "timeline what took long"
        }
    }
}
