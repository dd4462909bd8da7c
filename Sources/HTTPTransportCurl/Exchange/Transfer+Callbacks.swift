import CHTTPTransportCurl
import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// libcurl calls these on the loop's thread, for a handle that is in the multi handle. The loop
// keeps the transfer alive until the handle has left it.
//
// A callback of libcurl, here, in `ConnectionPool` and in `LoopCore`, may record events, copy
// bytes, ask a value for a decision, pause its own handle, set the options of its own handle that
// libcurl documents for that, and shut down a socket that must not be used. It may start or wake
// the task that produces an upload, since that only puts the task into the queue of its executor.
// It must not remove or free a handle, report to an observer, or call code of the user; the loop
// does that after libcurl has returned (`flush`), and only then wakes readers. The one exception is
// the progress of a body, whose closure is documented to run on the transport's thread.
extension Transfer {
    private static func at(_ context: UnsafeMutableRawPointer) -> Transfer {
        unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    static let headerCallback: chttp_data_callback = { data, size, count, context in
        guard let context = unsafe context else { return 0 }
        let bytes = unsafe UnsafeBufferPointer(start: data, count: size * count)
        return unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes in
            unsafe at(context).receivedLine(bytes.span) ? bytes.count : 0
        }
    }

    static let writeCallback: chttp_data_callback = { data, size, count, context in
        guard let context = unsafe context else { return 0 }
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
        return unsafe at(context).receivedBody(bytes) ? bytes.count : Int(CHTTP_WRITE_ERROR)
    }

    static let readCallback: chttp_data_callback = { data, size, count, context in
        guard let context = unsafe context else { return Int(CHTTP_READ_ABORT) }
        return unsafe at(context).readBody(
            into: UnsafeMutableRawBufferPointer(start: data, count: size * count))
    }

    static let seekCallback: chttp_seek_callback = { context, offset, _ in
        guard let context = unsafe context else { return 1 }
        return unsafe at(context).rewind(to: offset) ? 0 : 1
    }

    static let trailerCallback: chttp_trailer_callback = { list, context in
        guard let context = unsafe context else { return 1 }
        for line in unsafe at(context).exchange.trailerLines {
            guard let longer = unsafe chttp_list_append(list.pointee, line) else { return 1 }
            unsafe list.pointee = longer
        }
        return 0
    }

    static let prereqCallback: chttp_prereq_callback = { context, address, _, port, localPort in
        guard let context = unsafe context else { return 1 }
        let address = unsafe address.map { unsafe String(cString: $0) }
        return unsafe at(context).willSend(to: address, port: port, from: localPort) ? 0 : 1
    }

    static let remarkCallback: chttp_remark_callback = { context, remark, number in
        guard let context = unsafe context else { return }
        let transfer = unsafe at(context)
        switch remark {
        case CHTTP_REMARK_STREAM: transfer.stream = number
        // The next message may be about another connection, which libcurl examines before it uses
        // it.
        case CHTTP_REMARK_LEFT: transfer.stream = nil
        case CHTTP_REMARK_GOAWAY: transfer.core.goneAway(transfer, lastStream: number)
        // The server has sent bytes that no request asked for.
        case CHTTP_REMARK_SURPLUS: transfer.easy?.set(CHTTP_OPT_FORBID_REUSE, true)
        default: break
        }
    }

    static let openedCallback: chttp_socket_callback_for_descriptor = { context, descriptor in
        guard let context = unsafe context else { return }
        let transfer = unsafe at(context)
        transfer.openedDescriptors.append(descriptor)
        transfer.core.opened(descriptor, for: transfer.lane)
    }

    static let notOpenedCallback: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Void = {
        context, error in
        guard let context = unsafe context else { return }
        unsafe at(context).socketError = error
    }

    static let permitsCallback:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<chttp_address>) -> Int32 = {
            context, address in
            guard let context = unsafe context else { return 0 }
            return unsafe at(context).permits(address.pointee) ? 1 : 0
        }

    /// Returns `true` if a connection may be made to `address`.
    private func permits(_ address: chttp_address) -> Bool {
        guard address.family != 0 else { return false }
        let bytes = unsafe withUnsafeBytes(of: address.bytes) { unsafe Array($0) }
        guard let ip = IPAddress(bytes: Array(bytes.prefix(address.family == 4 ? 4 : 16))),
            exchange.addressPolicy.permits(ip, port: Int(address.port))
        else {
            isBlocked = true
            return false
        }
        hasPermittedAddress = true
        return true
    }

    /// Returns `true` if a kept connection may be used. It may have been made under another policy.
    private func permits(_ address: String?, port: Int32) -> Bool {
        guard !exchange.addressPolicy.isOpen else { return true }
        guard let ip = address.flatMap({ IPAddress($0) }),
            exchange.addressPolicy.permits(ip, port: Int(port))
        else {
            failure = .addressBlocked
            return false
        }
        return true
    }

    /// Decides whether the request may be written, now that libcurl is about to write it, for the
    /// first time or again.
    private func willSend(to address: String?, port: Int32, from localPort: Int32) -> Bool {
        guard permits(address, port: port), isAgreedOn() else { return false }
        if isFinalRefusal {
            isRefusal = true
            return false
        }
        let isNew = easy.map { $0.long(CHTTP_INFO_NUM_CONNECTS) > 0 } ?? false
        let isTCP = exchange.route.unixSocket == nil
        let ends = KeptConnections.Ends(
            address: isTCP ? address ?? "" : "", remotePort: isTCP ? port : 0,
            localPort: isTCP ? localPort : 0)
        guard core.willSend(self, between: ends, isNew: isNew) else {
            pendingStart = .staleConnection
            return false
        }
        starts += 1
        observeConnection(isNew: isNew)
        let hasSent = easy.map { $0.long(CHTTP_INFO_REQUEST_SIZE) > 0 } ?? false
        let permitsSending = resends.permits(
            connections: easy?.long(CHTTP_INFO_NUM_CONNECTS) ?? 0, hasSent: hasSent,
            isIdempotent: exchange.request.method.isIdempotent)
        lastActivity = core.progress()
        staleSystemError = easy?.long(CHTTP_INFO_OS_ERRNO)
        if let path = exchange.route.unixSocket {
            remoteHost = path
        } else if let address {
            remoteHost = address
            remotePort = Int(port)
        }
        if starts == 1 {
            // Not the time of the turn: a TLS handshake may have been computed in the same turn.
            sending = chttp_monotonic_ns()
            if case .fields(let bytes) = uploadForm { uploadPosition = bytes.count }
            // The body, if there is one, is sent with the head.
            if observes, !isUpload {
                events.append(.sent)
                markDirty()
            }
            return true
        }
        // libcurl itself sends the request again.
        isVetoed = !permitsSending
        return permitsSending
    }

    /// Works around older libraries: observes what they report only in messages, and limits reading
    /// that would not end.
    private func observeConnection(isNew: Bool) {
        stream = nil
        guard !speaksHTTP1, let easy else { return }
        if !core.library.tellsRefusals { easy.observeRemarks() }
        if isNew, !core.library.limitsReading { easy.limitReading() }
    }

    /// Records that the server processes no stream of its connection above `lastStream`. Returns
    /// `true` if the transfer's stream is one of them.
    func goneAway(lastStream: UInt32) -> Bool {
        guard let stream, stream > lastStream else { return false }
        resends.refuse()
        return true
    }

    /// Returns `true` if TLS has selected the version that the request asks for. If that cannot be
    /// known yet, the status line will show it.
    private func isAgreedOn() -> Bool {
        guard let easy, exchange.target.origin.scheme == .https else { return true }
        tlsVersion = easy.tlsVersion
        guard exchange.request.version == .http2, let agreed = easy.applicationProtocol,
            agreed != "h2"
        else { return true }
        failure = HTTPError(
            .versionNotSpoken, "the server does not speak HTTP/2, which the request asks for",
            phase: .securing)
        return false
    }

    private func receivedLine(_ line: Span<UInt8>) -> Bool {
        guard !isOver else { return true }
        lastActivity = core.progress()
        hasReceived = true
        if firstByte == nil { firstByte = chttp_monotonic_ns() }
        do throws(HTTPError) {
            let event: HeadCollector.Event
            do throws(HeadCollector.Violation) {
                event = try collector.receive(line)
            } catch {
                throw error.error
            }
            try checkCodings(of: event)
            switch event {
            case .none: break
            case .informational:
                if collector.status?.code == 100 { isExpectationAccepted = true }
                if observes, let head = head() { events.append(.informational(head)) }
            case .head:
                if speaksHTTP1, collector.version != .http1_1, collector.version != .http1_0 {
                    throw HeadCollector.Violation.malformed(
                        "the status line names a version that was not agreed on"
                    ).error
                }
                hasHead = true
                // Not if the upload ended once before and libcurl is sending the body again.
                if Int64(uploadPosition) == exchange.request.body.length { uploadFile = nil }
                core.learn(collector.version, for: self, idleTimeout: announcedIdleTimeout)
                guard isExpectationMet() else { return false }
                if let wanted = exchange.request.version, wanted != collector.version {
                    failure = HTTPError(
                        .versionNotSpoken,
                        "the server speaks \(collector.version?.rawValue ?? "another version"), "
                            + "the request asks for \(wanted)",
                        phase: .waiting, mayHaveReachedServer: true)
                    return false
                }
                if hidesSurplus { easy?.observeRemarks() }
                meetHead()
                noteSent()
                if observes, let head = head() { events.append(.head(head)) }
                markDirty()
            }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// `true` if libcurl keeps the connection and drops, without an error code, the bytes that it
    /// reads after the end of this response.
    private var hidesSurplus: Bool {
        guard collector.version == .http1_1 || collector.version == .http1_0 else { return false }
        if !hasContent || collector.contentLength == 0 { return core.library.hidesSurplusOfHeads }
        return collector.headers.contains(.transferEncoding)
    }

    /// Handles a final head that has come after the server was asked first. Returns `false` if the
    /// request is to be sent again without the expectation. After a 100 (Continue), a 417 does not
    /// cause that.
    private func isExpectationMet() -> Bool {
        guard expectsContinue, speaksHTTP1 || collector.version != .http2 else { return true }
        if collector.status?.code == 417, !isExpectationAccepted, canSendBodyAgain {
            pendingStart = .expectationRefused
            return false
        }
        // The server may still wait for the body, and would mistake the next request for it.
        if !hasUploadEnded { easy?.set(CHTTP_OPT_FORBID_REUSE, true) }
        return true
    }

    /// `true` if the whole body is still available.
    var canSendBodyAgain: Bool {
        switch uploadForm {
        case .none, .fields, .bytes, .file: true
        case .stream: !isPumping
        }
    }

    /// `true` if the head is a 417 to an expectation. libcurl then tries to repeat the request. It
    /// is not allowed to, and the 417 is the response.
    var isFinalRefusal: Bool {
        expectsContinue && hasHead && collector.status?.code == 417
    }

    private static let keepAlive: HTTPHeaderName = "Keep-Alive"

    /// The idle timeout that the server announces with `Keep-Alive: timeout=5` (RFC 2068
    /// §19.7.1.1), in seconds.
    private var announcedIdleTimeout: Int? {
        guard speaksHTTP1 || collector.version == .http1_1,
            let value = collector.headers[Self.keepAlive]
        else { return nil }
        for parameter in value.split(separator: ",") {
            let parts = parameter.split(separator: "=", maxSplits: 1).map {
                $0.filter { $0 != " " && $0 != "\t" }
            }
            if parts.count == 2, parts[0].lowercased() == "timeout", let seconds = Int(parts[1]),
                seconds >= 0
            {
                return seconds
            }
        }
        return nil
    }

    /// `true` if the response can have content (RFC 9110 §6.4.1).
    var hasContent: Bool {
        exchange.request.method != .head && collector.status != .noContent
            && collector.status != .notModified
    }

    func head() -> HTTPResponse.Head? {
        collector.status.map {
            HTTPResponse.Head(
                status: $0, headers: collector.headers, url: exchange.request.url,
                version: collector.version)
        }
    }

    private func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        lastActivity = core.progress()
        guard bytes.count > 0, !isOver else { return true }
        decoded += Int64(bytes.count)
        if let error = decodingError(after: bytes.count) {
            failure = error
            return false
        }
        defer { if isDecoding { decodingSlice.takeUp(at: chttp_thread_time_ns()) } }
        guard mode == .delivering else { return true }
        if let error = bodyLimitError() {
            failure = error
            return false
        }
        if let bufferLimit, buffer.count + bytes.count > bufferLimit {
            failure = HTTPError.bodyTooLarge(limit: bufferLimit)
            return false
        }
        let left = collector.contentLength.map { max(0, $0 - decoded) + Int64(bytes.count) }
        unsafe buffer.append(bytes, expecting: bufferLimit == nil ? nil : left)
        if bufferLimit != nil, let report = exchange.request[ReceivingProgress.self] {
            // Content-Length does not count decoded bytes, and is removed when the body is decoded.
            let isAsSent = collector.headers.contains(.contentLength)
            report(
                HTTPBodyProgress(
                    bytes: decoded, length: isAsSent ? collector.contentLength : nil))
        }
        markDirty()
        // All bytes are accepted before the transfer is paused: if the callback returned "pause",
        // libcurl would copy them again and again.
        if bufferLimit == nil, !isReceivingPaused,
            queued + buffer.count >= core.configuration.highWater
        {
            isReceivingPaused = true
            wasPaused = true
            isPauseDue = isDecoding
            return isDecoding ? holdReading() : applyPause()
        }
        return holdReading()
    }

    private func readBody(into space: UnsafeMutableRawBufferPointer) -> Int {
        lastActivity = core.progress()
        if isUploadCut { return Int(CHTTP_READ_PAUSE) }
        if case .bytes(let bytes) = uploadForm {
            let count = min(space.count, bytes.count - uploadPosition)
            let start = bytes.startIndex + uploadPosition
            unsafe bytes[start..<start + count].withUnsafeBytes { piece in
                unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<count])
                    .copyMemory(from: piece)
            }
            uploadPosition += count
            if count == 0 || uploadPosition == bytes.count { endedUpload() }
            return count
        }
        if case .file = uploadForm { return unsafe readFile(into: space) }
        if !isPumping {
            isPumping = true
            exchange.startPump()
        }
        switch unsafe exchange.readUpload(into: space) {
        case .copied(let count):
            uploadPosition += count
            // With trailers, the upload ends after them.
            if requestTrailers == nil, let length = exchange.request.body.length,
                Int64(uploadPosition) == length
            {
                endedUpload()
            }
            return count
        case .end:
            endedUpload()
            return 0
        case .wait:
            isSendingPaused = true
            wasPaused = true
            return Int(CHTTP_READ_PAUSE)
        }
    }

    private func readFile(into space: UnsafeMutableRawBufferPointer) -> Int {
        do throws(HTTPError) {
            if let piece = exchange.takeFetched() { uploadFile?.add(try piece.get()) }
            switch unsafe uploadFile?.read(into: space, at: Int64(uploadPosition)) {
            case .copied(let count):
                uploadPosition += count
                if Int64(uploadPosition) == exchange.request.body.length { endedUpload() }
                return count
            case .wait(let piece):
                exchange.fetch(piece)
                isSendingPaused = true
                wasPaused = true
                return Int(CHTTP_READ_PAUSE)
            case .end, nil:
                endedUpload()
                return 0
            }
        } catch {
            failure = HTTPError(
                .requestBodyFailed, error.message, phase: .sending, mayHaveReachedServer: true,
                underlyingError: error.underlyingError)
            return Int(CHTTP_READ_ABORT)
        }
    }

    func endedUpload() {
        guard !hasUploadEnded else { return }
        hasUploadEnded = true
        limitDraining()
        if observes { markDirty() }
    }

    /// Rewinds the body, because libcurl wants to send it again. Returns `false` if that is not
    /// possible.
    private func rewind(to offset: Int64) -> Bool {
        let length: Int64
        switch uploadForm {
        case .bytes(let bytes): length = Int64(bytes.count)
        case .file(let file): length = file.length
        case .stream where isFinalRefusal: return true
        case .none, .fields, .stream: return uploadPosition == 0 && offset == 0
        }
        guard (0...length).contains(offset) else { return false }
        uploadPosition = Int(offset)
        return true
    }

    func markDirty() {
        guard !isDirty else { return }
        isDirty = true
        core.willFlush(self)
    }
}
