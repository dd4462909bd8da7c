import HTTPCore
import PortableFoundation

/// Decides what the writer of a body and its reader may do: which pieces are taken, which writes
/// wait, and how the body ends.
///
/// Takes no lock and resumes no task: ``WrittenBodySource`` acts on the decisions after leaving its
/// lock. A write that waits has a number. Writes are taken in the order of their calls.
struct BodyPipe {
    /// The number of bytes that are taken before the reader asks for them. A longer piece is taken
    /// when no others are there.
    static let capacity = 64 << 10

    private enum End {
        case finished
        /// The writing side has failed. The reader gets the error.
        case failed(any Error)
        /// The reading side wants no more. The writer gets the error.
        case cut(HTTPError)
    }

    /// A write that does not wait any more.
    struct Release {
        let number: Int
        /// The reason why its piece was not taken, or `nil` if it was.
        let refusal: HTTPError?
    }

    private let declared: Int64?
    /// The number of bytes of all writes that were taken or wait.
    private var written: Int64 = 0
    /// The bytes that were taken and not read.
    private var buffer = Data()
    private var waiting = [(number: Int, piece: Data)]()
    private var lastNumber = 0
    private var end: End?
    private var released: [Release] = []

    /// - Parameter declared: The length of the body, if it is known.
    init(declaredLength declared: Int64? = nil) { self.declared = declared }

    var buffered: Int { buffer.count }

    var waitingCount: Int { waiting.count }

    /// `true` if the body has ended, but is not complete.
    var isBroken: Bool {
        switch end {
        case .failed, .cut: true
        case .finished, nil: false
        }
    }

    /// Returns the writes that the last steps have released.
    mutating func takeReleased() -> [Release] {
        guard !released.isEmpty else { return [] }
        defer { released = [] }
        return released
    }

    // MARK: The writing side

    enum Writing {
        case taken
        /// The write waits until ``takeReleased()`` returns its number.
        case waits(Int)
        case refused(HTTPError)
    }

    /// Takes a piece, or lets it wait behind the pieces before it.
    mutating func write(_ piece: Data) -> Writing {
        if let end { return .refused(Self.refusal(after: end)) }
        let count = Int64(piece.count)
        if let declared, count > declared - written {
            let error = HTTPError.requestBody(beyond: declared)
            stop(.failed(error))
            return .refused(error)
        }
        guard count > 0 else { return .taken }
        written += count
        guard waiting.isEmpty, hasRoom(for: piece) else {
            lastNumber += 1
            waiting.append((lastNumber, piece))
            return .waits(lastNumber)
        }
        take(piece)
        return .taken
    }

    /// Gives up a write that waits. The pieces behind it move up.
    ///
    /// After ``finish()``, the body would be complete without the piece, so it fails.
    ///
    /// - Returns: `false` if the write does not wait any more.
    mutating func cancel(_ number: Int) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return false }
        written -= Int64(waiting.remove(at: index).piece.count)
        if case .finished = end {
            stop(
                .failed(
                    HTTPError.requestBodyFailed(
                        "a write was cancelled that had to end before the request's body")))
        } else {
            takeWaiting()
        }
        return true
    }

    /// Ends the body after the writes so far, unless it has ended.
    ///
    /// - Throws: `requestBodyFailed` if there are fewer bytes than declared. The body then fails.
    mutating func finish() throws(HTTPError) {
        guard end == nil else { return }
        if let declared, written < declared {
            let error = HTTPError.requestBody(ending: written, before: declared)
            stop(.failed(error))
            throw error
        }
        end = .finished
    }

    /// Ends the body with an error, which the reader gets at once, unless it has ended.
    mutating func fail(_ error: any Error) {
        if end == nil { stop(.failed(error)) }
    }

    // MARK: The reading side

    enum Reading {
        case piece(Data)
        case end
        case failed(any Error)
        /// There are no bytes yet.
        case wait
    }

    /// Returns all bytes that were taken, and takes the waiting pieces that then have room.
    mutating func read() -> Reading {
        switch end {
        case .failed(let error): return .failed(error)
        case .cut: return .failed(HTTPError.bodyGivenUp)
        case .finished where buffer.isEmpty: return .end
        case nil where buffer.isEmpty: return .wait
        case .finished, nil: break
        }
        let piece = buffer
        buffer = Data()
        takeWaiting()
        return .piece(piece)
    }

    /// Ends the body because no more of it is wanted, unless it has been read to its end or has
    /// failed.
    mutating func cut(because reason: HTTPError) {
        switch end {
        case nil: stop(.cut(reason))
        case .finished where !buffer.isEmpty: stop(.cut(reason))
        case .finished, .failed, .cut: break
        }
    }

    // MARK: Steps

    private func hasRoom(for piece: Data) -> Bool {
        buffer.isEmpty || buffer.count + piece.count <= Self.capacity
    }

    private mutating func take(_ piece: Data) {
        if buffer.isEmpty { buffer = piece } else { buffer.append(piece) }
    }

    private mutating func takeWaiting() {
        let ready = waiting.prefix { write in
            guard hasRoom(for: write.piece) else { return false }
            take(write.piece)
            released.append(Release(number: write.number, refusal: nil))
            return true
        }
        waiting.removeFirst(ready.count)
    }

    private mutating func stop(_ new: End) {
        end = new
        buffer = Data()
        let refusal = Self.refusal(after: new)
        released += waiting.map { Release(number: $0.number, refusal: refusal) }
        waiting = []
    }

    private static func refusal(after end: End) -> HTTPError {
        switch end {
        case .finished:
            HTTPError(
                .requestBodyEnded, "nothing can be written after finish()", phase: .sending,
                mayHaveReachedServer: true)
        case .failed(let error): .requestBodyEnded("the body has failed", because: error)
        case .cut(let reason): reason
        }
    }
}
