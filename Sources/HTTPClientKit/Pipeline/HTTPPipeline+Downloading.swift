public import HTTPCore
import HTTPValidation
public import PortableFoundation

extension HTTPSession {
    /// Describes a download with the same operators as other pipelines. It works as
    /// ``/HTTPCore/HTTPSession/download(_:to:options:progress:)-(_,String,_,_)`` does. An invalid
    /// request makes ``/HTTPClientKit/HTTPPipeline/value()`` throw.
    ///
    /// The file takes its place after all rules above the first
    /// ``/HTTPClientKit/HTTPPipeline/map(_:)`` have accepted it, or all rules if there is no `map`.
    /// A refused file is removed, and a retry below loads it again from the beginning. After any
    /// other failure, a retry continues the part, and so does the next
    /// ``/HTTPClientKit/HTTPPipeline/value()``. A file that was put together from parts is
    /// validated as the 200 that it amounts to (RFC 9110 §15.3.7.3). A rule that reads bodies reads
    /// the file, up to the rule's limit.
    ///
    /// - Parameters:
    ///   - request: The request for the file.
    ///   - path: Locked while a value is being made: a second
    ///     ``/HTTPClientKit/HTTPPipeline/value()`` fails with `fileBusy`.
    ///   - options: `maxResumptions` is counted separately for each attempt.
    ///   - adapter: The same as in ``pipeline(for:adapter:coalescing:)``.
    ///   - progress: The same as for a download, over all attempts.
    public func pipeline(
        for request: any HTTPRequestConvertible, downloadingTo path: String,
        options: HTTPDownloadOptions = HTTPDownloadOptions(),
        adapter: (any HTTPRequestInterceptor)? = nil,
        progress: (@Sendable (HTTPTransferProgress) -> Void)? = nil
    ) -> HTTPPipeline<HTTPDownload> {
        task(
            Result { try PendingRequest(request) }, downloadingTo: path, options, adapter, progress)
    }

    /// Creates a pipeline that downloads to a file URL. See
    /// ``pipeline(for:downloadingTo:options:adapter:progress:)-(_,String,_,_,_)``.
    /// ``/HTTPClientKit/HTTPPipeline/value()`` throws `invalidRequest` for another URL.
    public func pipeline(
        for request: any HTTPRequestConvertible, downloadingTo file: URL,
        options: HTTPDownloadOptions = HTTPDownloadOptions(),
        adapter: (any HTTPRequestInterceptor)? = nil,
        progress: (@Sendable (HTTPTransferProgress) -> Void)? = nil
    ) -> HTTPPipeline<HTTPDownload> {
        let pending = Result {
            _ = try file.filePath
            return try PendingRequest(request)
        }
        let path = (try? file.filePath) ?? ""
        return task(pending, downloadingTo: path, options, adapter, progress)
    }

    private func task(
        _ pending: Result<PendingRequest, any Error>, downloadingTo path: String,
        _ options: HTTPDownloadOptions, _ adapter: (any HTTPRequestInterceptor)?,
        _ progress: (@Sendable (HTTPTransferProgress) -> Void)?
    ) -> HTTPPipeline<HTTPDownload> {
        let call = CallDescription(self, layers: [Downloading()]) {
            var request = try pending.get().begun.endingCall()
            request[DownloadDraft.self] = DownloadDraft(to: path, options, report: progress)
            return request
        }
        let pipeline = HTTPPipeline<HTTPDownload>(call) { response in
            guard let draft = response[DownloadDraft.self] else { throw HTTPError.fileReplaced }
            return try draft.accept()
        }
        return adapter.map { pipeline.adapt(using: $0) } ?? pipeline
    }
}

extension HTTPPipeline where Output == HTTPDownload {
    /// Validates the file before it takes its place; until then, its path is that of the part.
    /// Failures pass unchanged. If `judge` throws, the call fails with `validationFailed`, too.
    public func validate(
        _ judge: @escaping @Sendable (HTTPDownload) async throws -> HTTPValidity
    ) -> Self {
        validate(
            using: ClosureValidator { response, _ in
                guard let download = response[DownloadDraft.self]?.download else { return .next }
                switch try await judge(download) {
                case .valid: return .next
                case .invalid(let reason): return .invalid(reason)
                }
            })
    }
}

/// The innermost layer: loads the file of a download.
private struct Downloading: HTTPClientMiddleware {
    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard let draft = request[DownloadDraft.self] else {
            throw HTTPError(.internalFailure, "a download has no file")
        }
        return try await Loading(draft: draft, next: next).attempt(request).get()
    }

    private struct Loading: HTTPSession {
        let draft: DownloadDraft
        let next: any HTTPSession

        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            try await draft.response(for: request, from: next)
        }
    }
}
