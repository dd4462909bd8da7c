import CHTTPTransportCurl
import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is a request's body, as the loop reads it: straight into libcurl's buffer where that waits
/// for nothing, which is what the system has in memory; the rest by way of a task, piece by piece.
struct UploadFile {
    enum Reading {
        case copied(Int)
        case end
        /// Somebody else must read this, and hand it to ``add(_:)``.
        case wait(Fetch)
    }

    /// A piece that a disk has to be waited for.
    struct Fetch: Sendable {
        fileprivate let file: OpenFile
        fileprivate let start: Int64
        fileprivate let count: Int

        /// Blocks its thread.
        ///
        /// - Throws: `requestBodyFailed`.
        func read() throws(HTTPError) -> Piece {
            Piece(start: start, bytes: try file.read(count: count, at: start))
        }
    }

    struct Piece: Sendable {
        /// Bytes of the body before it.
        fileprivate let start: Int64
        fileprivate let bytes: Data

        fileprivate var end: Int64 { start + Int64(bytes.count) }
    }

    private static let fetchLength: Int64 = 256 << 10

    private let file: HTTPBodyFile
    private let opened: OpenFile
    private let readsCached: Bool
    private var fetched: Piece?

    /// Opens it.
    ///
    /// - Parameter readsCached: whether to read by itself what the system has in memory.
    /// - Throws: `requestBodyFailed`.
    init(_ file: HTTPBodyFile, readsCached: Bool = true) throws(HTTPError) {
        self.file = file
        self.readsCached = readsCached
        opened = try OpenFile(file)
    }

    /// Of the piece that begins there.
    func fetch(at position: Int64) -> Fetch {
        let count = min(file.length - position, Self.fetchLength)
        return Fetch(file: opened, start: position, count: Int(count))
    }

    mutating func add(_ piece: Piece) { fetched = piece }

    /// - Parameter position: bytes of the body before those that are wanted.
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
        // What is wrong, if anything, whoever reads will find out.
        return count > 0 ? .copied(count) : .wait(fetch(at: position))
    }
}

/// Closed when neither the loop nor a task that reads needs it any more.
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

    /// As `chttp_read_cached`.
    func readCached(into space: UnsafeMutableRawBufferPointer, at position: Int64) -> Int {
        guard let base = space.baseAddress else { return 0 }
        return unsafe chttp_read_cached(
            descriptor, base, space.count, file.range.lowerBound + position)
    }
}
