#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import HTTPCore

/// Octets of a request's body between its producer and the loop: a queue with a bound, and the
/// check that a declared length is kept.
///
/// Takes no lock and does no I/O.
struct UploadBuffer {
    static let highWater = 128 << 10

    private let declared: Int64?
    private var pieces: [Data] = []
    private var head = 0
    private var buffered = 0
    private var produced: Int64 = 0
    private(set) var isFinished = false
    /// The loop found nothing and waits to be told.
    private var isLoopWaiting = false

    init(declaredLength: Int64?) { declared = declaredLength }

    /// Whether the producer should wait before it produces more.
    var isFull: Bool { buffered >= Self.highWater }

    /// Adds octets. Answers whether the loop must be told.
    ///
    /// - Throws: `requestBodyFailed` when there are more than declared.
    mutating func append(_ piece: Data) throws(HTTPError) -> Bool {
        produced += Int64(piece.count)
        if let declared, produced > declared {
            throw HTTPError(
                .requestBodyFailed,
                "the request's body goes on beyond its declared length of \(declared) octets",
                phase: .sending, mayHaveReachedServer: true)
        }
        guard !piece.isEmpty else { return false }
        pieces.append(piece)
        buffered += piece.count
        return wakeLoop()
    }

    /// The producer is done. Answers whether the loop must be told.
    ///
    /// - Throws: `requestBodyFailed` when there are fewer octets than declared.
    mutating func finish() throws(HTTPError) -> Bool {
        if let declared, produced < declared {
            throw HTTPError(
                .requestBodyFailed,
                "the request's body ended after \(produced) of its declared \(declared) octets",
                phase: .sending, mayHaveReachedServer: true)
        }
        isFinished = true
        return wakeLoop()
    }

    private mutating func wakeLoop() -> Bool {
        defer { isLoopWaiting = false }
        return isLoopWaiting
    }

    enum Reading: Equatable {
        case copied(Int)
        case end
        /// Nothing there: `append` or `finish` will tell.
        case wait
    }

    /// Moves octets into `space`.
    mutating func read(into space: UnsafeMutableRawBufferPointer) -> Reading {
        var copied = 0
        while copied < space.count, head < pieces.count {
            let piece = pieces[head]
            let count = min(piece.count, space.count - copied)
            unsafe piece.withUnsafeBytes { octets in
                unsafe UnsafeMutableRawBufferPointer(rebasing: space[copied..<copied + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: octets[..<count]))
            }
            copied += count
            buffered -= count
            if count == piece.count {
                pieces[head] = Data()
                head += 1
            } else {
                pieces[head] = piece.dropFirst(count)
            }
        }
        if head == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            head = 0
        }
        if copied > 0 { return .copied(copied) }
        if isFinished { return .end }
        isLoopWaiting = true
        return .wait
    }
}
