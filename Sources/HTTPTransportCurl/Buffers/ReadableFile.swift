import HTTPCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Looks at files before others open them by the same path. One that holds a NUL is none: the system
/// would read it up to there, and so look at another file.
enum ReadableFile {
    /// What keeps `path` from being read as a regular file, or `nil`.
    static func check(_ path: String) -> SystemError? {
        guard !path.utf8.contains(0) else { return SystemError(EINVAL) }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return SystemError(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return SystemError(EINVAL) }
        return unsafe access(path, R_OK) == 0 ? nil : SystemError(errno)
    }

    /// What keeps the directory at `path` from being searched, or `nil`.
    static func checkDirectory(_ path: String) -> SystemError? {
        guard !path.utf8.contains(0) else { return SystemError(EINVAL) }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return SystemError(errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { return SystemError(ENOTDIR) }
        return unsafe access(path, R_OK | X_OK) == 0 ? nil : SystemError(errno)
    }
}
