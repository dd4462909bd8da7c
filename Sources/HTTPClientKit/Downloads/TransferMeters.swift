import HTTPCore

typealias TransferReport = @Sendable (HTTPTransferProgress) -> Void

/// The meters of one call, which all of its sends share.
final class TransferMeters: Sendable {
    private struct State {
        var upload = TransferMeter(.upload)
        var download = TransferMeter(.download)
    }

    private let state = Locked(State())
    private let report: TransferReport

    init(_ report: @escaping TransferReport) { self.report = report }

    func sent(_ progress: HTTPBodyProgress) {
        let news = state.withLock { $0.upload.advance(to: progress.bytes, of: progress.length) }
        if let news { report(news) }
    }

    func received(_ progress: HTTPBodyProgress) {
        let news = state.withLock { $0.download.advance(to: progress.bytes, of: progress.length) }
        if let news { report(news) }
    }
}
