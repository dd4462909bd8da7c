public import PortableFoundation
import PortableLibc

/// The end of a body. Every body ends exactly once.
public enum HTTPBodyEnd: Sendable {
    /// The body was read to its last byte.
    case complete(trailers: HTTPHeaders?)
    /// The body was abandoned or discarded, or released before its end.
    case abandoned
    /// The body has failed with this error. Bytes that came before it were delivered.
    case failed(any Error)
}

/// The source of a body's bytes. Transports and tests implement it, and ``HTTPBody`` reads it.
///
/// A source has one reader, so calls of `next()` never overlap. `abandon()` and `discard()` may be
/// called at any time, from any thread, more than once, and while `next()` is waiting. `next()`
/// must then return soon; the reader receives an error, whatever `next()` returns.
public protocol HTTPBodySource: AnyObject, Sendable {
    /// Returns the next bytes, never empty, or `nil` after the last.
    ///
    /// - Throws: The error that ended the body, or `CancellationError` if the calling task is
    ///   cancelled. The source cannot be used after an error.
    func next() async throws -> Data?

    /// Abandons the bytes that have not been read, without waiting. Closes a connection that still
    /// carries them. May be called from a `deinit`, so it never blocks.
    func abandon()

    /// Discards the bytes that have not been read, and returns once the connection is free again. A
    /// short rest is read to its end; for a long one the connection is closed.
    func discard() async

    /// The trailer section (RFC 9110 §6.5), available after `next()` has returned `nil`.
    var trailers: HTTPHeaders? { get }

    /// Writes the rest of the body to a file, starting at `offset`.
    ///
    /// - Returns: The number of bytes written.
    func write(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64
}

extension HTTPBodySource {
    public func discard() async { abandon() }
    public var trailers: HTTPHeaders? { nil }

    public func write(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64 {
        try await writePieces(toDescriptor: descriptor, at: offset)
    }

    func writePieces(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64 {
        var written: Int64 = 0
        while let data = try await next() {
            try data.write(toDescriptor: descriptor, at: offset + written)
            written += Int64(data.count)
        }
        return written
    }
}

extension Data {
    /// Writes all bytes, even if the system writes fewer at a time.
    package func write(toDescriptor descriptor: Int32, at offset: Int64) throws(HTTPError) {
        let failure = unsafe withUnsafeBytes {
            unsafe $0.write(toDescriptor: descriptor, at: offset)
        }
        if let failure {
            throw HTTPError(
                .fileNotWritten, "writing the body to a file failed: \(SystemError(failure))",
                phase: .receiving, mayHaveReachedServer: true, underlyingError: SystemError(failure)
            )
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Writes all bytes, even if the system writes fewer at a time. Returns the `errno` of a
    /// failure.
    package func write(toDescriptor descriptor: Int32, at offset: Int64) -> Int32? {
        var done = 0
        while done < count {
            let written = unsafe pwrite(
                descriptor, baseAddress?.advanced(by: done), count - done,
                off_t(offset) + off_t(done))
            if written > 0 {
                done += written
            } else if written == 0 || errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
