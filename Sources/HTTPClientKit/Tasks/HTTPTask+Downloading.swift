public import HTTPCore
public import PortableFoundation

extension HTTPSession {
    /// Creates a pending task that downloads a file, in the same way as
    /// ``/HTTPCore/HTTPSession/download(_:to:options:progress:)-(_,String,_,_)``. Start it with
    /// ``/HTTPClientKit/HTTPTask/run()``.
    ///
    /// ``/HTTPClientKit/HTTPTask/cancelProducingResumeData()`` returns an
    /// ``/HTTPClientKit/HTTPResumeData`` as JSON if a part is left that can be continued. It
    /// returns after all received bytes are in the file.
    public func downloadTask(
        _ request: any HTTPRequestConvertible, to path: String,
        options: HTTPDownloadOptions = HTTPDownloadOptions()
    ) -> HTTPTask<HTTPDownload> {
        downloadTask(Result { try PendingRequest(request) }, to: path, options)
    }

    /// Creates a pending task that downloads a file to a file URL. See
    /// ``downloadTask(_:to:options:)-(_,String,_)``. ``/HTTPClientKit/HTTPTask/value`` throws
    /// `invalidRequest` for another URL.
    public func downloadTask(
        _ request: any HTTPRequestConvertible, to file: URL,
        options: HTTPDownloadOptions = HTTPDownloadOptions()
    ) -> HTTPTask<HTTPDownload> {
        let pending = Result {
            _ = try file.filePath
            return try PendingRequest(request)
        }
        return downloadTask(pending, to: (try? file.filePath) ?? "", options)
    }

    /// Creates a pending task that continues a download where an earlier one ended. See
    /// ``downloadTask(_:to:options:)-(_,String,_)``.
    ///
    /// ``/HTTPClientKit/HTTPTask/value`` throws `invalidRequest` if `data` is of another URL than
    /// the request.
    public func downloadTask(
        _ request: any HTTPRequestConvertible, resuming data: HTTPResumeData,
        options: HTTPDownloadOptions = HTTPDownloadOptions()
    ) -> HTTPTask<HTTPDownload> {
        let pending = Result {
            let pending = try PendingRequest(request)
            try data.check(pending.request, over: self)
            return pending
        }
        return downloadTask(pending, to: data.path, options)
    }

    private func downloadTask(
        _ pending: Result<PendingRequest, any Error>, to path: String,
        _ options: HTTPDownloadOptions
    ) -> HTTPTask<HTTPDownload> {
        let arrived = Locked<HTTPDownload?>(nil)
        return HTTPTask(
            HTTPTask.Work(
                exchange: { report in
                    let request = try pending.get().begun
                    let download = try await self.download(
                        request, to: path, options: options, progress: report)
                    arrived.withLock { $0 = download }
                    return HTTPResponse(download.response, to: request)
                },
                convert: { _ in
                    guard let download = arrived.withLock({ $0 }) else {
                        throw HTTPError(.internalFailure, "a downloaded file is missing")
                    }
                    return download
                },
                received: { arrived.withLock { $0?.receivedLength } },
                resumeData: {
                    // The part may belong to another download to the same path.
                    guard let data = HTTPResumeData(downloadTo: path),
                        let request = try? pending.get().request,
                        (try? data.check(request, over: self)) != nil
                    else { return nil }
                    return try? JSONEncoder().encode(data)
                }))
    }
}

extension HTTPResumeData {
    /// Creates the value from the result of a download's
    /// ``/HTTPClientKit/HTTPTask/cancelProducingResumeData()``.
    ///
    /// - Throws: `decodingFailed` if `bytes` are not resume data.
    public init(_ bytes: Data) throws(HTTPError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: bytes)
        } catch {
            throw HTTPError(
                .decodingFailed, "the bytes are not resume data", underlyingError: error)
        }
    }
}
