/// The directions in which a transfer is paused, and why.
///
/// Takes no lock and calls nothing: the transfer tells libcurl.
struct TransferFlow {
    /// The reader is behind.
    private(set) var isReceivingPaused = false
    /// The producer of the request's body is behind.
    private(set) var isSendingPaused = false
    /// `true` if no more of the request's body is sent until libcurl has read what has come.
    private(set) var isYielding = false
    /// `true` if libcurl was ever told to pause. Something may then remain in its handle.
    private(set) var wasPaused = false
    /// The number of bytes that the reader had not taken at the last delivery.
    var queued = 0
    /// The pool's number of timer runs when receiving was resumed.
    var resumedInRun: Int?

    /// Records that libcurl is told to pause.
    mutating func notePause() { wasPaused = true }

    mutating func pauseReceiving() {
        isReceivingPaused = true
        wasPaused = true
    }

    mutating func pauseSending() {
        isSendingPaused = true
        wasPaused = true
    }

    /// Pauses sending until the loop's next turn.
    mutating func yield() {
        isYielding = true
        pauseSending()
    }

    /// Returns `true` if sending was paused until this turn.
    mutating func endYield() -> Bool {
        defer { isYielding = false }
        return isYielding
    }

    /// Returns `true` if the reader was waited for.
    mutating func resumeReceiving() -> Bool {
        defer { isReceivingPaused = false }
        return isReceivingPaused
    }

    /// Returns `true` if the producer was waited for.
    mutating func resumeSending() -> Bool {
        defer { isSendingPaused = false }
        return isSendingPaused
    }
}
