/// A value that decides where received bytes wait for their reader, and in which order they return.
///
/// Bytes wait in memory up to a threshold, and in a file beyond it. Once bytes are in the file, all
/// later ones go there as well until it has been read to the end, so the order is always memory,
/// then file.
///
/// It takes no lock and does no I/O. There is one writer and one reader, which may be busy at the
/// same time.
struct ReceiveLedger {
    enum Place: Equatable { case memory, file(at: Int64) }
    enum Reading: Equatable { case memory, file(at: Int64, count: Int), nothing }

    /// The number of bytes that are read from the file at once.
    static let pieceLength = 256 << 10

    private let threshold: Int
    private var inMemory = 0
    private var read: Int64 = 0
    private var written: Int64 = 0
    private var isWriting = false

    init(threshold: Int) { self.threshold = threshold }

    /// Returns the place for the next `count` bytes. After ``Place/file(at:)``, call ``wrote(_:)``.
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

    /// Records that `count` bytes are in the file, at the place that ``place(_:)`` returned.
    mutating func wrote(_ count: Int) {
        written += Int64(count)
        isWriting = false
    }

    /// Returns the place of the next bytes. After ``Reading/file(at:count:)``, call
    /// ``tookFromFile(_:)``.
    func next() -> Reading {
        if inMemory > 0 { return .memory }
        let count = min(written - read, Int64(Self.pieceLength))
        return count > 0 ? .file(at: read, count: Int(count)) : .nothing
    }

    mutating func tookFromMemory(_ count: Int) { inMemory -= count }

    mutating func tookFromFile(_ count: Int) { read += Int64(count) }

    /// A Boolean value that indicates whether no bytes wait and none are on their way into the
    /// file.
    var isEmpty: Bool { inMemory == 0 && read == written && !isWriting }

    #if canImport(Darwin)
        /// The number of bytes that wait.
        var pending: Int { inMemory + Int(written - read) }
    #endif
}
