public import HTTPCore
public import HTTPRetry

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A file that has arrived, all of it.
public struct HTTPDownload: Sendable {
    /// That of the part while a pipeline judges it, then the one that was asked for.
    public internal(set) var path: String
    /// In bytes.
    public let length: Int64
    /// The last response's, which may be one to a request for the rest.
    public let response: HTTPResponse.Head
    /// How much of it an earlier call had left; `nil` when all of it came in this one.
    public let resumedOffset: Int64?
    /// How often the call went on after the body had broken.
    public let resumptions: Int
}

/// How ``HTTPCore/HTTPSession/download(_:to:options:progress:)`` works.
public struct HTTPDownloadOptions: Sendable {
    /// In hexadecimal. A file with another digest is removed, and the download fails with `digestMismatch`.
    public var sha256: String?
    /// How often a call goes on by itself when the body breaks. Failures before there is a body are for
    /// a retry layer.
    public var maxResumptions = 5
    /// The waits before that.
    public var backoff = Backoff()
    /// That the waits are measured on, for requests without a call.
    public var clock: any HTTPClock = .system
    /// Begins at the first byte, whatever an earlier download has left.
    public var startsOver = false

    public init(sha256: String? = nil) { self.sha256 = sha256 }
}

extension HTTPSession {
    /// Loads a file to `path`, which is replaced in one step when all has arrived and is on the disk.
    ///
    /// Until then the bytes are in `name.part`, and what they are part of is in `name.part.json`. Whatever ends
    /// the call before (failure, cancellation, a killed process, a crash of the system), the next download to
    /// the same path from the same URL asks for the rest only, if the response had a strong entity tag,
    /// or a date that can stand for one; a file that has changed begins anew. Of a session that takes
    /// such a status for a failure, 416 is understood all the same.
    ///
    /// Memory stays flat. The content is asked for without coding unless the request has an
    /// `Accept-Encoding` of its own. Any 2xx with content is a file, any other status is not.
    ///
    /// - Parameters:
    ///   - progress: called where the body is read, with what only goes forwards: it should return at once. With
    ///     `resumedOffset` from the first on where a part is gone on with.
    /// - Throws: `unexpectedStatus`; `protocolViolation` when a server sends another part than it was
    ///   asked for; `digestMismatch`; `fileBusy`; `fileNotWritten` with a ``HTTPCore/SystemError``
    ///   inside, the part is kept; `invalidRequest` for a request with a `Range` or a precondition of
    ///   its own; or what broke the body.
    @concurrent @discardableResult
    public func download(
        _ request: any HTTPRequestConvertible, to path: String,
        options: HTTPDownloadOptions = HTTPDownloadOptions(),
        progress: (@Sendable (HTTPTransferProgress) -> Void)? = nil
    ) async throws -> HTTPDownload {
        var run = try DownloadRun(self, request.httpRequest, to: path, options, report: progress)
        do {
            return try run.finish(try await run.arrive())
        } catch {
            run.leave()
            throw error
        }
    }

    /// As ``download(_:to:options:progress:)``, to a file's URL.
    @concurrent @discardableResult
    public func download(
        _ request: any HTTPRequestConvertible, to file: URL,
        options: HTTPDownloadOptions = HTTPDownloadOptions(),
        progress: (@Sendable (HTTPTransferProgress) -> Void)? = nil
    ) async throws -> HTTPDownload {
        guard file.isFileURL else {
            throw HTTPError(.invalidRequest, "a download goes to a file: URL, or to a path")
        }
        return try await download(
            request, to: file.path(percentEncoded: false), options: options, progress: progress)
    }

    /// As ``download(_:to:options:progress:)``, to where an earlier call has begun.
    @concurrent @discardableResult
    public func download(
        _ request: any HTTPRequestConvertible, resuming data: HTTPResumeData,
        options: HTTPDownloadOptions = HTTPDownloadOptions(),
        progress: (@Sendable (HTTPTransferProgress) -> Void)? = nil
    ) async throws -> HTTPDownload {
        try await download(request, to: data.path, options: options, progress: progress)
    }
}

extension HTTPError.Code {
    /// A file arrived, but not the expected one.
    public static var digestMismatch: Self { Self(rawValue: "digestMismatch") }
}
