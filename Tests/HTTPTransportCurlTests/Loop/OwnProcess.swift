import PortableFoundation
import PortableLibc

/// The system resources of this process, for tests that run in a process of their own.
enum OwnProcess {
    /// Returns the target of each open descriptor, without timers. Those belong to Dispatch, which
    /// makes one for each clock at the first wait, and keeps it.
    static func descriptors() -> [String] {
        descriptors(of: "self").filter { $0.end != "anon_inode:[timerfd]" }
            .map { "\($0.number) \($0.end)" }
    }

    /// Returns the open descriptors of any process, with their targets.
    static func descriptors(of process: String) -> [(number: String, end: String)] {
        let folder = "/proc/\(process)/fd"
        return entries(of: folder).compactMap { number in
            // A descriptor that was closed since, such as the one of this listing, has no target.
            let end = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "\(folder)/\(number)")
            return end.map { (number, $0) }
        }
    }

    /// Resident size in KiB, or 0 where the system does not tell.
    static var resident: Int {
        line("VmRSS:", of: "/proc/self/status").flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// Makes the C library return large blocks to the system when they are freed. By default, it
    /// keeps as many as were ever in use at once.
    static func keepNoLargeBlocks() {
        #if canImport(Glibc)
            typealias Option = @convention(c) (Int32, Int32) -> Int32
            guard let symbol = unsafe dlsym(nil, "mallopt") else { return }
            let largeBlocks: Int32 = -3  // M_MMAP_THRESHOLD
            _ = unsafe unsafeBitCast(symbol, to: Option.self)(largeBlocks, 128 << 10)
        #endif
    }

    /// Returns the free memory of the C library to the system, in whole pages.
    static func giveBack() {
        #if canImport(Glibc)
            typealias Trim = @convention(c) (Int) -> Int32
            guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
            _ = unsafe unsafeBitCast(symbol, to: Trim.self)(0)
        #endif
    }

    static func threadNames() -> [String] { threads().map(\.name) }

    /// Redirects standard error to the parent's. The standard error of an exit test is not read,
    /// and the last messages of a sanitizer or of the C library would be lost.
    static func speakAsItsParent() {
        #if os(Linux)
            let descriptor = unsafe open("/proc/\(getppid())/fd/2", O_WRONLY | O_APPEND | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            dup2(descriptor, 2)
            close(descriptor)
        #endif
    }

    /// Bit *n* − 1 for signal *n*, of the first thread with that name.
    static func blockedSignals(ofThread name: String) -> UInt64? {
        guard let thread = threads().first(where: { $0.name == name }) else { return nil }
        return line("SigBlk:", of: "/proc/self/task/\(thread.id)/status").flatMap {
            UInt64($0, radix: 16)
        }
    }

    private static func threads() -> [(id: String, name: String)] {
        entries(of: "/proc/self/task").compactMap { id in
            line("Name:", of: "/proc/self/task/\(id)/status").map { (id, $0) }
        }
    }

    /// Returns the text after `key` and blanks in the first line that begins with `key`.
    private static func line(_ key: String, of path: String) -> String? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let bytes = line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init)
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.hasPrefix(key) else { continue }
            return String(text.dropFirst(key.count).drop { $0 == "\t" || $0 == " " })
        }
        return nil
    }

    private static func entries(of path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
}
