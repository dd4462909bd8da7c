public import HTTPCore
public import HTTPRetry
public import PortableFoundation

/// A complete downloaded file.
public struct HTTPDownload: Sendable {
    /// The path of a temporary file while a pipeline validates it, then the requested path.
    public internal(set) var path: String
    /// The length of the file in bytes, after decoding.
    public let length: Int64
    /// The content codings that the file is in, the outermost last, such as `gzip`; `nil` for none.
    ///
    /// A file is in a coding only if ``HTTPDownloadOptions/decoding`` is `never`, or if one of the
    /// codings cannot be decoded here.
    public let contentCoding: String?
    /// The last response's head, which may be that of a request for the rest. With several ranges
    /// at once, it is the head of the first response that brought bytes. If the file was decoded,
    /// it has neither `Content-Encoding` nor `Content-Length`, and a `Content-Range` counts coded
    /// bytes.
    public let response: HTTPResponse.Head
    /// The number of bytes that an earlier call had left; `nil` if all bytes came in this one.
    public let resumedOffset: Int64?
    /// The number of times that the call continued after the body broke.
    public let resumptions: Int
    /// The length of the file as it came, in bytes.
    let receivedLength: Int64
}

/// The options of ``/HTTPCore/HTTPSession/download(_:to:options:progress:)-(_,String,_,_)``.
public struct HTTPDownloadOptions: Sendable {
    /// A choice whether a file that comes in content codings is decoded.
    public enum Decoding: Hashable, Sendable {
        /// Decodes the file after all of it has arrived.
        ///
        /// It stays as it came if one of its codings is unknown, or has no library here. See
        /// ``HTTPDownload/contentCoding``.
        case automatic
        /// Keeps the file as it came.
        case never
    }

    /// The decoding of a file that comes in content codings.
    ///
    /// Servers of stored objects send these as they are stored, in gzip for example, whatever the
    /// request accepts. With `never`, a download over a transport that decodes by itself, as
    /// `URLSessionTransport` does, fails with `unsupportedOption` if the content was coded.
    ///
    /// A file that becomes more than 200 times as long by decoding fails with `bodyTooLarge` once
    /// it is longer than 16 MiB.
    public var decoding = Decoding.automatic
    /// The expected digest of the file, after decoding, in hexadecimal. A file with another digest
    /// is removed, and the download fails with `digestMismatch`.
    public var sha256: String?
    /// The number of times that a call continues by itself after the body breaks. Failures before
    /// the body are left to a retry layer.
    public var maxResumptions = 5
    /// The most ranges of the file that are loaded at once, from 1 to 16.
    ///
    /// With more than one, the file is split as soon as its first response shows that the server
    /// supports ranges: a 206, or a 200 with `Accept-Ranges: bytes`, of known length and with a
    /// strong entity tag or a date that can stand for one. The first response continues as the
    /// first range. A range has at least 1 MiB. A range that the server refuses is loaded by the
    /// others. Over HTTP/1.1, each range has its own connection; over HTTP/2, all share one.
    public var maxConcurrentRanges = 1
    /// The waits before resumptions.
    public var backoff = Backoff()
    /// The clock of a download through a session that begins no calls. A client has a clock.
    public var clock: any HTTPClock = .system
    /// A Boolean value that indicates whether the download begins at the first byte, even if an
    /// earlier download left a part.
    public var startsOver = false

    static let mostConcurrentRanges = 16
    /// The fewest bytes that a range is split into.
    var shortestRange: Int64 = 1 << 20
    /// The number of bytes that a crash of the system may lose.
    var checkpoint: Int64 = 64 << 20
    /// `true` if each request of the call may be sent again as often as the first.
    var renewsRetries = false

    /// Creates options with the defaults. If `sha256` is given, the file must have that digest, in
    /// hexadecimal digits.
    public init(sha256: String? = nil) { self.sha256 = sha256 }
}

/// The session of a download's call, which ends with the whole file.
private struct WholeDownload: HTTPSession {
    let draft: DownloadDraft
    let session: any HTTPSession

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await draft.response(for: request, from: session)
        return HTTPResponse(response.head, to: request)
    }
}

extension HTTPSession {
    /// Downloads a file to `path`, which is replaced in one step after the whole file is on the
    /// disk.
    ///
    /// Until then, the bytes are in `name.part`, and `name.part.json` describes the file that they
    /// belong to. If the call ends before (failure, cancellation, a killed process, a crash of the
    /// system), the next download to the same path from the same URL requests only the rest. This
    /// needs a response with a strong entity tag, or with a date that can stand for one. A file
    /// that has changed is loaded from the beginning. A 416 is understood even if the session
    /// throws it as an error.
    ///
    /// All requests are part of one call: its deadline limits the whole download, resumptions and
    /// their waits included, and its observer sees one call.
    ///
    /// Memory use stays constant. The content is requested without coding unless the request has an
    /// `Accept-Encoding` of its own. If it comes in one nevertheless, `name.part` has the coded
    /// bytes, which a later call continues, and `options.decoding` decides about the file. A limit
    /// of the request's delivery holds for both. Any 2xx with content is a file; any other status
    /// is an error.
    ///
    /// - Parameters:
    ///   - request: The request for the file.
    ///   - path: The path that the file will have.
    ///   - options: The settings; the defaults if left out.
    ///   - progress: Called where the body is read, so it should return at once. Values never
    ///     decrease, and count bytes before decoding. They have a `resumedOffset` from the first on
    ///     if a part is continued.
    /// - Throws: `unexpectedStatus`; `protocolViolation` if the server sends another part than was
    ///   requested; `contentDecodingFailed`, and the part is removed; `digestMismatch`; `fileBusy`;
    ///   `fileNotWritten` with a ``/HTTPCore/SystemError`` inside, and the part is kept;
    ///   `invalidRequest` if the request has a `Range` or a precondition of its own; or the error
    ///   that broke the body.
    @concurrent @discardableResult
    public func download(
        _ request: any HTTPRequestConvertible, to path: String,
        options: HTTPDownloadOptions = HTTPDownloadOptions(),
        progress: (@Sendable (HTTPTransferProgress) -> Void)? = nil
    ) async throws -> HTTPDownload {
        var options = options
        options.renewsRetries = true
        let request = try request.httpRequest
        let draft = DownloadDraft(to: path, options, report: progress)
        do {
            _ = try await beginningCall(for: request, clock: options.clock) { request in
                try await WholeDownload(draft: draft, session: self).attempt(request).get()
            }
            return try draft.accept()
        } catch {
            draft.giveUp(after: error)
            throw error
        }
    }

    /// Downloads a file to a file URL. See ``download(_:to:options:progress:)-(_,String,_,_)``.
    @concurrent @discardableResult
    public func download(
        _ request: any HTTPRequestConvertible, to file: URL,
        options: HTTPDownloadOptions = HTTPDownloadOptions(),
        progress: (@Sendable (HTTPTransferProgress) -> Void)? = nil
    ) async throws -> HTTPDownload {
        try await download(
            request, to: file.filePath, options: options, progress: progress)
    }

    /// Continues a download where an earlier call ended. See
    /// ``download(_:to:options:progress:)-(_,String,_,_)``.
    ///
    /// - Throws: `invalidRequest` if `data` is of another URL than the request.
    @concurrent @discardableResult
    public func download(
        _ request: any HTTPRequestConvertible, resuming data: HTTPResumeData,
        options: HTTPDownloadOptions = HTTPDownloadOptions(),
        progress: (@Sendable (HTTPTransferProgress) -> Void)? = nil
    ) async throws -> HTTPDownload {
        let request = try request.httpRequest
        try data.check(request, over: self)
        return try await download(request, to: data.path, options: options, progress: progress)
    }
}
