public import HTTPCore
public import PortableFoundation

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
