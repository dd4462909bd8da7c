import CHTTPTransportCurl
import HTTPCore

// A response may come, and end, before its request's body has been sent. libcurl reports the end of
// a transfer when both directions have ended; the end of the response is found out here.
extension Transfer {
    /// What libcurl waits for on the connection of this transfer alone.
    func wants(_ interest: Int32) {
        guard isUpload, !isOver else { return }
        awaitsInput = interest & CHTTP_POLL_IN != 0
        awaitsOutput = interest & CHTTP_POLL_OUT != 0
        if !awaitsInput, hasHead { markDirty() }
    }

    /// The response's head has come.
    func meetHead() {
        guard isUpload, collector.version != .http2, collector.version != .http3,
            let status = collector.status
        else { return }
        let headers = collector.headers
        let early = EarlyResponse(
            status: status, version: collector.version, headers: headers,
            isFramed: !hasContent || collector.contentLength != nil
                || headers.contains(.transferEncoding))
        self.early = early
        guard early.cutsBody, !hasUploadEnded else { return }
        isUploadCut = true
        // libcurl stops by itself, but not on a connection that closes.
        guard early.closes else { return }
        exchange.endUpload()
        isSendingPaused = true
        wasPaused = true
        _ = applyPause()
    }

    /// Tells the reader that the response has ended, while the body is still being sent; ends the
    /// transfer if that is not to be sent any more.
    func endResponse() {
        guard !isOver, responseEnd == nil, let early, hasReadResponse() else { return }
        let end = Exchange.End.complete(trailers: collector.trailers)
        guard early.isOutlived else { return core.finish(self, end) }
        responseEnd = end
        lastByte = chttp_monotonic_ns()
        drainDue = nil
        captureTimeline()
    }

    /// Whether libcurl has read all of the response and handed it over.
    ///
    /// It has when the length has come, or when it does not want to read any more although it is not
    /// paused: this is all that tells of a last chunk.
    private func hasReadResponse() -> Bool {
        // What came before a pause is handed over in the first run after it.
        guard hasHead, !isReceivingPaused, !isHeld, resumedInRun != pool?.timerRuns else {
            return false
        }
        if bytesLeft == 0 { return true }
        guard !awaitsInput else { return false }
        guard awaitsOutput else { return true }
        // TLS may have to write before it can read on, and then libcurl does not want to read
        // either. A transfer that has read all wants nothing once it is not to send.
        guard let easy else { return false }
        wasPaused = true
        guard easy.pause(receiving: false, sending: true) == 0 else { return false }
        let wantsNothing = !awaitsInput && !awaitsOutput
        _ = applyPause()
        pool?.kick()
        return wantsNothing
    }

    /// libcurl has written all that it was given.
    private var isBodyWritten: Bool {
        guard let easy else { return false }
        return easy.offset(CHTTP_INFO_SIZE_UPLOAD) >= Int64(uploadPosition)
    }

    /// Reports the request as sent, once its last byte is written.
    func noteSent() {
        guard isUpload, hasUploadEnded, !hasReportedSent, !isUploadCut, isBodyWritten else {
            return
        }
        hasReportedSent = true
        if observes { events.append(.sent) }
    }
}
