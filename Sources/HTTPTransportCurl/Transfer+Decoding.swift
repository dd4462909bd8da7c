import CHTTPTransportCurl
import HTTPCore

extension Transfer {
    /// libcurl sets up a decoder for each coding of each head, interim ones included, before it
    /// looks at the next line: a head is refused here before any of its content is decoded.
    func checkCodings(of event: HeadCollector.Event) throws(HTTPError) {
        guard decodes, event != .none, collector.headers.contains(.contentEncoding) else { return }
        let codings = ContentCodings(collector.headers)
        switch event {
        case .none: break
        case .informational:
            guard codings.names.isEmpty else {
                throw HTTPError(
                    .contentDecodingFailed,
                    "an interim response names a content coding, and has no content "
                        + "(RFC 9110 §15.2)", phase: .waiting, mayHaveReachedServer: true)
            }
        case .head:
            guard hasContent else { return }
            try codings.refuseStacks()
            isDecoding = true
            coding = codings.names.first
            collector.removeCodedForm()
        }
    }

    /// The error that ends a body whose decoding holds the loop for too long.
    func decodingError(after count: Int) -> HTTPError? {
        guard isDecoding,
            let excess = decodingSlice.excess(
                after: count, in: core.libraryCalls, at: chttp_thread_time_ns())
        else { return nil }
        let limit =
            switch excess {
            case .time: "takes more than \(DecodingSlice.limit / 1_000_000) ms to decode"
            case .length: "decodes to more than \(DecodingSlice.ceiling >> 20) MiB"
            }
        return HTTPError(
            .contentDecodingFailed, "what one read has brought \(limit) (\(coding ?? "identity"))",
            phase: .receiving, mayHaveReachedServer: true)
    }

    /// While libcurl decodes what it has read, a pause would have it hold the rest, decoded without
    /// end or limit: the pause waits until libcurl has returned.
    func applyPauseDue() {
        guard isPauseDue else { return }
        isPauseDue = false
        guard !isOver, isReceivingPaused, !applyPause() else { return }
        core.finish(self, .failed(failure ?? error(curl: 23)))
    }
}
