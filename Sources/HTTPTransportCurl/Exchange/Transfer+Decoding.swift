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
        return decodingError(excess)
    }

    private func decodingError(_ excess: DecodingSlice.Excess) -> HTTPError {
        let limit =
            switch excess {
            case .time: "takes more than \(DecodingSlice.limit / 1_000_000) ms to decode"
            case .length: "decodes to more than \(DecodingSlice.ceiling >> 20) MiB"
            }
        return HTTPError(
            .contentDecodingFailed, "what one read has brought \(limit) (\(coding ?? "identity"))",
            phase: .receiving, mayHaveReachedServer: true)
    }

    /// Once the slice is used up libcurl reads no more until the loop's next turn. Answers whether the
    /// transfer can go on.
    ///
    /// Before 8.7 libcurl goes on to decode the last read without a word, keeps what comes of it, up to
    /// 64 MiB, and hands it over when reading goes on, in a call in which it does not read. There the
    /// read that uses up the slice is taken whole, so that a bomb is ended by it, and the next is held.
    func holdReading() -> Bool {
        guard isDecoding, !isHeld, !isResuming, isReadToBeHeld(), decodingSlice.isUsedUp
        else { return true }
        isHeld = true
        wasPaused = true
        core.held.append(self)
        return applyPause()
    }

    /// Older libraries have the count of what was read change only when they have read.
    private func isReadToBeHeld() -> Bool {
        guard core.library.readsWhilePaused, let easy else { return true }
        let coded = easy.offset(CHTTP_INFO_SIZE_DOWNLOAD)
        defer { codedAtLastPiece = coded }
        return coded != codedAtLastPiece
    }

    /// The loop's next turn: libcurl may read on.
    func endHold() {
        guard isHeld, !isOver else { return }
        isHeld = false
        guard !isReceivingPaused else { return }
        if isUpload {
            resumedInRun = pool?.timerRuns
            markDirty()
        }
        resume()
    }

    /// The last read has become more than libcurl keeps.
    func holdError(curl code: Int32) -> HTTPError? {
        let outOfMemory: Int32 = 27
        return isHeld && code == outOfMemory ? decodingError(.length) : nil
    }

    /// While libcurl decodes what it has read, a pause would have older versions copy the rest: the
    /// pause waits until libcurl has returned, or the slice is used up.
    func applyPauseDue() {
        guard isPauseDue else { return }
        isPauseDue = false
        guard !isOver, isReceivingPaused, !isHeld, !applyPause() else { return }
        core.finish(self, .failed(failure ?? error(curl: 23)))
    }
}
