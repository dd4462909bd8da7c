import HTTPCore
import PortableLibc

/// Reads files, and checks those that other code opens by the same path. A path that contains a NUL
/// is refused: the system would read it only up to the NUL and find another file.
enum ReadableFile {
    /// Returns the reason why `path` cannot be read as a regular file, or `nil`.
    static func check(_ path: String) -> SystemError? {
        guard !path.utf8.contains(0) else { return SystemError(EINVAL) }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return SystemError(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return SystemError(EINVAL) }
        return unsafe access(path, R_OK) == 0 ? nil : SystemError(errno)
    }

    /// Returns the reason why the directory at `path` cannot be searched, or `nil`.
    static func checkDirectory(_ path: String) -> SystemError? {
        guard !path.utf8.contains(0) else { return SystemError(EINVAL) }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return SystemError(errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { return SystemError(ENOTDIR) }
        return unsafe access(path, R_OK | X_OK) == 0 ? nil : SystemError(errno)
    }

    /// Returns the content of the regular file at `path`. FoundationEssentials' own reader leaks
    /// 4 KiB for each empty file.
    static func contents(_ path: String) throws(SystemError) -> [UInt8] {
        guard !path.utf8.contains(0) else { throw SystemError(EINVAL) }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError(errno) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(EINVAL) }
        var bytes: [UInt8] = []
        // One byte more than the file has now, so that the last read finds its end.
        var room = Int(status.st_size) + 1
        while true {
            var result = 0
            let part = unsafe [UInt8](unsafeUninitializedCapacity: room) { part, count in
                repeat {
                    result = unsafe read(descriptor, part.baseAddress, room)
                } while result < 0 && errno == EINTR
                count = max(0, result)
            }
            guard result >= 0 else { throw SystemError(errno) }
            if part.isEmpty { return bytes }
            bytes += part
            room = 64 << 10
        }
    }
}
