import CHTTPTransportCurl
import HTTPCore

// A response may come, and end, before its request's body has been sent. libcurl reports the end of
// a transfer when both directions have ended. The end of the response is detected here.
extension Transfer {
    /// Decides whether the rest of the body is sent, now that the response's head has come.
    func meetHead() {
        guard isUpload, collector.version != .http2, collector.version != .http3,
            let status = collector.status
        else { return }
        let headers = collector.headers
        let early = EarlyResponse(
            status: status, version: collector.version, headers: headers,
            isFramed: !hasContent || collector.contentLength != nil
                || headers.contains(.transferEncoding))
        let action = machine.receive(early: early)
        guard action != .none else { return }
        exchange.endUpload(
            because: .requestBodyEnded(
                "the server responded before its end, with \(status.code)", response: head()))
        guard action == .cutNow else { return }
        flow.pauseSending()
        _ = applyPause()
    }

    /// Tells the reader that the response has ended while the body is still being sent. Ends the
    /// transfer if the body is not to be sent any more.
    func endResponse() {
        guard machine.content?.early != nil, machine.end == nil, hasReadResponse() else { return }
        let end = Exchange.End.complete(trailers: trailers)
        guard machine.endResponse(end) else { return loop.finish(self, end) }
        times.lastByte = chttp_monotonic_ns()
        captureTimeline()
    }

    /// Returns `true` if libcurl has read the whole response and delivered it.
    ///
    /// It has if the length has come, or if it does not want to read any more although it is not
    /// paused. Nothing else shows that a last chunk has come.
    private func hasReadResponse() -> Bool {
        // What came before a pause is delivered in the first run after it.
        guard machine.hasHead, !flow.isReceivingPaused, let upload,
            upload.resumedInRun != stay?.pool.timerRuns
        else { return false }
        if bytesLeft == 0 { return true }
        guard !upload.awaitsInput else { return false }
        guard upload.awaitsOutput else { return true }
        // TLS may have to write before it can read on; libcurl does not want to read then either. A
        // transfer that has read everything wants nothing once sending is paused.
        guard let easy else { return false }
        flow.notePause()
        guard easy.pause(receiving: false, sending: true) == CHTTP_E_OK else { return false }
        let wantsNothing = !upload.awaitsInput && !upload.awaitsOutput
        _ = applyPause()
        stay?.pool.kick()
        return wantsNothing
    }

    /// `true` if libcurl has written all bytes that it was given.
    var isBodyWritten: Bool {
        guard let easy else { return false }
        return easy.offset(CHTTP_INFO_SIZE_UPLOAD) >= Int64(upload?.position ?? 0)
    }

    /// Reports the request as sent once its last byte is written.
    func noteSent() {
        if times.step.isTaken, isBodyWritten { noteRequestSent() }
        guard machine.awaitsWritten, isBodyWritten else { return }
        machine.reportWritten()
        if observes { delivery.events.append(.sent) }
    }
}
