import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file of one ``HTTPPipeline/value()``, locked from the first attempt until it is accepted or given up.
///
/// Its bytes stay `name.part` while validators judge them: what they refuse never takes the place of the
/// file that was there before.
final class DownloadDraft: Sendable {
    private enum State: Sendable {
        /// Not begun, or over.
        case none
        /// What an attempt has left for the next one.
        case left(DownloadRun)
        /// All is there, and nobody has refused it yet.
        case arrived(DownloadRun, HTTPDownload)
        case finished(HTTPDownload)
    }

    private let path: String
    private let options: HTTPDownloadOptions
    private let report: (@Sendable (HTTPTransferProgress) -> Void)?
    private let state = Locked(State.none)

    init(
        to path: String, _ options: HTTPDownloadOptions,
        report: (@Sendable (HTTPTransferProgress) -> Void)?
    ) {
        self.path = path
        self.options = options
        self.report = report
    }

    /// One attempt: loads what is missing, or all of it anew where that was refused.
    ///
    /// - Returns: what stands for the answers that the file was put together from.
    func response(
        for request: HTTPRequest, from session: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = request
        request[DownloadDraft.self] = nil
        let left = take()
        var run =
            try left?.run
            ?? DownloadRun(session, request, to: path, options, report: report)
        do {
            if left?.isRefused == true { try run.giveUpPart() }
            let download = try await run.arrive(request, through: session)
            var response = HTTPResponse(
                download.response.combined(length: download.length),
                body: try HTTPBody(file: download.path), to: request)
            response[DownloadDraft.self] = self
            state.withLock { [run] in $0 = .arrived(run, download) }
            return response
        } catch {
            state.withLock { [run] in $0 = .left(run) }
            throw error
        }
    }

    /// What is there, out of the hands of this: one attempt is made at a time.
    private func take() -> (run: DownloadRun, isRefused: Bool)? {
        let state = state.withLock { state in
            defer { state = .none }
            return state
        }
        switch state {
        case .none, .finished: return nil
        case .left(let run): return (run, false)
        case .arrived(let run, _): return (run, true)
        }
    }

    /// The file as it is now: as its part until it is accepted.
    var download: HTTPDownload? {
        switch state.withLock({ $0 }) {
        case .none, .left: nil
        case .arrived(_, let download), .finished(let download): download
        }
    }

    /// Puts the file in its place, once.
    func accept() throws(HTTPError) -> HTTPDownload {
        if case .finished(let download) = state.withLock({ $0 }) { return download }
        guard let arrived = download, var (run, _) = take() else { throw .fileReplaced }
        do {
            let download = try run.finish(arrived)
            state.withLock { $0 = .finished(download) }
            return download
        } catch {
            state.withLock { [run] in $0 = .left(run) }
            throw error
        }
    }

    /// Ends the draft. What may be gone on with stays, what was refused does not.
    func giveUp(after error: any Error) {
        guard let (run, isWhole) = take() else { return }
        let isStopped = error is CancellationError || (error as? HTTPError)?.timer != nil
        if isWhole, !isStopped { try? run.file.discard() } else { run.leave() }
    }
}

extension DownloadDraft: HTTPRequestOption {
    static var defaultValue: DownloadDraft? { nil }
}

extension HTTPResponse.Head {
    /// Of the whole that a part has completed, which counts as a 200 (RFC 9110 §15.3.7.3).
    fileprivate func combined(length: Int64) -> Self {
        var head = self
        switch status {
        case .partialContent: break
        case .rangeNotSatisfiable: head.headers.remove(.contentType)  // the explanation's
        default: return self
        }
        head.status = .ok
        head.headers.remove(.contentRange)
        head.headers[.contentLength] = "\(length)"
        return head
    }
}

extension HTTPError {
    static var fileReplaced: HTTPError {
        HTTPError(
            .validationFailed, "a validator has put another response in the place of the file")
    }
}
