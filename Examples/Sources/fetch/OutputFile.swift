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

/// A file or pipe to append bytes to.
final class OutputFile {
    static var standardOutput: OutputFile { OutputFile(STDOUT_FILENO, "standard output") }
    static var standardError: OutputFile { OutputFile(STDERR_FILENO, "standard error") }

    private let descriptor: Int32
    let name: String

    private init(_ descriptor: Int32, _ name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Opens the null device in place of the standard streams that are closed, so that no other
    /// file gets their numbers. Writing to it fails.
    static func fillStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }

    enum Mode {
        /// Creates the file, or empties it if it exists.
        case replacing
        /// Creates the file, and fails if it exists.
        case creating
        /// Creates the file, or writes behind its end.
        case appending

        fileprivate var flags: Int32 {
            switch self {
            case .replacing: O_TRUNC
            case .creating: O_EXCL
            case .appending: O_APPEND
            }
        }
    }

    convenience init(_ path: String, _ mode: Mode = .replacing) throws(HTTPError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | mode.flags, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path, SystemError(errno)) }
        self.init(descriptor, path)
    }

    var isTerminal: Bool { isatty(descriptor) != 0 }

    /// `true` if the program has opened it, by its path.
    var isFile: Bool { descriptor > STDERR_FILENO }

    deinit { if isFile { _ = close(descriptor) } }

    /// Writes all bytes, in as many calls as necessary.
    func write(_ data: Data) throws(HTTPError) {
        let error: SystemError? = unsafe data.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = unsafe systemWrite(
                    descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count > 0 {
                    done += count
                } else if errno != EINTR {
                    return SystemError(errno)
                }
            }
            return nil
        }
        if let error { throw Self.failure(name, error) }
    }

    /// Writes text. On a terminal, its characters that control the terminal or reorder text are
    /// escaped; tabs and line ends stay.
    func write(text: String) throws(HTTPError) {
        try write(Data((isTerminal ? text.escapingControls(keepingLines: true) : text).utf8))
    }

    private static func failure(_ name: String, _ error: SystemError) -> HTTPError {
        HTTPError(.fileNotWritten, "cannot write to \(name): \(error)", underlyingError: error)
    }
}

/// The C library's `write`, which the method of that name hides.
@unsafe private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int)
    -> Int
{
    unsafe write(descriptor, bytes, count)
}
