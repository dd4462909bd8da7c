import HTTPCore

typealias TransferReport = @Sendable (HTTPTransferProgress) -> Void

/// The meters of one call, which all of its sends share.
final class TransferMeters: Sendable {
    private struct Direction {
        var meter: TransferMeter
        var news = ProgressNews()

        mutating func advance(to progress: HTTPBodyProgress) -> Bool {
            guard let report = meter.advance(to: progress.bytes, of: progress.length) else {
                return false
            }
            news.newest = report
            return news.begin()
        }
    }

    private let upload = Locked(Direction(meter: TransferMeter(.upload)))
    private let download = Locked(Direction(meter: TransferMeter(.download)))
    private let report: TransferReport

    init(_ report: @escaping TransferReport) { self.report = report }

    func sent(_ progress: HTTPBodyProgress) { advance(upload, to: progress) }

    func received(_ progress: HTTPBodyProgress) { advance(download, to: progress) }

    private func advance(_ direction: borrowing Locked<Direction>, to progress: HTTPBodyProgress) {
        guard direction.withLock({ $0.advance(to: progress) }) else { return }
        while let news = direction.withLock({ $0.news.next() }) { report(news) }
    }
}
