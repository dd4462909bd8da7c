#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The resident memory of the process.
enum ResidentMemory {
    /// The size in KiB; `nil` if the system does not provide it in a file.
    static var kibibytes: Int? {
        #if os(Linux)
            let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            guard let pages = text?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
            else { return nil }
            return pages * sysconf(Int32(_SC_PAGESIZE)) / 1024
        #else
            return nil
        #endif
    }
}
