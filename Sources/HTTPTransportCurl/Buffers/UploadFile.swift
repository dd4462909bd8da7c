import CHTTPTransportCurl
import HTTPCore
import PortableFoundation
import PortableLibc

/// A file that is a request's body, as the loop reads it. The loop reads bytes that the system has
/// in memory directly into libcurl's buffer, without waiting. A task reads the rest, piece by
/// piece.
struct UploadFile {
    enum Reading {
        case copied(Int)
        case end
        /// A task must read this piece and pass it to ``add(_:)``.
        case wait(Fetch)
    }

    /// A piece that may have to be read from a disk.
    struct Fetch: Sendable {
        fileprivate let file: OpenFile
        fileprivate let start: Int64
        fileprivate let count: Int

        /// Reads the piece. Blocks the calling thread.
        ///
        /// - Throws: `requestBodyFailed`.
        func read() throws(HTTPError) -> Piece {
            Piece(start: start, bytes: try file.read(count: count, at: start))
        }
    }

    struct Piece: Sendable {
        /// The number of bytes of the body before this piece.
        fileprivate let start: Int64
        fileprivate let bytes: Data

        fileprivate var end: Int64 { start + Int64(bytes.count) }
    }

    private static let fetchLength: Int64 = 256 << 10

    private let file: HTTPBodyFile
    private let opened: OpenFile
    private let readsCached: Bool
    private var fetched: Piece?

    /// Opens the file.
    ///
    /// - Parameter readsCached: `true` if the loop itself reads bytes that the system has in
    ///   memory.
    /// - Throws: `requestBodyFailed`.
    init(_ file: HTTPBodyFile, readsCached: Bool = true) throws(HTTPError) {
        self.file = file
        self.readsCached = readsCached
        opened = try OpenFile(file)
    }

    /// Returns the fetch of the piece that begins at `position`.
    func fetch(at position: Int64) -> Fetch {
        let count = min(file.length - position, Self.fetchLength)
        return Fetch(file: opened, start: position, count: Int(count))
    }

    mutating func add(_ piece: Piece) { fetched = piece }

    /// - Parameter position: The number of bytes of the body before the wanted ones.
    mutating func read(
        into space: UnsafeMutableRawBufferPointer, at position: Int64
    ) -> Reading {
        let left = file.length - position
        guard left > 0 else { return .end }
        let room = unsafe UnsafeMutableRawBufferPointer(
            rebasing: space[..<Int(min(Int64(space.count), left))])
        if let fetched, (fetched.start..<fetched.end).contains(position) {
            let rest = fetched.bytes.dropFirst(Int(position - fetched.start)).prefix(room.count)
            unsafe rest.copyBytes(to: room)
            return .copied(rest.count)
        }
        fetched = nil
        let count = readsCached ? unsafe opened.readCached(into: room, at: position) : 0
        // An error, if there is one, shows when the task reads the piece.
        return count > 0 ? .copied(count) : .wait(fetch(at: position))
    }
}

/// An open file. It is closed when neither the loop nor a reading task needs it any more.
private final class OpenFile: Sendable {
    private let file: HTTPBodyFile
    private let descriptor: Int32

    init(_ file: HTTPBodyFile) throws(HTTPError) {
        descriptor = try file.open()
        self.file = file
    }

    deinit { close(descriptor) }

    func read(count: Int, at position: Int64) throws(HTTPError) -> Data {
        try file.read(descriptor, count: count, at: file.range.lowerBound + position)
    }

    /// Reads the bytes that the system has in memory. See `chttp_read_cached`.
    func readCached(into space: UnsafeMutableRawBufferPointer, at position: Int64) -> Int {
        guard let base = space.baseAddress else { return 0 }
        return unsafe chttp_read_cached(
            descriptor, base, space.count, file.range.lowerBound + position)
    }
}
