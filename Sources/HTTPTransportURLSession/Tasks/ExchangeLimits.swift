import HTTPCore

/// The time limits of one exchange, and the decision which of them has passed.
///
/// Takes no lock and reads no clock: every moment is a duration since the exchange began.
struct ExchangeLimits {
    /// The limit that has passed, or the time until one can.
    enum Verdict: Equatable {
        case expired(HTTPError.Timer)
        case lookAgain(at: Duration)
        case never
    }

    private var connect: Duration?
    /// `true` if the connect limit was set, in the request or for the session.
    private let isConnectSet: Bool
    private let idle: Duration?
    private let total: Duration?
    private let deadline: Duration?
    /// The time when the task began. Until then, neither idle nor connect runs.
    private var begin: Duration?
    private var lastActivity = Duration.zero

    init(_ request: HTTPTimeouts, session: HTTPTimeouts, timeLeft: Duration?) {
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
        isConnectSet = request.connect != .standard || session.connect != .standard
        idle = resolve(request.idle, session.idle, .seconds(60))
        total = resolve(request.total, session.total, nil)
        deadline = timeLeft
    }

    /// Records that the task begins. The time that the producer of its body took was neither idle
    /// nor spent connecting.
    ///
    /// - Parameter hasBody: whether URLSession gives a sign between connecting and the head, which
    ///   it does by asking for bytes of a body. Without a body it gives none. A connect limit that
    ///   was not set is then left out, because it would end every response that takes long to
    ///   compute. A connect limit that was set runs until the head.
    mutating func begins(at moment: Duration, hasBody: Bool) {
        begin = moment
        lastActivity = moment
        if !hasBody, !isConnectSet { connect = nil }
    }

    /// Records that bytes moved or the head arrived: idle time starts anew, and connecting is over.
    mutating func active(at moment: Duration) {
        connect = nil
        lastActivity = max(lastActivity, moment)
    }

    func check(at moment: Duration) -> Verdict {
        var next: Duration?
        var due: [(HTTPError.Timer.Name, Duration?, from: Duration)] = [
            (.deadline, deadline, .zero), (.total, total, .zero),
        ]
        if let begin { due += [(.connect, connect, begin), (.idle, idle, lastActivity)] }
        for (name, limit, start) in due {
            guard let limit else { continue }
            let end = start.adding(limit)
            if end <= moment { return .expired(HTTPError.Timer(name, limit)) }
            next = min(next ?? end, end)
        }
        return next.map { .lookAgain(at: $0) } ?? .never
    }
}
