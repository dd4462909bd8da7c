import HTTPCore
import PortableFoundation

/// The file of one ``HTTPPipeline/value()``, locked from the first attempt until it is accepted or
/// given up.
///
/// Its bytes stay in `name.part` while validators check them: a refused file never replaces the
/// existing one.
final class DownloadDraft: Sendable {
    private enum State: Sendable {
        /// The download has not begun, or is over.
        case none
        /// The state that an attempt leaves for the next one.
        case left(DownloadRun)
        /// The whole file has arrived and has not been refused yet.
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

    /// Makes one attempt: loads the missing bytes, or the whole file again if it was refused.
    ///
    /// - Returns: A response that stands for all the responses that the file was put together from.
    func response(
        for request: HTTPRequest, from session: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = request
        request[DownloadDraft.self] = nil
        let left = take()
        var run = try left?.run ?? run(of: request, through: session)
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

    private func run(
        of request: HTTPRequest, through session: any HTTPSession
    ) throws(HTTPError) -> DownloadRun {
        do {
            return try DownloadRun(session, request, to: path, options, report: report)
        } catch {
            throw error.naming(request)
        }
    }

    /// Takes the current state out of the draft: only one attempt is made at a time.
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

    /// The current file: its part until it is accepted.
    var download: HTTPDownload? {
        switch state.withLock({ $0 }) {
        case .none, .left: nil
        case .arrived(_, let download), .finished(let download): download
        }
    }

    /// Moves the file to its place, once.
    func accept() throws(HTTPError) -> HTTPDownload {
        if case .finished(let download) = state.withLock({ $0 }) { return download }
        guard let arrived = download, var (run, _) = take() else { throw .fileReplaced }
        do {
            let download = try run.finish(arrived)
            state.withLock { $0 = .finished(download) }
            return download
        } catch {
            state.withLock { [run] in $0 = .left(run) }
            throw error.naming(run.request)
        }
    }

    /// Ends the draft. A file that can be continued is kept; a refused file is removed.
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
    /// Returns the head of the whole file that a part completed, which counts as a 200 (RFC 9110
    /// §15.3.7.3).
    fileprivate func combined(length: Int64) -> Self {
        var head = self
        switch status {
        case .partialContent: break
        case .rangeNotSatisfiable: head.headers.remove(.contentType)  // of the error page
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
            .validationFailed, "a validator replaced the file's response with another one")
    }
}
