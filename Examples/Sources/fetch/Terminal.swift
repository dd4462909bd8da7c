import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard error: for all output except the response.
enum Terminal {
    static let isInteractive = isatty(STDERR_FILENO) != 0

    /// Writes a line. Its characters that control a terminal or reorder text are escaped: much of
    /// what is said comes from servers.
    static func say(_ line: String) { write(line.escapingControls() + "\n") }

    /// Writes at once. Text that cannot be written is lost.
    static func write(_ text: String) { try? OutputFile.standardError.write(Data(text.utf8)) }
}
