import PortableLibc

/// The current boot of the operating system.
enum Boot {
    /// An identifier of the boot; `nil` if the system provides none. Without it, only synced bytes
    /// outlive the process.
    static let current: String? = {
        #if os(Linux)
            let file = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { _ = close(file) }
            var text = [UInt8](repeating: 0, count: 36)
            guard unsafe read(file, &text, text.count) == text.count else { return nil }
            return String(decoding: text, as: UTF8.self)
        #else
            return nil
        #endif
    }()
}
