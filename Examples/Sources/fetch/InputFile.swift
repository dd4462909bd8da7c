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

/// A file named on the command line, to read from; `-` is standard input.
struct InputFile {
    let path: String

    var isStandardInput: Bool { path == "-" }

    /// `false` if the bytes can be read only once, or have no length before, as those of a pipe. A
    /// file that is missing counts as regular, and fails when it is read.
    var isRegular: Bool {
        guard !isStandardInput else { return false }
        var status = stat()
        return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    init(_ path: some StringProtocol) { self.path = String(path) }

    /// Returns all bytes.
    ///
    /// - Throws: `requestBodyFailed` if they cannot be read.
    func read() throws(HTTPError) -> Data {
        var bytes = Data()
        try forEachPiece { bytes.append($0) }
        return bytes
    }

    /// Returns all bytes as text.
    ///
    /// - Throws: `requestBodyFailed` if they cannot be read, or are not UTF-8.
    func readText() throws(HTTPError) -> String {
        guard let text = String(validating: try read(), as: UTF8.self) else {
            throw HTTPError(.requestBodyFailed, "\(name) is not text in UTF-8")
        }
        return text
    }

    /// Returns a body that streams the file with its length. Standard input is streamed as it
    /// comes, once, without a length. Pipes and devices are read to their end.
    ///
    /// - Throws: `requestBodyFailed` if the file cannot be read.
    func body() throws(HTTPError) -> HTTPBody {
        if isStandardInput {
            guard Self.hasStandardInput else { throw Self.noStandardInput }
            return HTTPBody(source: StandardInput())
        }
        guard isRegular else { return HTTPBody(try read()) }
        do {
            return try HTTPBody(file: path)
        } catch {
            throw HTTPError(
                .requestBodyFailed, error.message, underlyingError: error.underlyingError)
        }
    }

    /// Calls `body` with each piece.
    func forEachPiece(_ body: (Data) -> Void) throws(HTTPError) {
        var descriptor = STDIN_FILENO
        if isStandardInput {
            guard Self.hasStandardInput else { throw Self.noStandardInput }
        } else {
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure(SystemError(errno)) }
        }
        defer { if !isStandardInput { _ = close(descriptor) } }
        while true {
            let piece: Data
            do throws(SystemError) {
                piece = try Data(readingUpTo: 64 << 10, from: descriptor)
            } catch {
                throw failure(error)
            }
            if piece.isEmpty { return }
            body(piece)
        }
    }

    private var name: String { isStandardInput ? "standard input" : path }

    private func failure(_ error: SystemError) -> HTTPError {
        HTTPError(.requestBodyFailed, "cannot read \(name): \(error)", underlyingError: error)
    }

    private static var noStandardInput: HTTPError {
        HTTPError(.requestBodyFailed, "cannot read standard input: it is closed")
    }

    /// `false` if the program was started without standard input. Read before any file is opened,
    /// which would take its number.
    static let hasStandardInput = fcntl(STDIN_FILENO, F_GETFD) >= 0
}

extension Data {
    /// Waits for bytes and reads them; none at the end.
    init(readingUpTo count: Int, from descriptor: Int32) throws(SystemError) {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let done = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe systemRead(descriptor, buffer.baseAddress, buffer.count)
            }
            if done >= 0 {
                self.init(bytes.prefix(done))
                return
            }
            let error = errno
            if error != EINTR { throw SystemError(error) }
        }
    }
}

/// The C library's `read`, which a method of that name hides.
@unsafe private func systemRead(
    _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
    unsafe read(descriptor, bytes, count)
}
