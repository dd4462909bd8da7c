import HTTPCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Checks files before other code opens them by the same path. A path that contains a NUL is
/// refused: the system would read it only up to the NUL and check another file.
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
}
