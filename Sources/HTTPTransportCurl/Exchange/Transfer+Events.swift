import CHTTPTransportCurl
import HTTPCore
import PortableFoundation

// The events of the transfer's easy handle. See `CurlEasyEvents` for what they may do.
extension Transfer: CurlEasyEvents {
    var trailerLines: [String] { exchange.trailerLines }

    func noticed(_ remark: chttp_remark) {
        switch remark {
        // It has come too early to be dropped. Nothing was sent to the server.
        case CHTTP_REMARK_INTERIM where !machine.isWritten: machine.foundEarlyInterim()
        // The server has sent bytes that no request asked for.
        case CHTTP_REMARK_SURPLUS: easy?.set(CHTTP_OPT_FORBID_REUSE, true)
        default: break
        }
    }

    func wants(_ interest: Int32) {
        guard let upload, isUpload, !machine.isOver else { return }
        if times.step.isTaken, interest & CHTTP_POLL_OUT == 0 { markDirty() }
        upload.interest = interest
        if !upload.awaitsInput, machine.hasHead { markDirty() }
    }

    func receivedFrame(of count: Int) -> Int? {
        flow.isReceivingPaused ? nil : connection.stream?.window.receive(count)
    }

    func endedStream(withData: Bool) {
        connection.stream?.hasEnded = true
        connection.stream?.lacksTrailers = withData
    }

    func closedStream(error: UInt32) {
        guard !machine.isOver else { return }
        connection.stream?.error = error
        guard connection.stream?.isRefused == true else { return }
        machine.refuse()
        loop.refused(self)
    }

    func receivedSettings() { loop.settled(self) }

    func beganLookup() {
        guard let name = lane.names.first(where: \.isLookedUp) else { return }
        noteLookup(of: name.host)
    }

    func opened(_ descriptor: Int32, to address: chttp_address) {
        if observes {
            noteLookedUp()
            note(.connecting(to: place(address)))
        }
        connection.attempts.sockets.append(descriptor)
        loop.opened(descriptor, for: lane)
        // libcurl may make another connection for a request that it sends again.
        times.startAgain()
        openedForHTTP3()
        enterRace(address)
    }

    /// Plans the attempt at another address, as long as this one has not connected.
    private func enterRace(_ address: chttp_address) {
        guard loop.library.has(.sequentialAddresses), !lane.isHTTP3,
            let ip = IPAddress(address)
        else { return }
        if race == nil {
            race = AddressRace(
                ip, port: address.port,
                delay: loop.settings.configuration.connectionAttemptDelay, at: loop.now)
        } else {
            race?.began(ip, at: loop.now)
        }
        if case .wait(let due) = race?.next(at: loop.now) { race?.examination = due }
        loop.schedule(self)
    }

    func beganHandshake() {
        // Over QUIC, the handshake is the connecting itself.
        guard !lane.isHTTP3 else { return }
        if observes { note(.securing) }
        guard limitsTLS else { return }
        // Not the time of the turn, which would make the limit shorter.
        times.step = .securing(chttp_monotonic_ns())
        loop.schedule(self)
    }

    /// Returns the text of an address that a socket is connected to.
    func place(_ address: chttp_address) -> String {
        guard let ip = IPAddress(address) else {
            return HTTPTimeline.Exchange.address(lane.route.unixSocket ?? "", port: nil)
        }
        return HTTPTimeline.Exchange.address("\(ip)", port: Int(address.port))
    }

    func failedToOpen(_ error: Int32) { connection.attempts.socketError = error }

    func permits(_ address: chttp_address) -> Bool {
        guard let ip = IPAddress(address) else { return false }
        // A request that libcurl sends again by itself goes to the addresses of the last answer.
        if connection.choice == .keptAlone, !machine.isWritten {
            machine.needsAddresses()
            return false
        }
        guard exchange.addressPolicy?.permits(ip, port: Int(address.port)) != false else {
            if connection.attempts.permission == .untried {
                connection.attempts.permission = .refused
            }
            return false
        }
        connection.attempts.permission = .granted
        return true
    }

    /// Returns `true` if a kept connection may be used. It may have been made under another policy.
    private func permits(_ address: String?, port: Int32) -> Bool {
        guard let policy = exchange.addressPolicy else { return true }
        guard let ip = address.flatMap({ IPAddress($0) }),
            policy.permits(ip, port: Int(port))
        else {
            machine.fail(with: .addressBlocked)
            return false
        }
        return true
    }

    func mayWrite(to address: String?, port: Int32, from localPort: Int32) -> Bool {
        // Several connections may have one local port. A policy has to permit what any leads to.
        let replaced =
            lane.route.unixSocket == nil && !lane.isHTTP3
            ? loop.replacedAddresses(lane, localPort: localPort) : nil
        guard permits(address, port: port),
            replaced?.candidates.allSatisfy({ permits("\($0)", port: port) }) != false,
            isAgreedOn(),
            !machine.keepsRefusal(), !machine.waitsAfterRefusal(), let easy
        else { return false }
        if race != nil { loop.endRace(of: self) }
        let opened = easy.long(CHTTP_INFO_NUM_CONNECTS)
        let isIP = lane.route.unixSocket == nil
        let ends = KeptConnections.Ends(
            address: isIP ? address ?? "" : "", remotePort: isIP ? port : 0,
            localPort: isIP ? localPort : 0, localAddress: lane.route.localAddress,
            isQUIC: lane.isHTTP3)
        switch loop.willSend(self, between: ends, isNew: opened > 0) {
        case .begun: break
        case .stale:
            machine.foundStale()
            return false
        case .spent:
            machine.foundSpent()
            return false
        case .unsettled:
            machine.foundUnsettled()
            return false
        }
        if let http3 {
            guard case .exchange(let patience, _) = http3.purpose else {
                http3.purpose = .opening(connected: chttp_monotonic_ns())
                return false
            }
            http3.wait.due = nil
            http3.purpose = .exchange(patience: patience)
        }
        observeConnection(isNew: opened > 0)
        let writing = machine.write(
            Resends.Send(
                connections: opened, bytes: takenBytes,
                isIdempotent: exchange.request.method.isIdempotent,
                seesStreams: !connection.speaksHTTP1 && CurlLibrary.seesStreams))
        // A server that refuses again and again does not make progress.
        if machine.starts?.refusals ?? 0 == 0 { times.lastActivity = loop.turn.progress() }
        times.startAgain()
        connection.staleSystemError = easy.long(CHTTP_INFO_OS_ERRNO)
        if let path = lane.route.unixSocket {
            connection.remote = (path, nil)
        } else if let address = replaced?.ofLane?.description ?? address {
            connection.remote = (address, Int(port))
        }
        if observes, writing != .refused { noteConnected() }
        // Not the time of the turn: a TLS handshake may have been computed in the same turn.
        let written = chttp_monotonic_ns()
        times.written = written
        if writing == .first { beginSending(at: written) }
        // A body that libcurl has is written with the head, as far as the server takes it.
        if upload?.form.hasContent != true {
            noteRequestSent()
        } else if !isUpload {
            awaitRequestSent()
        }
        if lane.mayShareConnections { loop.wrote(self, at: written) }
        if lane.isHTTP3 { loop.schedule(self) }
        return writing != .refused
    }

    private func beginSending(at written: Int64) {
        let hasBegun = times.sending != nil
        times.sending = written
        if case .fields(let bytes) = upload?.form { upload?.position = bytes.count }
        // The body, if there is one, is sent with the head.
        if observes, !isUpload, !hasBegun { note(.sent) }
    }

    /// Prepares for what the connection will bring. Limits reading that would not end with older
    /// libraries. Over HTTP/1.1, a response may come before its request's body was sent.
    private func observeConnection(isNew: Bool) {
        // An earlier connection may have agreed on another version.
        connection.speaksHTTP1 = !mayUseHTTP2
        connection.stream = mayUseHTTP2 ? TransferConnection.Stream() : nil
        if isNew, !connection.speaksHTTP1, loop.library.has(.endlessReading) {
            easy?.limitReading()
        }
        if upload?.form.hasContent == true, lane.route.origin.scheme == .https,
            connection.speaksHTTP1 || easy?.applicationProtocol == "http/1.1"
        {
            connection.speaksHTTP1 = true
            easy?.readAfterReset()
        }
    }

    /// Returns `true` if TLS has selected the version that the request asks for. If that cannot be
    /// known yet, the status line will show it.
    private func isAgreedOn() -> Bool {
        guard let easy, exchange.destination.target.origin.scheme == .https else { return true }
        connection.tlsVersion = easy.tlsVersion
        guard exchange.request.version == .http2, let agreed = easy.applicationProtocol,
            agreed != "h2"
        else { return true }
        machine.fail(
            with: HTTPError(
                .versionNotSpoken, "the server does not speak HTTP/2, which the request asks for",
                phase: .securing))
        return false
    }

    func beganHead() {
        guard !machine.isOver else { return }
        noteLine()
        // If the rest does not come in this turn, the part is examined at its end.
        markDirty()
    }

    private func noteLine() {
        times.lastActivity = loop.turn.progress()
        machine.receive()
        if times.firstByte == nil { times.firstByte = chttp_monotonic_ns() }
    }

    func received(head: Span<UInt8>) -> Bool {
        guard !machine.isOver else { return true }
        guard collector.receive(head: head) else {
            guard easy?.releaseHead() == true else { return false }
            return received(line: Self.emptyLine.span)
        }
        do throws(HTTPError) {
            return try receivedHead()
        } catch {
            machine.fail(with: error)
            return false
        }
    }

    private static let emptyLine: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]

    /// Examines the part of a head that has come. Returns `false` if it ends the transfer.
    func examineHead() -> Bool {
        guard let easy, easy.holdsHead else { return true }
        return easy.releaseHead()
    }

    func received(line: Span<UInt8>) -> Bool {
        guard !machine.isOver else { return true }
        noteLine()
        do throws(HTTPError) {
            let event: HeadCollector.Event
            do throws(HeadCollector.Violation) {
                event = try collector.receive(line)
            } catch {
                throw error.error
            }
            switch event {
            case .none: break
            case .informational:
                if let status = collector.status { machine.receive(interim: status) }
                if observes, let head = head() { delivery.events.append(.informational(head)) }
            case .head: return try receivedHead()
            }
            return true
        } catch {
            machine.fail(with: error)
            return false
        }
    }

    /// Handles the final head. Returns `false` to end the transfer.
    private func receivedHead() throws(HTTPError) -> Bool {
        if http3 != nil, isMisdirected, machine.misdirect() { return false }
        let isHTTP1 = collector.version == .http1_1 || collector.version == .http1_0
        if connection.speaksHTTP1, !isHTTP1 {
            throw HeadCollector.Violation.malformed(
                "the status line names a version that was not agreed on"
            ).error
        }
        // Not if the upload ended once before and libcurl is sending the body again.
        if let upload, hasTakenBody { upload.file = nil }
        loop.learn(collector.version, for: self, idleTimeout: announcedIdleTimeout)
        if http3 != nil || lane.http3 != nil { noteAnnouncement() }
        // A refused expectation may be no response for the caller.
        let isFinal = collector.status?.code != 417
        if isFinal { try beginDecoding() }
        let action = machine.receive(
            head: collector.status,
            mayBeHTTP1: connection.speaksHTTP1 || collector.version != .http2)
        switch action {
        case .none: break
        case .closeAfterwards: easy?.set(CHTTP_OPT_FORBID_REUSE, true)
        case .startAgain: return false
        }
        if collector.hasFaultyFraming { easy?.set(CHTTP_OPT_FORBID_REUSE, true) }
        if let wanted = exchange.request.version, wanted != collector.version {
            throw HTTPError(
                .versionNotSpoken,
                "the server speaks \(collector.version?.rawValue ?? "another version"), "
                    + "the request asks for \(wanted)",
                phase: .waiting, mayHaveReachedServer: true)
        }
        if !isFinal { try beginDecoding() }
        if hidesSurplus { easy?.observeRemarks() }
        if hasContent, collector.endsWithConnection { easy?.requireTLSEnd() }
        if upload != nil {
            meetHead()
            noteSent()
        }
        if observes, let head = head() { delivery.events.append(.head(head)) }
        markDirty()
        return true
    }

    private func beginDecoding() throws(HTTPError) {
        guard hasContent, collector.isCoded else { return }
        do throws(HTTPError) {
            try decoding.begin(collector.headers)
        } catch {
            throw error.ending(exchange.request, response: head())
        }
        if decoding.isActive { collector.removeCodedForm() }
    }

    /// `true` if libcurl keeps the connection and drops, without an error code, the bytes that it
    /// reads after the end of this response.
    private var hidesSurplus: Bool {
        guard collector.version == .http1_1 || collector.version == .http1_0 else { return false }
        if !hasContent || collector.contentLength == 0 { return loop.library.has(.droppedSurplus) }
        return collector.isChunked
    }

    /// The idle timeout that the server announces, in seconds.
    private var announcedIdleTimeout: Int? {
        guard collector.announcesIdleTimeout,
            connection.speaksHTTP1 || collector.version == .http1_1,
            let value = collector.headers[.keepAlive]
        else { return nil }
        return AnnouncedIdleTimeout.seconds(in: value)
    }

    /// `true` if the response can have content (RFC 9110 §6.4.1).
    var hasContent: Bool {
        collector.status != .noContent && collector.status != .notModified
            && exchange.request.method != .head
    }

    func head() -> HTTPResponse.Head? {
        collector.status.map {
            HTTPResponse.Head(
                status: $0, headers: collector.headers, url: exchange.request.url,
                version: collector.version)
        }
    }

    func received(body bytes: UnsafeRawBufferPointer) -> Bool {
        times.lastActivity = loop.turn.progress(content: bytes.count)
        guard bytes.count > 0, !machine.isOver else { return true }
        received += Int64(bytes.count)
        guard !machine.isDraining else { return true }
        if let error = bodyLimitError(adding: bytes.count) {
            machine.fail(with: error)
            return false
        }
        let left = collector.contentLength.map { max(0, $0 - received) + Int64(bytes.count) }
        unsafe buffer.append(bytes, expecting: isStreamed ? nil : left)
        reportProgress()
        markDirty()
        // All bytes are accepted before the transfer is paused: if the callback returned "pause",
        // libcurl would copy them again and again.
        if isStreamed, !flow.isReceivingPaused,
            flow.queued + buffer.count >= loop.settings.configuration.highWater
        {
            flow.pauseReceiving()
            notePause()
            return applyPause()
        }
        return true
    }

    /// Returns the error for a body that is beyond a limit with the next `count` bytes, which
    /// ``received`` counts already. The decoder checks what it decodes.
    private func bodyLimitError(adding count: Int) -> HTTPError? {
        guard !decoding.isActive else { return nil }
        if let limit = loop.settings.configuration.maximumBodyLength, received > limit {
            return HTTPError(
                .bodyTooLarge, "the body is longer than the transport's limit of \(limit) bytes",
                phase: .receiving, mayHaveReachedServer: true)
        }
        guard let limit = buffer.limit, buffer.count + count > limit else { return nil }
        return HTTPError.bodyTooLarge(limit: limit)
    }

    private func reportProgress() {
        guard !isStreamed, exchange.request.hasOptions,
            let report = exchange.request[ReceivingProgress.self]
        else { return }
        report(HTTPBodyProgress(bytes: received, length: collector.contentLength))
    }
}
