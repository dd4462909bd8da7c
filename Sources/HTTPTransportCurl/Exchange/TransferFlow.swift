/// The directions in which a transfer is paused, and why.
///
/// Takes no lock and calls nothing: the transfer tells libcurl.
struct TransferFlow {
    enum Receiving {
        case open
        /// The reader is behind. Over HTTP/3, libcurl last kept the connection alive at that time,
        /// in the loop's nanoseconds, or was paused then.
        case paused(keptAlive: Int64?)
    }

    enum Sending {
        case open
        /// The producer of the request's body is behind.
        case paused
        /// No more of the request's body is sent until libcurl has read what has come.
        case yielding
    }

    private var receiving = Receiving.open
    private var sending = Sending.open
    /// `true` if libcurl was ever told to pause. Something may then remain in its handle.
    private(set) var wasPaused = false
    /// The number of bytes that the reader had not taken at the last delivery.
    var queued = 0

    /// Records that libcurl is told to pause.
    mutating func notePause() { wasPaused = true }

    var isReceivingPaused: Bool { if case .paused = receiving { true } else { false } }
    var isSendingPaused: Bool { sending != .open }

    /// The time at which libcurl last kept the connection of a paused transfer alive.
    var keptAlive: Int64? { if case .paused(let time) = receiving { time } else { nil } }

    mutating func pauseReceiving() {
        receiving = .paused(keptAlive: nil)
        wasPaused = true
    }

    /// Records that the connection of a transfer that is paused is kept alive.
    mutating func keepAlive(at now: Int64) {
        if isReceivingPaused { receiving = .paused(keptAlive: now) }
    }

    mutating func pauseSending() {
        if sending == .open { sending = .paused }
        wasPaused = true
    }

    /// Pauses sending until the loop's next turn.
    mutating func yield() {
        sending = .yielding
        wasPaused = true
    }

    /// Returns `true` if sending was paused until this turn.
    mutating func endYield() -> Bool {
        guard sending == .yielding else { return false }
        sending = .paused
        return true
    }

    /// Returns `true` if the reader was waited for.
    mutating func resumeReceiving() -> Bool {
        defer { receiving = .open }
        return isReceivingPaused
    }

    /// Returns `true` if the producer was waited for.
    mutating func resumeSending() -> Bool {
        defer { sending = .open }
        return isSendingPaused
    }
}
