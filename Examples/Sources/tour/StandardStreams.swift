#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Output that `print` does not cover.
enum StandardStreams {
    /// Flushes the buffer of `print`, since a parent process waits for the output.
    static func flush() { _ = fflush(nil) }

    /// Writes a line to standard error.
    static func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
    }
}
