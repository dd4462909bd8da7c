/// The directions in which a transfer is paused, and why.
///
/// Takes no lock and calls nothing: the transfer tells libcurl.
struct TransferFlow {
    /// The reader is behind.
    private(set) var isReceivingPaused = false
    /// The producer of the request's body is behind.
    private(set) var isSendingPaused = false
    /// Decoding has used up its slice: libcurl reads no more until the loop's next turn, even if
    /// the reader takes more.
    private(set) var isHeld = false
    /// `true` if no more of the request's body is sent until libcurl has read what has come.
    private(set) var isYielding = false
    /// `true` if libcurl was ever told to pause. Something may then remain in its handle.
    private(set) var wasPaused = false
    /// `true` if the transfer is paused and libcurl has not been told yet.
    private(set) var isPauseDue = false
    /// `true` while libcurl is told to resume. It may then deliver what it has kept.
    var isResuming = false
    /// The number of bytes that the reader had not taken at the last delivery.
    var queued = 0
    /// The pool's number of timer runs when receiving was resumed.
    var resumedInRun: Int?

    /// `true` if libcurl does not read from the connection.
    var isReadingPaused: Bool { isReceivingPaused || isHeld }

    /// Records that libcurl is told to pause.
    mutating func notePause() { wasPaused = true }

    /// - Parameter isDelayed: `true` if libcurl is told later. See ``takePauseDue()``.
    mutating func pauseReceiving(isDelayed: Bool) {
        isReceivingPaused = true
        wasPaused = true
        isPauseDue = isDelayed
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

    mutating func hold() {
        isHeld = true
        wasPaused = true
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

    /// Returns `true` if reading was held and may go on.
    mutating func endHold() -> Bool {
        guard isHeld else { return false }
        isHeld = false
        return !isReceivingPaused
    }

    /// Returns `true` if libcurl is to be told now of a delayed pause.
    mutating func takePauseDue() -> Bool {
        defer { isPauseDue = false }
        return isPauseDue && isReceivingPaused && !isHeld
    }
}
