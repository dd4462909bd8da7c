import PortableFoundation

/// Bytes of a body between the loop and its reader: a queue with watermarks.
///
/// Takes no lock and does no I/O: the caller acts on the results after it has released its lock.
struct Inflow {
    let highWater: Int
    let lowWater: Int
    private var pieces = FIFOQueue<Data>()
    /// The number of queued bytes.
    private(set) var buffered = 0
    /// `true` if the loop has stopped receiving until it is told to resume.
    private(set) var isPaused = false

    init(highWater: Int, lowWater: Int) {
        self.highWater = highWater
        self.lowWater = lowWater
    }

    var isEmpty: Bool { pieces.isEmpty }

    mutating func append(_ piece: Data) {
        guard !piece.isEmpty else { return }
        pieces.append(piece)
        buffered += piece.count
    }

    /// Records that the loop has paused the transfer. Returns `true` if the loop should resume at
    /// once because the reader has caught up meanwhile.
    mutating func paused() -> Bool {
        isPaused = buffered > lowWater
        return !isPaused
    }

    /// Removes and returns the next piece. `resume` is `true` if the loop must be told to receive
    /// again.
    mutating func take() -> (piece: Data, resume: Bool)? {
        guard let piece = pieces.popFirst() else { return nil }
        buffered -= piece.count
        let resume = isPaused && buffered <= lowWater
        if resume { isPaused = false }
        return (piece, resume)
    }

    mutating func removeAll() {
        pieces.removeAll()
        buffered = 0
    }
}
