import PortableFoundation
import HTTPCore

/// A bounded queue for the bytes of a request's body, between its producer and the loop. It also
/// checks that the body has its declared length.
///
/// Takes no lock and does no I/O.
struct UploadBuffer {
    static let highWater = 512 << 10
    private static let lowWater = 128 << 10

    private let declared: Int64?
    private var pieces = FIFOQueue<Data>()
    private var buffered = 0
    private var produced: Int64 = 0
    private var consumed: Int64 = 0
    private(set) var isFinished = false
    /// `true` if the loop found no bytes and waits to be told about more.
    private var isLoopWaiting = false

    init(declaredLength: Int64?) { declared = declaredLength }

    /// `true` if the producer should wait before it produces more.
    var isFull: Bool { buffered >= Self.highWater }

    /// `true` if a waiting producer should resume. It does not resume as soon as there is room,
    /// because each resumption costs a change of threads.
    var isLow: Bool { buffered <= Self.lowWater }

    /// Adds bytes. Returns `true` if the loop must be told.
    ///
    /// - Throws: `requestBodyFailed` if there are more bytes than declared.
    mutating func append(_ piece: Data) throws(HTTPError) -> Bool {
        produced += Int64(piece.count)
        if let declared, produced > declared {
            throw HTTPError.requestBody(beyond: declared)
        }
        guard !piece.isEmpty else { return false }
        pieces.append(piece)
        buffered += piece.count
        return wakeLoop()
    }

    /// Marks the body as complete. Returns `true` if the loop must be told.
    ///
    /// - Throws: `requestBodyFailed` if there are fewer bytes than declared.
    mutating func finish() throws(HTTPError) -> Bool {
        if let declared, produced < declared {
            throw HTTPError.requestBody(ending: produced, before: declared)
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
        /// There are no bytes yet: `append` or `finish` will say when to tell the loop.
        case wait
    }

    /// Moves bytes into `space`. The last byte of a declared length is held back until the producer
    /// has ended the body. Otherwise a body that is too long would get a response as if it were
    /// complete.
    mutating func read(into space: UnsafeMutableRawBufferPointer) -> Reading {
        var copied = 0
        let held = isFinished ? nil : declared.map { Int(clamping: $0 - 1 - consumed) }
        let room = min(space.count, max(0, held ?? .max))
        while copied < room, let piece = pieces.first {
            let count = min(piece.count, room - copied)
            unsafe piece.withUnsafeBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(rebasing: space[copied..<copied + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            copied += count
            buffered -= count
            if count == piece.count {
                _ = pieces.popFirst()
            } else {
                pieces.replaceFirst(piece.dropFirst(count))
            }
        }
        consumed += Int64(copied)
        if copied > 0 { return .copied(copied) }
        if isFinished, pieces.isEmpty { return .end }
        isLoopWaiting = true
        return .wait
    }
}
