public import HTTPCore
import HTTPValidation

extension HTTPSession {
    /// Describes a download that works as ``HTTPCore/HTTPSession/download(_:to:options:progress:)``, for the same
    /// operators. What is no request fails ``HTTPPipeline/value()``.
    ///
    /// The file takes its place when all rules above the first ``HTTPPipeline/map(_:)`` have accepted
    /// it, or all of them where nothing is mapped. A file that is refused is removed, and a retry
    /// below loads it anew; after any other failure a retry goes on with the part, and so does the
    /// next ``HTTPPipeline/value()``. One that was put together from parts is judged as the 200 that it amounts
    /// to (RFC 9110 §15.3.7.3); a rule that reads bodies reads the file, up to the rule's limit.
    ///
    /// - Parameters:
    ///   - path: locked while a value is being made: another one fails with `fileBusy`.
    ///   - options: `maxResumptions` counts anew for each attempt.
    ///   - adapter: as of ``task(for:adapter:coalescing:)``.
    ///   - progress: as of a download, over all attempts.
    public func task(
        for request: any HTTPRequestConvertible, downloadingTo path: String,
        options: HTTPDownloadOptions = HTTPDownloadOptions(),
        adapter: (any HTTPRequestInterceptor)? = nil,
        progress: (@Sendable (HTTPTransferProgress) -> Void)? = nil
    ) -> HTTPPipeline<HTTPDownload> {
        let request = Result { try request.httpRequest.endingCall() }
        let pipeline = HTTPPipeline<HTTPDownload>(
            {
                var request = try request.get()
                request[DownloadDraft.self] = DownloadDraft(to: path, options, report: progress)
                return request
            }, self, layers: [Downloading()]
        ) { response in
            guard let draft = response[DownloadDraft.self] else { throw HTTPError.fileReplaced }
            return try draft.accept()
        }
        return adapter.map { pipeline.adapt(using: $0) } ?? pipeline
    }
}

extension HTTPPipeline where Output == HTTPDownload {
    /// Judges a file before it takes its place: until then its path is that of the part. Failures pass.
    /// A throw is `validationFailed`, too.
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

/// The innermost: a file for an answer.
private struct Downloading: HTTPClientMiddleware {
    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard let draft = request[DownloadDraft.self], request.call != nil else {
            throw HTTPError(.internalFailure, "a download without a file, or without a call")
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
