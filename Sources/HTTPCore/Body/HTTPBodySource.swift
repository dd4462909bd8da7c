#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How a body ended; every body ends exactly once.
public enum HTTPBodyEnd: Sendable {
    /// Read to its last byte.
    case complete(trailers: HTTPHeaders?)
    /// Given up by its reader, or dropped unread.
    case abandoned
    case failed(any Error)
}

/// Where a body's bytes come from: what a transport or a test writes, and ``HTTPBody`` reads.
///
/// One reader: calls of `next()` never overlap. `abandon()` and `discard()` may come at any time,
/// from any thread, more than once, and while `next()` is waiting, which then returns soon: the
/// reader gets an error, whatever the source makes of it.
public protocol HTTPBodySource: AnyObject, Sendable {
    /// The next bytes, never empty, or `nil` after the last.
    ///
    /// - Throws: what broke the body, or `CancellationError` when the calling task is cancelled;
    ///   the source is then of no use any more.
    func next() async throws -> Data?

    /// Gives up what has not been read, without waiting: a connection that still carries it is cut.
    /// Called from a `deinit`, so it never blocks.
    func abandon()

    /// Gives up what has not been read and returns once the connection is free again: a short rest
    /// is read away, for a long one the connection is cut.
    func discard() async

    /// The trailer section (RFC 9110 §6.5), once `next()` has returned `nil`.
    var trailers: HTTPHeaders? { get }

    /// Writes what is left to a file, from `offset` on.
    ///
    /// - Returns: the number of bytes written.
    func write(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64
}

extension HTTPBodySource {
    public func discard() async { abandon() }
    public var trailers: HTTPHeaders? { nil }

    public func write(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64 {
        var written: Int64 = 0
        while let data = try await next() {
            try data.write(toDescriptor: descriptor, at: offset + written)
            written += Int64(data.count)
        }
        return written
    }
}

extension Data {
    /// Writes all of it, however often the system writes less.
    package func write(toDescriptor descriptor: Int32, at offset: Int64) throws(HTTPError) {
        let failure: Int32? = unsafe withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = unsafe pwrite(
                    descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                    off_t(offset) + off_t(done))
                if count > 0 { done += count } else if count == 0 || errno != EINTR { return errno }
            }
            return nil
        }
        if let failure {
            throw HTTPError(
                .fileNotWritten, "writing the body to a file failed: \(SystemError(failure))",
                underlyingError: SystemError(failure))
        }
    }
}

extension HTTPError.Code {
    /// The body could not be written to the file it was meant for.
    public static var fileNotWritten: Self { Self(rawValue: "fileNotWritten") }
}
