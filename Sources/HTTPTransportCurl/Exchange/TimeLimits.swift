import HTTPCore

/// The limits of one exchange, with all defaults applied; `nil` means no limit. They are enforced
/// in `Transfer+Limits.swift`.
struct TimeLimits: Equatable {
    var connect: Duration?
    var idle: Duration?
    var total: Duration?
    /// The time that is left of the call's deadline when the exchange is submitted.
    var deadline: Duration?

    init(_ request: HTTPRequest, _ defaults: HTTPTimeouts) {
        deadline = request.timeLeft
        let hasDeadline = deadline != nil
        func resolve(
            _ limit: HTTPTimeouts.Limit, _ configured: HTTPTimeouts.Limit, _ standard: Duration?
        ) -> Duration? {
            switch limit {
            case .never: return nil
            case .after(let duration): return duration
            case .standard where hasDeadline: return nil
            case .standard:
                switch configured {
                case .standard: return standard
                case .never: return nil
                case .after(let duration): return duration
                }
            }
        }
        let limits = request.timeouts
        connect = resolve(limits.connect, defaults.connect, .seconds(10))
        idle = resolve(limits.idle, defaults.idle, .seconds(60))
        total = resolve(limits.total, defaults.total, nil)
    }

    func timedOut(
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
