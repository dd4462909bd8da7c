import HTTPCore

/// The moments of a transfer, in the loop's monotonic nanoseconds.
struct TransferTimes {
    /// The wait for the resolver.
    enum Lookup {
        case none
        /// It began then, and ends at `due` at the latest.
        case waiting(since: Int64, due: Int64?)
        /// It took this long.
        case took(Int64)

        var due: Int64? { if case .waiting(_, let due) = self { due } else { nil } }
        var time: Int64 { if case .took(let time) = self { time } else { 0 } }
    }

    /// The wait for another turn: without HTTP/3, or since the server had no room.
    enum Requeue {
        case none
        case waiting(since: Int64)
        /// It does not wait for its turn until then, because the server has refused it several
        /// times.
        case resting(since: Int64, until: Int64)
        /// It waits for the settings of a connection, until then at most.
        case settling(since: Int64, until: Int64)

        var since: Int64? {
            switch self {
            case .none: nil
            case .waiting(let since), .resting(let since, _), .settling(let since, _): since
            }
        }

        /// The time until which the transfer does not go on by itself.
        var due: Int64? {
            switch self {
            case .none, .waiting: nil
            case .resting(_, let due), .settling(_, let due): due
            }
        }

        mutating func goOn() { self = since.map { .waiting(since: $0) } ?? .none }
    }

    /// The step that is limited: the TLS handshake, or the wait for the head after the end of the
    /// request.
    enum Step {
        /// None is, or some of the request is still to be sent.
        case none
        /// The TLS handshake under way began then.
        case securing(Int64)
        /// libcurl took the last byte of the body then, or was last found not to have written it.
        case taken(Int64)
        /// It was written then, as far as is known.
        case written(Int64)

        var isTaken: Bool { if case .taken = self { true } else { false } }
    }

    /// The moment when the transfer got its turn.
    var admitted: Int64?
    var requeue = Requeue.none
    var lookup = Lookup.none
    /// The moment when the transfer was last given to libcurl, from which libcurl counts.
    var started: Int64?
    /// The moment when the request was first about to be written.
    var sending: Int64?
    var step = Step.none
    /// The moment when the request was last about to be written.
    var written: Int64?
    var firstByte: Int64?
    var lastByte: Int64?
    /// The last moment when something was sent or received, or something was waited for that is not
    /// the server.
    var lastActivity: Int64

    init(lastActivity: Int64) { self.lastActivity = lastActivity }

    /// A connection is to be made, over which the request is sent from its beginning.
    mutating func startAgain() { step = .none }
}
