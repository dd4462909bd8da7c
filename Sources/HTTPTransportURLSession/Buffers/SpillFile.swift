import Foundation
import HTTPCore
import PortableLibc

/// A temporary file without a name. It is gone with its last reference, and with the process.
///
/// Reads and writes name their offset, so one thread may write while another reads.
final class SpillFile: Sendable {
    private let descriptor: Int32

    init() throws(HTTPError) {
        let path = NSTemporaryDirectory() + "/http-session-" + UUID().uuidString
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("made", SystemError(errno)) }
        unsafe unlink(path)
        self.descriptor = descriptor
    }

    deinit { _ = close(descriptor) }

    func write(_ data: Data, at offset: Int64) throws(HTTPError) {
        do throws(HTTPError) {
            try data.write(toDescriptor: descriptor, at: offset)
        } catch {
            throw HTTPError(
                .fileNotWritten, "a temporary file could not be written: check for a full disk",
                underlyingError: error.underlyingError)
        }
    }

    func read(at offset: Int64, count: Int) throws(HTTPError) -> Data {
        var data = Data(count: count)
        let read = unsafe data.withUnsafeMutableBytes { buffer in
            unsafe self.read(at: offset, into: buffer)
        }
        guard read > 0 else {
            throw Self.failure("read", SystemError(read < 0 ? errno : EIO))
        }
        return read == count ? data : data.prefix(read)
    }

    /// - Returns: the number of bytes, 0 at the end, or less than 0 with `errno` set.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count: Int
        repeat {
            count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        } while count < 0 && errno == EINTR
        return count
    }

    #if canImport(Darwin)
        /// Returns a new stream that starts at the beginning of the file.
        func makeStream() -> InputStream? { InputStream(fileAtPath: "/dev/fd/\(descriptor)") }
    #endif

    private static func failure(_ action: String, _ error: SystemError) -> HTTPError {
        HTTPError(
            .fileNotWritten, "a temporary file could not be \(action): \(error)",
            underlyingError: error)
    }
}
