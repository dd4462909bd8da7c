import HTTPCore
import PortableLibc

/// The lines of standard output. Each is written at once, and as a whole.
///
/// `print` with `fflush(nil)` would wait for the lock of standard input, and so for its next line.
final class OutputLines: Sendable {
    private let isOpen = Locked(true)

    func write(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        isOpen.withLock { isOpen in
            var rest = bytes[...]
            while isOpen, !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { bytes in
                    unsafe systemWrite(1, bytes.baseAddress, bytes.count)
                }
                if count > 0 { rest = rest.dropFirst(count) }
                if count < 0, errno != EINTR { isOpen = false }
            }
        }
    }
}

/// The system's function, which a method called `write` would hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
