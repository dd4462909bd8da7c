import HTTPCore
import HTTPTesting
import Testing
import PortableFoundation
import PortableLibc

/// A file with the start of the pattern, there as long as this is.
final class PatternFile: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/pattern-\(UUID().uuidString)"

    /// - Parameter lead: how many bytes of 255 are before it.
    init(_ count: Int, after lead: Int = 0) throws {
        let bytes = Data(repeating: 255, count: lead) + PatternCheck.bytes(0..<count)
        try bytes.write(to: URL(filePath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns one file of each kind for the whole process, because tables create their rows
    /// repeatedly.
    static func shared(_ count: Int, after lead: Int = 0) throws -> PatternFile {
        _ = removal
        return try files.withLock { files in
            if let file = files[[count, lead]] { return file }
            let file = try PatternFile(count, after: lead)
            files[[count, lead]] = file
            return file
        }
    }

    private static let files = Locked([[Int]: PatternFile]())
    private static let removal: Int32 = atexit { files.withLock { $0.removeAll() } }

    func body(_ range: Range<Int64>? = nil) throws -> HTTPBody {
        try HTTPBody(file: path, range: range)
    }

    func file(_ range: Range<Int64>? = nil) throws -> HTTPBodyFile {
        try #require(try body(range).file)
    }

    func shorten(to count: Int) { #expect(unsafe truncate(path, off_t(count)) == 0) }

    func remove() { #expect(unsafe unlink(path) == 0) }

    /// Has the system forget what it keeps of the file in memory, where it can.
    func cool() {
        #if os(Linux)
            let descriptor = unsafe open(path, O_RDONLY)
            fdatasync(descriptor)
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
            close(descriptor)
        #endif
    }

    #if os(Linux)
        /// `true` if this process has the file open.
        var isOpen: Bool {
            let folder = "/proc/self/fd"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.contains {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))
                    == path
            }
        }
    #endif
}
