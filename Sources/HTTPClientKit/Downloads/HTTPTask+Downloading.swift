public import HTTPCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension HTTPSession {
    /// A pending task that loads a file as ``HTTPCore/HTTPSession/download(_:to:options:progress:)`` does:
    /// start it with ``HTTPTask/run()``.
    ///
    /// ``HTTPTask/cancelProducingResumeData()`` answers with an ``HTTPResumeData`` as JSON, once all that
    /// has arrived is in its place, where the part that is left can be gone on with.
    public func downloadTask(
        _ request: any HTTPRequestConvertible, to path: String,
        options: HTTPDownloadOptions = HTTPDownloadOptions()
    ) -> HTTPTask<HTTPDownload> {
        let request = Result { try request.httpRequest }
        let arrived = Locked<HTTPDownload?>(nil)
        return HTTPTask(
            HTTPTask.Work(
                exchange: { report in
                    let request = try request.get()
                    let download = try await self.download(
                        request, to: path, options: options, progress: report)
                    arrived.withLock { $0 = download }
                    return HTTPResponse(download.response, to: request)
                },
                convert: { _ in
                    guard let download = arrived.withLock({ $0 }) else {
                        throw HTTPError(.internalFailure, "a file that has arrived is missing")
                    }
                    return download
                },
                received: { arrived.withLock { $0?.length } },
                resumeData: {
                    HTTPResumeData(downloadTo: path).flatMap { try? JSONEncoder().encode($0) }
                }))
    }
}

extension HTTPResumeData {
    /// What ``HTTPTask/cancelProducingResumeData()`` of a download has answered.
    ///
    /// - Throws: `decodingFailed` when it is something else.
    public init(_ bytes: Data) throws(HTTPError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: bytes)
        } catch {
            throw HTTPError(
                .decodingFailed, "this is no resume data of a download", underlyingError: error)
        }
    }
}
