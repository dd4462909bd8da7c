import CHTTPTransportCurl
import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Transfer {
    func error(curl code: Int32) -> HTTPError {
        if let failure = failure ?? holdError(curl: code) { return failure }
        if isBlocked, !hasPermittedAddress, starts == 0, code == CHTTP_E_COULDNT_CONNECT {
            return .addressBlocked
        }
        let systemError = easy?.long(CHTTP_INFO_OS_ERRNO) ?? 0
        let sent = easy.map { $0.long(CHTTP_INFO_REQUEST_SIZE) > 0 } ?? false
        return HTTPError(
            curl: code,
            FailureFacts(
                hasStarted: starts > 0, hasSent: sent, hasReceived: hasReceived, hasHead: hasHead,
                isVetoed: isVetoed, isRefused: isRefused, version: collector.version,
                hasLargeHead: (easy?.long(CHTTP_INFO_HEADER_SIZE) ?? 0)
                    > HeadCollector.sectionLimit,
                coding: coding, hasIdentity: exchange.route.tls?.settings.identity != nil,
                certificate: certificateFailure(code), proxy: exchange.route.proxy,
                connectStatus: easy?.long(CHTTP_INFO_CONNECT_CODE) ?? 0,
                systemError: socketError != 0 && starts == 0
                    ? socketError
                    : systemError == staleSystemError
                        ? 0 : Int32(truncatingIfNeeded: systemError)),
            limits: exchange.limits)
    }

    /// Returns what is known of a certificate that was refused.
    private func certificateFailure(_ code: Int32) -> CertificateFailure? {
        guard let easy, CertificateFailure.codes.contains(code) else { return nil }
        let pins =
            code == CHTTP_E_SSL_PINNEDPUBKEYNOTMATCH
            ? easy.certificateChain.compactMap { PublicKeyPin(certificate: $0) } : []
        let explains = core.library.tls.explainsRefusals
        return CertificateFailure(
            CurlError(code: code), verificationCode: easy.long(CHTTP_INFO_VERIFY_RESULT),
            isExplained: explains, chainPins: pins)
    }

    /// Returns the reason to start the exchange again, if libcurl's end is not the exchange's end.
    /// Each reason counts once.
    func freshStart(after result: Int32) -> FreshStart? {
        guard result != CHTTP_E_OK, failure == nil,
            let reason = pendingStart.take()
                ?? (starts == 0 ? FreshStart(socketError: socketError) : nil),
            freshStarts.insert(reason).inserted
        else { return nil }
        return reason
    }

    /// `true` if a GOAWAY has ended the transfer on the connection that it still uses.
    var isGoneAway: Bool { !isOver && stream != nil && resends.isLastRefused && !hasReceived }

    /// Returns `true` if the transfer is to start again after a GOAWAY.
    func startsAnewElsewhere() -> Bool {
        canSendBodyAgain && freshStarts.insert(.goneAway).inserted
    }

    /// Returns the end of the exchange for libcurl's final result.
    func outcome(of result: Int32) -> Exchange.End {
        if result == CHTTP_E_OK || isRefusal, failure == nil {
            guard hasHead else {
                return .failed(
                    HTTPError(
                        .connectionLost,
                        "the connection ended before the response's head was complete",
                        phase: .waiting, isRetryable: true, mayHaveReachedServer: true))
            }
            return .complete(trailers: collector.trailers)
        }
        return .failed(error(curl: result))
    }

    /// `true` if libcurl has dropped the content of a 417, because it would repeat the request.
    private var lacksContent: Bool {
        guard isFinalRefusal, !hasUploadEnded, hasContent else { return false }
        return decoded < collector.contentLength ?? 1
    }

    /// Ends the transfer. This is the last step before the handle is taken away.
    func end(_ end: Exchange.End) {
        var end = end
        if case .complete = end, lacksContent { end = .failed(error(curl: CHTTP_E_PARTIAL_FILE)) }
        noteSent()
        isOver = true
        if responseEnd == nil { lastByte = chttp_monotonic_ns() }
        if bufferLimit == nil || hasDeliveredHead {
            self.end = end
        } else if case .failed(let error) = end, hasHead, let error = error as? HTTPError {
            // The body was part of the attempt: its error carries the head that came before it.
            self.end = .failed(error.ending(exchange.request.url, response: head()))
        } else {
            self.end = end
        }
        exchange.endUpload()
        captureTimeline()
        markDirty()
    }

    /// `true` if the handle may be used again, because nothing of this transfer can remain in it.
    var leavesHandleClean: Bool {
        guard case .complete = end else { return false }
        return !wasPaused && starts == 1 && freshStarts.isEmpty && !isRefusal
            && (!isUpload || hasUploadEnded)
    }

    func captureTimeline() {
        guard let easy else { return }
        connectionsOpened = easy.long(CHTTP_INFO_NUM_CONNECTS)
        let reused = starts > 0 && connectionsOpened == 0
        let base = (admitted ?? exchange.submitted) - exchange.submitted
        func mark(_ info: chttp_offset_info) -> Duration? {
            let microseconds = easy.offset(info)
            guard microseconds > 0, !reused else { return nil }
            return .nanoseconds(base + microseconds * 1000)
        }
        connectMarks = (
            mark(CHTTP_INFO_NAME_LOOKUP_TIME), mark(CHTTP_INFO_CONNECT_TIME),
            mark(CHTTP_INFO_APP_CONNECT_TIME)
        )
        isReused = starts > 0 ? reused : nil
        wireBytes = easy.offset(CHTTP_INFO_SIZE_DOWNLOAD)
        // libcurl's own count includes the framing of chunks. libcurl may also hold bytes that it
        // has not sent yet.
        sentBytes = Int64(uploadPosition)
        if isUpload, !hasReportedSent {
            sentBytes = min(sentBytes, easy.offset(CHTTP_INFO_SIZE_UPLOAD))
        }
    }

    private func write(_ timeline: inout HTTPTimeline.Exchange) {
        func since(_ time: Int64?) -> Duration? {
            time.map { .nanoseconds(max(0, $0 - exchange.submitted)) }
        }
        timeline.admitted = since(admitted)
        timeline.sending = since(sending)
        timeline.firstByte = since(firstByte)
        timeline.lastByte = since(lastByte)
        (timeline.nameResolved, timeline.connected, timeline.secured) = connectMarks
        timeline.isConnectionReused = isReused
        timeline.remoteHost = remoteHost
        timeline.remotePort = remotePort
        timeline.version = collector.version
        timeline.tlsVersion = tlsVersion
        timeline.proxy = exchange.route.proxy?.description
        timeline.responseBodyBytes = wireBytes
        timeline.decodedBodyBytes = decoded
        timeline.requestBodyBytes = sentBytes
        timeline.silentResends = max(0, starts - 1)
    }

    /// Delivers everything that happened since the last turn.
    func flush() {
        endResponse()
        noteSent()
        isDirty = false
        applyPauseDue()
        // An observer that learns of the end finds the timeline complete.
        if isOver { exchange.record.update { write(&$0) } }
        report()
        if bufferLimit == nil, mode == .delivering { writeToSink() }
        let end = responseEnd ?? self.end
        var delivery = Exchange.Delivery(
            end: end, isOver: isOver, isPaused: isReceivingPaused && !isOver)
        if !hasDeliveredHead, hasHead {
            if bufferLimit == nil {
                delivery.arrival = arrival(body: nil)
            } else if case .complete(let trailers) = end {
                delivery.arrival = arrival(body: buffer.take())
                delivery.arrival?.trailers = trailers
            }
            hasDeliveredHead = delivery.arrival != nil
            if hasDeliveredHead, end == nil { captureTimeline() }
        }
        if bufferLimit == nil, mode == .delivering { delivery.piece = buffer.take() }
        let outcome = exchange.deliver(delivery) { write(&$0) }
        queued = outcome.buffered
        if end != nil {
            discardWaiters.resumeAll()
            discardWaiters = []
        }
        if outcome.mustResume { resumeReceiving() }
    }

    /// Writes received bytes directly to a file, without passing them through a task.
    private func writeToSink() {
        guard buffer.count > 0, let sink = exchange.sink else { return }
        let failure = buffer.write(toDescriptor: sink.descriptor, at: sink.position)
        if let failure {
            failedSink(failure)
        } else {
            exchange.advanceSink(by: buffer.count)
            buffer.removeAll()
        }
    }

    private func failedSink(_ failure: SystemError) {
        buffer.removeAll()
        let error = HTTPError(
            .fileNotWritten, "writing the body to a file failed: \(failure)", phase: .receiving,
            mayHaveReachedServer: true, underlyingError: failure)
        responseEnd = nil
        if isOver { end = .failed(error) } else { core.finish(self, .failed(error)) }
    }

    func arrival(body: Data?) -> Exchange.Arrival? {
        collector.status.map {
            Exchange.Arrival(
                status: $0, version: collector.version, headers: collector.headers, body: body)
        }
    }

    private func report() {
        guard let call = exchange.request.call, call.isObserved else { return }
        let number = exchange.attempt
        for event in events { call.report(event, exchange: number) }
        events = []
        let bodyEnd: HTTPBodyEnd
        switch end {
        case nil: return
        case _ where isAbandoned: bodyEnd = .abandoned
        case .complete(let trailers): bodyEnd = .complete(trailers: trailers)
        case .failed(let error) where !hasHead:
            return call.report(.failed(error), exchange: number)
        case .failed(let error): bodyEnd = .failed(error)
        }
        call.report(.ended(bodyEnd, exchange.record.exchange), exchange: number)
    }
}
