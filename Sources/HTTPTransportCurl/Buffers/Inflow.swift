#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Bytes of a body between the loop and its reader: a queue with watermarks.
///
/// Takes no lock and does no I/O: whoever calls acts on the answer after leaving its lock.
struct Inflow {
    let highWater: Int
    let lowWater: Int
    private var pieces = FIFOQueue<Data>()
    /// Queued, in bytes.
    private(set) var buffered = 0
    /// The loop has stopped receiving until it hears otherwise.
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

    /// The loop has paused the transfer. Answers whether it should go on again at once, since the
    /// reader has caught up meanwhile.
    mutating func paused() -> Bool {
        isPaused = buffered > lowWater
        return !isPaused
    }

    /// The next piece, and whether the loop must be told to receive again.
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
