import HTTPCore
import TestSupport
@testable import HTTPCaching
import PortableFoundation
import PortableLibc

/// A folder for disk stores, with access to the files in it.
final class DiskCacheTestFolder: Sendable {
    private let parent: DownloadFolder
    let path: String

    init() throws {
        parent = try DownloadFolder()
        path = parent.file("cache")
    }

    func open(
        limit: Int64 = 64 << 20, responseLimit: Int64? = nil
    ) throws(HTTPError) -> HTTPDiskCacheStore {
        try HTTPDiskCacheStore(folder: path, limit: limit, responseLimit: responseLimit)
    }

    /// The paths of all files with one of these suffixes, sorted.
    func files(_ suffixes: String...) throws -> [String] {
        let root = path + "/v1"
        return try FileManager.default.contentsOfDirectory(atPath: root).flatMap { shard in
            let names = try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(shard)")
            return (names ?? []).filter { name in suffixes.contains { name.hasSuffix($0) } }
                .map { "\(root)/\(shard)/\($0)" }
        }.sorted()
    }

    static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// Sets the time of the last change of a file, in seconds before now.
    static func setAge(_ seconds: Int, of path: String) throws {
        let now = Int(Date().timeIntervalSince1970)
        let time = timespec(tv_sec: now - seconds, tv_nsec: 0)
        guard unsafe utimensat(AT_FDCWD, path, [time, time], 0) == 0 else {
            throw SystemError(errno)
        }
    }

    static func age(of path: String) throws -> Int {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw SystemError(errno) }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Int(Date().timeIntervalSince1970) - Int(time.tv_sec)
    }

    static func setMode(_ mode: Int, of path: String) throws {
        guard unsafe chmod(path, mode_t(mode)) == 0 else { throw SystemError(errno) }
    }

    static func mode(of path: String) throws -> Int {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw SystemError(errno) }
        return Int(status.st_mode & 0o777)
    }

    static func cut(_ path: String, to length: Int) throws {
        guard unsafe truncate(path, off_t(length)) == 0 else { throw SystemError(errno) }
    }

    static func makePipe(_ path: String) throws {
        guard unsafe mkfifo(path, 0o600) == 0 else { throw SystemError(errno) }
    }
}

extension [UInt8] {
    /// Appends the checksum of these bytes, as an entry ends.
    mutating func appendHash() {
        let hash = unsafe XXH64.hash(span.bytes)
        for byte in 0..<8 { append(UInt8(truncatingIfNeeded: hash >> UInt64(8 * byte))) }
    }
}
