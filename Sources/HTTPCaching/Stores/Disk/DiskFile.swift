import HTTPCore
import PortableFoundation
import PortableLibc

/// An open file of a disk cache. It is closed when the last reference is released, so a task that
/// reads it never loses the descriptor to another task.
///
/// Its methods block their thread for as long as local file operations do.
final class DiskFile: Sendable {
    struct Status {
        var size: Int64
        /// The time of the last change, in nanoseconds since 1970.
        var modified: Int64

        init(_ status: stat) {
            size = Int64(status.st_size)
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        }
    }

    let path: String
    private let descriptor: Int32

    /// Opens an existing file for reading.
    ///
    /// - Returns: `nil` if there is no such file.
    convenience init?(reading path: String) throws(HTTPError) {
        // Does not wait for a writer if the file has been replaced with a FIFO.
        try self.init(path, O_RDONLY | O_NONBLOCK)
    }

    /// Creates a file for writing.
    ///
    /// - Returns: `nil` if its folder does not exist.
    convenience init?(creating path: String) throws(HTTPError) {
        try self.init(path, O_WRONLY | O_CREAT | O_EXCL)
    }

    /// Opens a file to lock it, and creates it if it does not exist.
    ///
    /// - Returns: `nil` if its folder does not exist, or something else has its name.
    convenience init?(locking path: String) throws(HTTPError) {
        try self.init(path, O_RDWR | O_CREAT | O_NONBLOCK)
        guard try status() != nil else { return nil }
    }

    /// Opens a folder to lock it.
    ///
    /// - Returns: `nil` if there is no such folder.
    convenience init?(lockingFolder path: String) throws(HTTPError) {
        try self.init(path, O_RDONLY | O_DIRECTORY)
    }

    private init?(_ path: String, _ flags: Int32) throws(HTTPError) {
        descriptor = systemOpen(path, flags | O_CLOEXEC | O_NOFOLLOW)
        self.path = path
        guard descriptor < 0 else { return }
        let error = errno
        // A link, a folder or a socket is no file of a cache, and is replaced like one that is
        // missing. So is what is in the place of its folder, unless that is a file of the user.
        if [ENOENT, ELOOP, EISDIR, ENXIO].contains(error) { return nil }
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
        if error == ENOTDIR, Self.kind(of: folder) != S_IFREG { return nil }
        throw .cacheFile(path, "opened", error)
    }

    deinit { if descriptor >= 0 { systemClose(descriptor) } }

    /// The size and the time of a file; `nil` if it does not exist or is not a regular file.
    static func status(of path: String) -> Status? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return Status(status)
    }

    /// The kind of what has this name, as `S_IFMT` of its mode, and `nil` if there is nothing. A
    /// symbolic link is not followed.
    static func kind(of path: String) -> mode_t? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }

    /// Removes what has this name, unless it is a folder with something in it.
    static func clear(_ path: String) throws(HTTPError) {
        let result =
            kind(of: path) == S_IFDIR ? unsafe rmdir(path) : unsafe unlink(path)
        let error = errno
        guard result == 0 || error == ENOENT else { throw .cacheFile(path, "replaced", error) }
    }

    /// Reads the size and the time; `nil` if it is not a regular file.
    func status() throws(HTTPError) -> Status? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .cacheFile(path, "examined", errno)
        }
        return status.st_mode & S_IFMT == S_IFREG ? Status(status) : nil
    }

    // MARK: Contents

    /// Reads `count` bytes, and fewer only at the end of the file.
    func read(_ count: Int, at offset: Int64) throws(HTTPError) -> [UInt8] {
        var failure: Int32?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                filled = try unsafe read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error.code
            }
        }
        if let failure { throw .cacheFile(path, "read", failure) }
        return bytes
    }

    /// Reads exactly `count` bytes, which are not copied.
    ///
    /// - Returns: `nil` if the file ends before.
    func readData(_ count: Int, at offset: Int64) throws(HTTPError) -> Data? {
        let memory = unsafe allocated(count)
        let result: Int
        do throws(SystemError) {
            result = try unsafe read(
                into: UnsafeMutableRawBufferPointer(start: memory, count: count), at: offset)
        } catch {
            unsafe free(memory)
            throw .cacheFile(path, "read", error.code)
        }
        guard result == count else {
            unsafe free(memory)
            return nil
        }
        return unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
    }

    private func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = unsafe pread(
                descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
                off_t(offset) + off_t(done))
            if count == 0 { break }
            if count > 0 { done += count } else if errno != EINTR { throw SystemError(errno) }
        }
        return done
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(HTTPError) {
        let failure = unsafe bytes.withUnsafeBytes {
            unsafe $0.write(toDescriptor: descriptor, at: offset)
        }
        if let failure { throw .cacheFile(path, "written", failure) }
    }

    /// Sets the time of the last change to the current time. Has no effect if that fails.
    func touch() { _ = futimens(descriptor, nil) }

    // MARK: Locks

    /// Locks the file against other holders of such a lock, in this process and others.
    ///
    /// - Returns: `false` if it is locked.
    func tryLock() throws(HTTPError) -> Bool {
        do throws(SystemError) {
            return try FileLock.take(descriptor)
        } catch {
            throw .cacheFile(path, "locked", error.code)
        }
    }

    func unlock() { FileLock.release(descriptor) }

    // MARK: Names

    /// - Returns: `false` if there is no such file.
    static func rename(_ path: String, to new: String) throws(HTTPError) -> Bool {
        if systemRename(path, new) == 0 { return true }
        let error = errno
        if error == ENOENT { return false }
        throw .cacheFile(new, "replaced", error)
    }

    /// - Returns: `false` if there is no such file.
    @discardableResult
    static func remove(_ path: String) throws(HTTPError) -> Bool {
        if unsafe unlink(path) == 0 { return true }
        let error = errno
        if error == ENOENT { return false }
        throw .cacheFile(path, "removed", error)
    }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags, 0o600) }

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

private func systemRename(_ path: String, _ new: String) -> Int32 { unsafe rename(path, new) }
