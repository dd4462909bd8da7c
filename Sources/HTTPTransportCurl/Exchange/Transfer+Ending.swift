import CHTTPTransportCurl
import HTTPCore
import PortableFoundation

extension Transfer {
    func error(curl code: Int32) -> HTTPError {
        if let failure = machine.failure { return failure }
        if connection.attempts.permission == .refused, !machine.isWritten,
            code == CHTTP_E_COULDNT_CONNECT
        {
            return .addressBlocked
        }
        let lost = code == CHTTP_E_SSL_CONNECT_ERROR ? lostVerification : nil
        let code = lost == nil ? code : CHTTP_E_PEER_FAILED_VERIFICATION
        let facts = facts(code, verification: lost)
        if facts.isRefusedByTLS, !facts.isReused { machine.foundUnread() }
        return HTTPError(curl: code, facts, limits: exchange.limits)
    }

    /// The reason against the server's certificate, if libcurl has lost it.
    private var lostVerification: Int? {
        guard let easy, lane.route.tls?.settings.certificateVerification == .full,
            TLSReason(easy.failureText) == nil
        else { return nil }
        return easy.lostVerification
    }

    /// Returns what is known of the exchange when libcurl has given up.
    ///
    /// - Parameter verification: The reason against a certificate, if libcurl has lost it.
    private func facts(_ code: Int32, verification: Int?) -> FailureFacts {
        let route = lane.route
        var facts = FailureFacts(
            hasStarted: machine.isWritten, hasReceived: machine.hasReceived,
            hasHead: machine.hasHead, isVetoed: machine.sends.isVetoed,
            isRefused: machine.isRefused,
            reachedNoServer: !machine.mayHaveReachedServer, version: collector.version,
            proxy: route.proxy,
            lacksChunks: machine.hasHead && !collector.isChunked,
            isQUIC: route.protocols.isHTTP3)
        guard let easy else { return facts }
        let text = easy.failureText
        facts.hasSent = easy.long(CHTTP_INFO_REQUEST_SIZE) > 0
        facts.hasLargeHead =
            easy.long(CHTTP_INFO_HEADER_SIZE)
            > HeadCollector.sectionLimit(
                isHTTP2: collector.version == .http2)
        facts.connectStatus = easy.long(CHTTP_INFO_CONNECT_CODE)
        facts.tunnelRefusal = easy.tunnelRefusal.map {
            HTTPResponse.Head(
                status: $0.status, headers: $0.headers, url: exchange.request.url,
                version: $0.version)
        }
        facts.proxyReply = ProxyReply(easy.long(CHTTP_INFO_PROXY_ERROR))
        // A proxy that forwards requests is the only other side.
        facts.tlsPeer =
            route.proxyTLS != nil && (route.tls == nil || !machine.isWritten)
            ? easy.tlsPeer : .server
        let tls = facts.tlsPeer == .proxy ? route.proxyTLS : route.tls
        facts.hasIdentity = tls?.settings.identity != nil
        if let tls { facts.tlsReason = tlsReason(code, easy, text, tls.settings) }
        facts.isReused = easy.long(CHTTP_INFO_NUM_CONNECTS) == 0
        facts.isShared = facts.isReused || loop.sharesConnection(self)
        facts.hasTooManyFrames = HTTP2Failure.isOfFrames(text)
        if facts.tlsReason == nil || code != CHTTP_E_PEER_FAILED_VERIFICATION {
            facts.certificate = certificateFailure(
                code, of: facts.tlsPeer, verification: verification)
        }
        let systemError = easy.long(CHTTP_INFO_OS_ERRNO)
        facts.systemError =
            connection.attempts.socketError != 0 && !machine.isWritten
            ? connection.attempts.socketError
            : systemError == connection.staleSystemError
                ? 0 : Int32(truncatingIfNeeded: systemError)
        return facts
    }

    /// Returns the reason for a failure of TLS, as far as it is known.
    private func tlsReason(
        _ code: Int32, _ easy: CurlEasyHandle, _ text: String, _ settings: TLSSettings
    ) -> TLSReason? {
        if let alert = easy.alert { return .alert(alert) }
        if let reason = TLSReason(text) { return reason }
        switch code {
        // libcurl takes the alert for its own verdict on the server's certificate.
        case CHTTP_E_PEER_FAILED_VERIFICATION where loop.library.tls.explainsRefusals:
            let isAlert =
                settings.certificateVerification == .unsafeNone
                || text == "SSL certificate verification failed"
            return isAlert ? .alert(TLSAlert(45)) : nil
        // The TLS library has not been called since, so its last error is that of the key.
        case CHTTP_E_SSL_CERTPROBLEM, CHTTP_E_BAD_FUNCTION_ARGUMENT:
            let reason = CurlEasyHandle.lastTLSReason.map { TLSReason(reason: $0) }
            return reason == .keyOfAnother ? reason : nil
        default:
            // Newer libraries have words of their own for the end of a connection.
            return text == "Connection closed abruptly" ? .unexpectedEnd : nil
        }
    }

    /// Returns what is known of a certificate that was refused.
    private func certificateFailure(
        _ code: Int32, of peer: TLSPeer, verification: Int?
    ) -> CertificateFailure? {
        guard let easy, CertificateFailure.codes.contains(code) else { return nil }
        let pins =
            code == CHTTP_E_SSL_PINNEDPUBKEYNOTMATCH
            ? easy.certificateChain.compactMap { PublicKeyPin(certificate: $0) } : []
        let explains = loop.library.tls.explainsRefusals
        let result: chttp_long_info =
            switch peer {
            case .server: CHTTP_INFO_VERIFY_RESULT
            case .proxy: CHTTP_INFO_PROXY_VERIFY_RESULT
            }
        return CertificateFailure(
            CurlError(code: code), verificationCode: verification ?? easy.long(result),
            isExplained: explains,
            chainPins: pins, peer: peer)
    }

    /// Returns the end of the exchange for libcurl's final result.
    func outcome(of result: Int32) -> Exchange.End {
        if result == CHTTP_E_OK || machine.expectation == .refused, machine.failure == nil {
            guard machine.hasHead else {
                return .failed(
                    HTTPError(
                        .connectionLost,
                        "the connection ended before the response's head was complete",
                        phase: .waiting, isRetryable: true, mayHaveReachedServer: true))
            }
            guard !isBrokenOff else { return .failed(error(curl: CHTTP_E_PARTIAL_FILE)) }
            return .complete(trailers: trailers)
        }
        if isWhole(despite: result) { return .complete(trailers: trailers) }
        return .failed(error(curl: result))
    }

    /// The trailer section of a response that is complete; empty if there was none, and `nil` if
    /// libcurl may have dropped it.
    var trailers: HTTPHeaders? {
        if let trailers = collector.trailers { return trailers }
        let mayBeLost =
            switch collector.version {
            case .http2: loop.library.has(.lostTrailers) && connection.stream?.lacksTrailers != true
            case .http3: true
            default: false
            }
        return mayBeLost && hasContent && collector.contentLength != nil ? nil : HTTPHeaders()
    }

    /// `true` if the stream or its connection has ended before the end of the response. libcurl
    /// takes the response for a complete one if the server has broken off the stream without an
    /// error, and 7.88 also after a failure of HTTP/2.
    private var isBrokenOff: Bool {
        guard collector.version == .http2, CurlLibrary.seesStreams else { return false }
        return connection.stream?.hasEnded != true && bytesLeft != 0
    }

    /// Returns `true` if the whole response had come when its connection or stream failed. A server
    /// that does not want the rest of a request closes both after its response (RFC 9112 §9.6, RFC
    /// 9113 §8.1).
    private func isWhole(despite result: Int32) -> Bool {
        guard machine.hasHead, machine.failure == nil, !flow.isReceivingPaused,
            [
                CHTTP_E_SEND_ERROR, CHTTP_E_RECV_ERROR, CHTTP_E_PARTIAL_FILE, CHTTP_E_HTTP2,
                CHTTP_E_HTTP2_STREAM, CHTTP_E_HTTP3,
            ].contains(result)
        else { return false }
        if bytesLeft == 0 { return true }
        return connection.stream?.hasEnded == true && !loop.library.has(.lostEarlyResponses)
    }

    /// `true` if libcurl has dropped the content of a 417, because it would repeat the request.
    private var lacksContent: Bool {
        guard machine.isFinalRefusal, !machine.isContentTaken, hasContent else { return false }
        return received < collector.contentLength ?? 1
    }

    /// Returns an error that does not come from the exchange itself, such as that of its body's
    /// producer, with the phase that the exchange has reached.
    func reaching(_ error: any Error) -> any Error {
        guard let error = error as? HTTPError else { return error }
        return error.inPhase(
            namesLeft.isEmpty ? machine.phase : .resolving,
            mayHaveReachedServer: machine.mayHaveReachedServer)
    }

    /// Returns the end of the exchange with the truth about whether the server may have the
    /// request, which the author of an error may not know. An error without a phase comes from the
    /// preparation of a start.
    private func truthful(_ end: Exchange.End) -> Exchange.End {
        guard case .failed(let error) = end, let error = error as? HTTPError else { return end }
        let phase = error.phase ?? (machine.isWritten ? machine.phase : .preparing)
        return .failed(
            error.inPhase(phase, mayHaveReachedServer: machine.mayHaveReachedServer))
    }

    /// Ends the transfer. This is the last step before the handle is taken away.
    func end(_ end: Exchange.End) {
        var end = truthful(end)
        if case .complete = end, lacksContent { end = .failed(error(curl: CHTTP_E_PARTIAL_FILE)) }
        if upload != nil { noteSent() }
        if machine.end == nil { times.lastByte = chttp_monotonic_ns() }
        // The body was part of the attempt: its error carries the head that came before it.
        if !isStreamed, !delivery.hasHead, machine.hasHead, case .failed(let error) = end,
            let error = error as? HTTPError
        {
            end = .failed(
                error.ending(
                    exchange.request, response: head(),
                    body: buffer.beginning(upTo: exchange.request.brokenBodyLimit)))
        }
        machine.end(end)
        if isUpload { exchange.endUpload(because: uploadEnd(end)) }
        captureTimeline()
        markDirty()
    }

    /// Returns the error of a task that still writes to the body.
    private func uploadEnd(_ end: Exchange.End) -> HTTPError {
        switch end {
        case .complete: .requestBodyEnded("the response has ended", response: head())
        case .failed(let error): .requestBodyEnded("the exchange has failed", because: error)
        }
    }

    /// `true` if the handle may be used again, because nothing of this transfer can remain in it.
    var leavesHandleClean: Bool { machine.leavesHandleClean && !flow.wasPaused }

    /// `true` if the exchange has left a connection of its own to the next one.
    var leavesConnectionClean: Bool {
        guard case .all(.complete) = machine.ending else { return false }
        return machine.isContentTaken && machine.reader == .attached
    }

    func captureTimeline() {
        guard let easy else { return }
        connection.counts.opened = easy.long(CHTTP_INFO_NUM_CONNECTS)
        if isReused != true { captureMarks(easy) }
        connection.counts.received = easy.offset(CHTTP_INFO_SIZE_DOWNLOAD)
        // libcurl's own count includes the framing of chunks. libcurl may also hold bytes that it
        // has not sent yet.
        connection.counts.sent = Int64(upload?.position ?? 0)
        if machine.content?.hasReportedWritten == false {
            connection.counts.sent = min(
                connection.counts.sent, easy.offset(CHTTP_INFO_SIZE_UPLOAD))
        }
    }

    /// `true` if the request was written over a kept connection; `nil` if it was not written.
    var isReused: Bool? {
        guard machine.isWritten, let opened = connection.counts.opened else { return nil }
        return opened == 0
    }

    private func captureMarks(_ easy: CurlEasyHandle) {
        let base = (times.started ?? exchange.submitted) - exchange.submitted
        func mark(_ info: chttp_offset_info) -> Duration? {
            let microseconds = easy.offset(info)
            return microseconds > 0 ? .nanoseconds(base + microseconds * 1000) : nil
        }
        connection.counts.marks = (
            mark(CHTTP_INFO_NAME_LOOKUP_TIME), mark(CHTTP_INFO_CONNECT_TIME),
            mark(CHTTP_INFO_APP_CONNECT_TIME)
        )
    }

    /// Notes that the request is about to be written to a connection.
    func noteConnected() {
        captureTimeline()
        exchange.record.update { write(&$0) }
        note(.connected(exchange.record.exchange))
    }

    func write(_ timeline: inout HTTPTimeline.Exchange) {
        func since(_ time: Int64?) -> Duration? {
            guard let time else { return nil }
            return .nanoseconds(max(0, time - exchange.submitted))
        }
        timeline.admitted = since(times.admitted)
        timeline.sending = since(times.sending)
        timeline.firstByte = since(times.firstByte)
        timeline.lastByte = since(times.lastByte)
        (timeline.nameResolved, timeline.connected, timeline.secured) = connection.counts.marks
        timeline.isConnectionReused = isReused
        timeline.remoteHost = connection.remote?.host
        timeline.remotePort = connection.remote?.port
        timeline.version = collector.version
        timeline.versionChoices = versionChoices
        timeline.tlsVersion = connection.tlsVersion
        timeline.proxy = lane.route.proxy?.description
        timeline.responseBodyBytes = connection.counts.received
        // The reader of a coded body counts the bytes that it has decoded.
        if !decoding.isActive { timeline.decodedBodyBytes = received }
        timeline.requestBodyBytes = connection.counts.sent
        timeline.silentResends = machine.sends.repeatCount
    }
}
