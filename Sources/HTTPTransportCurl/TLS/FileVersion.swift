import PortableLibc

/// A value that differs once the file at a path has been changed or replaced.
struct FileVersion: Hashable {
    private let device: Int
    private let number: UInt64
    private let seconds: Int
    private let nanoseconds: Int

    /// Returns `nil` if there is no such file, or none that may be looked up.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let changed = status.st_ctimespec
        #else
            let changed = status.st_ctim
        #endif
        device = Int(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        seconds = Int(changed.tv_sec)
        nanoseconds = Int(changed.tv_nsec)
    }
}
