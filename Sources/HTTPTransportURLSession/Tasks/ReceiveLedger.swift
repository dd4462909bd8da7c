/// Decides where received bytes wait for their reader, and in which order they come back.
///
/// In memory up to a threshold, in a file beyond it. Once bytes are in the file, all later ones go
/// there as well until it is read empty, so that the order is always: memory, then file.
///
/// Takes no lock and does no I/O. One writer and one reader, which may be busy at the same time.
struct ReceiveLedger {
    enum Place: Equatable { case memory, file(at: Int64) }
    enum Reading: Equatable { case memory, file(at: Int64, count: Int), nothing }

    /// How much is read from the file at once.
    static let pieceLength = 256 << 10

    private let threshold: Int
    private var inMemory = 0
    private var read: Int64 = 0
    private var written: Int64 = 0
    private var isWriting = false

    init(threshold: Int) { self.threshold = threshold }

    /// Where the next `count` bytes go. After ``Place/file(at:)`` comes ``wrote(_:)``.
    mutating func place(_ count: Int) -> Place {
        if read == written, inMemory + count <= threshold {
            inMemory += count
            return .memory
        }
        if read == written {
            read = 0
            written = 0
        }
        isWriting = true
        return .file(at: written)
    }

    /// `count` bytes are in the file, where ``place(_:)`` said.
    mutating func wrote(_ count: Int) {
        written += Int64(count)
        isWriting = false
    }

    /// Where the next bytes are. After ``Reading/file(at:count:)`` comes ``tookFromFile(_:)``.
    func next() -> Reading {
        if inMemory > 0 { return .memory }
        let count = min(written - read, Int64(Self.pieceLength))
        return count > 0 ? .file(at: read, count: Int(count)) : .nothing
    }

    mutating func tookFromMemory(_ count: Int) { inMemory -= count }

    mutating func tookFromFile(_ count: Int) { read += Int64(count) }

    /// Whether nothing waits, and nothing is on its way into the file.
    var isEmpty: Bool { inMemory == 0 && read == written && !isWriting }

    #if canImport(Darwin)
        /// All that waits.
        var pending: Int { inMemory + Int(written - read) }
    #endif
}
