import HTTPCore

/// The time limits of one exchange, and the decision which of them has passed.
///
/// Takes no lock and reads no clock: every moment is a duration since the exchange began.
struct ExchangeLimits {
    /// The limit that has passed, or the time until one can.
    enum Verdict: Equatable {
        case expired(HTTPError.Timer.Name)
        case lookAgain(at: Duration)
        case never
    }

    private(set) var limits: TimeLimits
    /// `true` if the connect limit was set, in the request or for the session.
    private let isConnectSet: Bool
    /// `true` until URLSession has given a sign that it is connected.
    private var isConnecting = true
    /// The time when the task began. Until then, neither idle nor connect runs.
    private var begin: Duration?
    private var lastActivity = Duration.zero
    /// The time when the request was sent, as far as URLSession shows it, until the head arrives.
    private var requestSent: Duration?

    init(
        _ request: HTTPTimeouts, session: HTTPTimeouts, timeLeft: Duration?,
        deadlineLimit: Duration? = nil
    ) {
        limits = TimeLimits(
            request, session: session, timeLeft: timeLeft, deadlineLimit: deadlineLimit)
        isConnectSet = request.connect != .standard || session.connect != .standard
    }

    /// Records that the task begins. The time that the producer of its body took was neither idle
    /// nor spent connecting.
    ///
    /// - Parameter hasBody: whether URLSession gives a sign between connecting and the head, which
    ///   it does by asking for bytes of a body. Without a body it gives none. A connect limit that
    ///   was not set is then left out, because it would end every response that takes long to
    ///   compute. A connect limit that was set runs until the head. The limit of the head begins
    ///   here without a body, and when URLSession has taken the last byte of one.
    mutating func begins(at moment: Duration, hasBody: Bool) {
        begin = moment
        lastActivity = moment
        if !hasBody {
            requestSent = moment
            if !isConnectSet { isConnecting = false }
        }
    }

    /// Records that URLSession has taken the last byte of the body.
    mutating func sentBody(at moment: Duration) { requestSent = moment }

    /// Records that URLSession sends the body once more.
    mutating func sendsAgain() { requestSent = nil }

    /// Records that the final head has arrived.
    mutating func receivedHead(at moment: Duration) {
        requestSent = nil
        active(at: moment)
    }

    /// Records that bytes moved or a head arrived: idle time starts anew, and connecting is over.
    mutating func active(at moment: Duration) {
        isConnecting = false
        lastActivity = max(lastActivity, moment)
    }

    func check(at moment: Duration) -> Verdict {
        var next: Duration?
        func hasPassed(_ limit: Duration?, from start: Duration) -> Bool {
            guard let limit else { return false }
            let end = start.adding(limit)
            next = min(next ?? end, end)
            return end <= moment
        }
        if hasPassed(limits.deadline, from: .zero) { return .expired(.deadline) }
        if hasPassed(limits.total, from: .zero) { return .expired(.total) }
        if let begin {
            if isConnecting, hasPassed(limits.connect, from: begin) { return .expired(.connect) }
            if let requestSent, hasPassed(limits.responseHead, from: requestSent) {
                return .expired(.responseHead)
            }
            if hasPassed(limits.idle, from: lastActivity) { return .expired(.idle) }
        }
        return next.map { .lookAgain(at: $0) } ?? .never
    }
}
