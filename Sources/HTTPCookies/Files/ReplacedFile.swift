import HTTPCore
import PortableLibc

/// The identity of a file's contents. Each replacement of the file has another one.
struct FileStamp: Hashable, Sendable {
    private let numbers: [Int64]

    init(_ status: stat) {
        #if canImport(Darwin)
            let (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #else
            let (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #endif
        numbers = [
            Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
            Int64(status.st_size), Int64(seconds), Int64(nanoseconds),
        ]
    }
}

/// A file that is read as a whole and replaced as a whole. Its methods block their thread for as
/// long as local file operations do.
struct ReplacedFile: Sendable {
    private static let mostBytes = 64 << 20

    /// The path without symbolic links at its end.
    let path: String

    /// - Throws: `cookiesNotRead` if the path cannot be that of a file: it is empty, its folder
    ///   does not exist, or it is a link to a file that does not exist.
    init(_ path: String) throws(HTTPError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw HTTPError(.cookiesNotRead, "the path of a cookie file is empty or holds a NUL")
        }
        if let resolved = unsafe realpath(path, nil) {
            defer { unsafe free(resolved) }
            self.path = unsafe String(cString: resolved)
            return
        }
        let error = errno
        var status = stat()
        guard error == ENOENT, unsafe lstat(path, &status) != 0 else {
            throw .cookieFile(path, "found", error, reading: true)
        }
        self.path = path
        guard unsafe stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .cookieFile(folder, "found", ENOTDIR, reading: true)
        }
    }

    private var folder: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The path of the file that replaces this one, in the same folder: `.cookies.txt.http-cookies`
    /// for `cookies.txt`. No editor has a backup with such a name.
    private var temporaryPath: String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
        return "\(path[..<name]).\(path[name...]).http-cookies"
    }

    // MARK: Reading

    /// Returns the bytes, or `nil` if the file does not exist.
    ///
    /// - Throws: `cookiesNotRead`, also if all users may write the file, or it belongs to another
    ///   user: they could choose the session that this program acts in.
    func read() throws(HTTPError) -> (bytes: [UInt8], stamp: FileStamp)? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let error = errno
            if error == ENOENT { return nil }
            throw .cookieFile(path, "opened", error, reading: true)
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .cookieFile(path, "examined", errno, reading: true)
        }
        switch FileFlaw(status, for: .reading) {
        case nil: break
        case .mode:
            throw HTTPError(
                .cookiesNotRead,
                "all users may write \(path.logSafe): remove that right (chmod o-w)")
        case let flaw?:
            throw HTTPError(.cookiesNotRead, "\(path.logSafe) is not read, because \(flaw)")
        }
        guard status.st_size <= Self.mostBytes else {
            throw HTTPError(.cookiesNotRead, "\(path.logSafe) is larger than 64 MiB")
        }
        let bytes = try Self.bytes(of: descriptor, path: path, expecting: Int(status.st_size))
        return (bytes, FileStamp(status))
    }

    private static func bytes(
        of descriptor: Int32, path: String, expecting size: Int
    ) throws(HTTPError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size + 1)
        var count = 0
        while count < mostBytes {
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
            let done = count
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe systemRead(
                    descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw .cookieFile(path, "read", errno, reading: true) }
            if result == 0 { break }
            count += result
        }
        return Array(bytes[..<count])
    }

    // MARK: Writing

    /// Replaces the file in one step, and returns after it is on the disk. Only its owner may read
    /// and write it. The caller holds the lock.
    ///
    /// - Throws: `cookiesNotSaved`.
    func replace(with bytes: [UInt8]) throws(HTTPError) -> FileStamp {
        let fresh = temporaryPath
        // A leftover of a process that was killed while it wrote.
        _ = unsafe unlink(fresh)
        let descriptor = unsafe open(
            fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cookieFile(fresh, "created", errno) }
        defer { _ = close(descriptor) }
        do throws(HTTPError) {
            var status = stat()
            let failure = unsafe bytes.withUnsafeBytes {
                unsafe $0.write(toDescriptor: descriptor, at: 0)
            }
            if let failure { throw .cookieFile(fresh, "written", failure) }
            guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0,
                unsafe fstat(descriptor, &status) == 0
            else { throw .cookieFile(fresh, "synced", errno) }
            guard unsafe rename(fresh, path) == 0 else {
                throw .cookieFile(path, "replaced", errno)
            }
            syncFolder()
            return FileStamp(status)
        } catch {
            _ = unsafe unlink(fresh)
            throw error
        }
    }

    /// Syncs the folder if that is possible. The file has been replaced already, and some file
    /// systems cannot sync a folder.
    private func syncFolder() {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }
}

extension HTTPError {
    /// - Parameter action: A participle, such as `"opened"`.
    static func cookieFile(
        _ path: String, _ action: String, _ code: Int32, reading: Bool = false
    ) -> HTTPError {
        let cause = SystemError(code)
        return HTTPError(
            reading ? .cookiesNotRead : .cookiesNotSaved,
            "\(path.logSafe) could not be \(action): \(cause)", underlyingError: cause)
    }
}

// A method of the same name hides this function of the system.
private func systemRead(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int { unsafe read(descriptor, buffer, count) }
