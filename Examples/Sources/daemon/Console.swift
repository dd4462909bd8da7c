#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard output, which contains only the log of deliveries, and standard error.
enum Console {
    static func log(_ line: String) { write(line, to: STDOUT_FILENO) }
    static func tell(_ line: String) { write(line, to: STDERR_FILENO) }

    /// Writes a line in one step, so that lines do not mix and none is left in a buffer when the
    /// process ends. A line that cannot be written is lost.
    private static func write(_ line: String, to descriptor: Int32) {
        var bytes = ArraySlice((line + "\n").utf8)
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe systemWrite(descriptor, bytes)
            }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}

/// The C library's `write`, which the method of that name hides.
@unsafe private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
