#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What `print` leaves to be done.
enum StandardStreams {
    /// Sends out what `print` has buffered: a parent waits for it.
    static func flush() { _ = fflush(nil) }

    /// Writes a line to standard error.
    static func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
    }
}
