import CHTTPTransportCurl
import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One exchange as the loop sees it: its easy handle, what libcurl reported since the last turn,
/// and its limits of time. Lives and dies on the loop's thread.
final class Transfer {
    private enum Mode {
        case delivering
        /// The rest is read and dropped, to keep the connection.
        case draining
    }

    let exchange: Exchange
    let slot: Int
    private unowned let core: LoopCore

    /// Set while libcurl works on it.
    var easy: CurlEasyHandle?
    private var collector = HeadCollector()
    private var buffer = ReceiveBuffer()
    private var mode = Mode.delivering
    private let bufferLimit: Int?
    private let decodes: Bool

    // What has happened, for errors and deliveries.
    private(set) var isOver = false
    private var isDirty = false
    private var hasHead = false
    private var hasDeliveredHead = false
    private var hasReceived = false
    private var starts = 0
    private var isVetoed = false
    /// Why we ended it ourselves.
    private var failure: HTTPError?
    private var end: Exchange.End?
    private var events: [HTTPEvent.Kind] = []
    private var discardWaiters: [CheckedContinuation<Void, Never>] = []

    // Flow.
    private var isReceivingPaused = false
    private var isSendingPaused = false
    private(set) var wasPaused = false
    /// What the reader had not taken at the last delivery.
    private var queued = 0
    private var uploadPosition = 0
    private var isPumping = false
    private var hasUploadEnded = false

    // Time, in the loop's nanoseconds.
    private var admitted: Int64?
    private var sending: Int64?
    private var firstByte: Int64?
    private var lastByte: Int64?
    private var lastActivity: Int64
    private var drainDue: Int64?
    private var remoteAddress: String?
    private var decoded: Int64 = 0
    private var connectMarks: (name: Duration?, connect: Duration?, secure: Duration?)
    private var isReused: Bool?
    private var wireOctets: Int64 = 0
    private var sentOctets: Int64 = 0
    private var isAbandoned = false
    /// The connection cannot speak HTTP/2, whatever the status line says.
    private var speaksHTTP1 = false
    private let uploadForm: UploadForm

    init(_ exchange: Exchange, slot: Int, core: LoopCore) {
        self.exchange = exchange
        self.slot = slot
        self.core = core
        self.lastActivity = core.now
        if case .buffered(let limit) = exchange.request.delivery {
            bufferLimit = limit
        } else {
            bufferLimit = nil
        }
        uploadForm = UploadForm(exchange.request)
        let headers = exchange.request.headers
        decodes =
            core.configuration.decodesContent && !headers.contains(.acceptEncoding)
            && !headers.contains(.range)
    }

    private var observes: Bool { exchange.request.call?.observer != nil }
}

// MARK: - Setting up

extension Transfer {
    private enum UploadForm {
        case none
        /// With the head, in one packet; libcurl keeps a copy.
        case fields(Data)
        case octets(Data)
        case stream

        init(_ request: HTTPRequest) {
            // A stream declared empty was looked into before it was submitted.
            guard let octets = request.body.isEmpty ? Data() : request.body.octets else {
                self = .stream
                return
            }
            switch (octets.count, request.method) {
            // RFC 9110 §8.6: methods that expect content say that there is none.
            case (0, .post), (0, .put), (0, .patch), (0, .query): self = .fields(octets)
            case (0, _): self = .none
            case (...(64 << 10), _): self = .fields(octets)
            default: self = .octets(octets)
            }
        }
    }

    func configure(_ easy: CurlEasyHandle) throws(HTTPError) {
        let request = exchange.request
        let configuration = core.configuration
        let library = core.library

        easy.set(CHTTP_OPT_NO_SIGNAL, true)
        easy.set(CHTTP_OPT_NO_PROGRESS, true)
        easy.set(CHTTP_OPT_FOLLOW_LOCATION, false)
        easy.set(CHTTP_OPT_PROTOCOLS, library.hasTLS ? "http,https" : "http")
        easy.set(CHTTP_OPT_HTTP09_ALLOWED, false)
        easy.set(CHTTP_OPT_PROXY, "")
        easy.set(CHTTP_OPT_SUPPRESS_CONNECT_HEADERS, true)
        easy.set(CHTTP_OPT_PATH_AS_IS, true)
        easy.set(CHTTP_OPT_DISALLOW_USERNAME, true)
        easy.set(CHTTP_OPT_TCP_NO_DELAY, true)
        easy.set(CHTTP_OPT_TCP_KEEPALIVE, true)
        easy.set(CHTTP_OPT_TCP_KEEPIDLE, 15)
        easy.set(CHTTP_OPT_TCP_KEEPINTVL, 15)
        easy.set(CHTTP_OPT_MAX_AGE_CONNECTION, 60)
        easy.set(CHTTP_OPT_BUFFER_SIZE, 64 << 10)
        // Without it, a transfer that ends while its name is resolved stops the loop until then.
        easy.setIfKnown(CHTTP_OPT_QUICK_EXIT, 1)
        unsafe easy.setSocketObserver(core.socketObserver)
        if exchange.target.origin.scheme == .https {
            easy.set(CHTTP_OPT_VERIFY_PEER, 1)
            easy.set(CHTTP_OPT_VERIFY_HOST, 2)
            easy.setMinimumTLSVersion()
            easy.setShare(core.share)
            easy.set(CHTTP_OPT_PIPE_WAIT, true)
            if let file = configuration.certificateAuthorityFile ?? library.certificateAuthorityFile
            {
                // With a directory beside it, libcurl would parse the bundle for each connection.
                easy.set(CHTTP_OPT_CA_FILE, file)
                easy.set(CHTTP_OPT_CA_DIRECTORY, nil)
            }
        }
        // 0 would mean libcurl's own limit, so none is the longest that it takes, 24 days.
        let longest = Int64(Int32.max) * 1_000_000
        let connect = min(exchange.limits.connect?.nanoseconds ?? longest, longest)
        easy.set(CHTTP_OPT_CONNECT_TIMEOUT_MS, Int(max(1, connect / 1_000_000)))
        easy.set(CHTTP_OPT_URL, exchange.target.url)
        easy.set(CHTTP_OPT_REQUEST_TARGET, exchange.target.originForm)
        if decodes { easy.set(CHTTP_OPT_ACCEPT_ENCODING, "") }

        configureMethod(easy, request)
        configureVersion(easy, request)
        configureHeaders(easy, request)
        easy.setCallbacks(self, isUpload: isUpload)
        try easy.checkOptions()
    }

    /// Whether the body comes through the read callback.
    private var isUpload: Bool {
        switch uploadForm {
        case .none, .fields: false
        case .octets, .stream: true
        }
    }

    private func configureMethod(_ easy: CurlEasyHandle, _ request: HTTPRequest) {
        switch uploadForm {
        case .none where request.method == .head:
            easy.set(CHTTP_OPT_NO_BODY, true)
        case .none:
            easy.set(CHTTP_OPT_HTTP_GET, true)
            if request.method != .get {
                easy.set(CHTTP_OPT_CUSTOM_REQUEST, request.method.rawValue)
            }
        case .fields(let octets):
            easy.set(CHTTP_OPT_POST, true)
            unsafe octets.withUnsafeBytes { unsafe easy.setPostFields($0) }
            if request.method != .post {
                easy.set(CHTTP_OPT_CUSTOM_REQUEST, request.method.rawValue)
            }
        case .octets, .stream:
            easy.set(CHTTP_OPT_UPLOAD, true)
            easy.set(CHTTP_OPT_UPLOAD_BUFFER_SIZE, 64 << 10)
            easy.set(CHTTP_OPT_CUSTOM_REQUEST, request.method.rawValue)
            easy.setUploadLength(request.body.length ?? -1)
        }
    }

    private func configureVersion(_ easy: CurlEasyHandle, _ request: HTTPRequest) {
        let avoidsHTTP2 = isUpload && !core.library.uploadsOverHTTP2
        if request.version == .http1_1 || (request.version == nil && avoidsHTTP2)
            || exchange.target.origin.scheme == .http
        {
            speaksHTTP1 = true
            easy.setHTTPVersion(CHTTP_HTTP_1_1)
        } else {
            easy.setHTTPVersion(CHTTP_HTTP_2_TLS)
        }
    }

    private func configureHeaders(_ easy: CurlEasyHandle, _ request: HTTPRequest) {
        var line: [UInt8] = []
        for position in request.headers.indices {
            line.removeAll(keepingCapacity: true)
            request.headers.withOctets(at: position) { name, value in
                line += name
                // libcurl's spelling of a field without a value.
                line.append(UInt8(ascii: value.isEmpty ? ";" : ":"))
                if !value.isEmpty { line.append(UInt8(ascii: " ")) }
                line += value
                line.append(0)
            }
            easy.appendHeader(line)
        }
        // A name with nothing behind it takes out what libcurl would add by itself.
        if !request.headers.contains(.accept) { easy.appendHeader("Accept:") }
        if !request.headers.contains(.contentType) { easy.appendHeader("Content-Type:") }
        easy.appendHeader("Expect:")
        easy.applyHeaders()
    }
}

// MARK: - Callbacks

// libcurl calls these on the loop's thread, for a handle that is in the multi handle; the loop keeps
// the transfer alive until the handle has left it. They record, and never run anybody's code.
extension Transfer {
    private static func at(_ context: UnsafeMutableRawPointer) -> Transfer {
        unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    static let headerCallback: chttp_data_callback = { data, size, count, context in
        guard let context = unsafe context else { return 0 }
        let octets = unsafe UnsafeBufferPointer(start: data, count: size * count)
        return unsafe octets.withMemoryRebound(to: UInt8.self) { octets in
            unsafe at(context).receivedLine(octets.span) ? octets.count : 0
        }
    }

    static let writeCallback: chttp_data_callback = { data, size, count, context in
        guard let context = unsafe context else { return 0 }
        let octets = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
        return unsafe at(context).receivedBody(octets) ? octets.count : Int(CHTTP_WRITE_ERROR)
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

    static let prereqCallback: chttp_prereq_callback = { context, address, _, port, _ in
        guard let context = unsafe context else { return 1 }
        let address = unsafe address.map { unsafe String(cString: $0) }
        return unsafe at(context).willSend(to: address, port: port) ? 0 : 1
    }

    /// The request is about to be written, by us or anew by libcurl. Answers whether it may be.
    private func willSend(to address: String?, port: Int32) -> Bool {
        starts += 1
        lastActivity = core.now
        if let address {
            remoteAddress =
                address.utf8.contains(UInt8(ascii: ":"))
                ? "[\(address)]:\(port)" : "\(address):\(port)"
        }
        if starts == 1 {
            sending = core.now
            if case .fields(let octets) = uploadForm { uploadPosition = octets.count }
            // The body, if any, leaves with the head.
            if observes, !isUpload {
                events.append(.sent)
                markDirty()
            }
            return true
        }
        // libcurl's own re-send, after a kept connection turned out dead.
        let hasSent = easy.map { $0.long(CHTTP_INFO_REQUEST_SIZE) > 0 } ?? false
        guard !hasSent || (exchange.request.method.isIdempotent && starts <= 3) else {
            isVetoed = true
            return false
        }
        return true
    }

    private func receivedLine(_ line: Span<UInt8>) -> Bool {
        lastActivity = core.now
        hasReceived = true
        if firstByte == nil { firstByte = core.now }
        do throws(HeadCollector.Violation) {
            switch try collector.receive(line) {
            case .none: break
            case .informational:
                if observes, let head = head() { events.append(.informational(head)) }
            case .head:
                if speaksHTTP1, collector.version != .http1_1, collector.version != .http1_0 {
                    throw .malformed("the status line names a version that was not agreed on")
                }
                hasHead = true
                if collector.version == .http2 { core.speaksHTTP2(exchange.target.origin) }
                if let wanted = exchange.request.version, wanted != collector.version {
                    failure = HTTPError(
                        .protocolViolation,
                        "the server speaks \(collector.version?.rawValue ?? "another version"), "
                            + "the request asks for \(wanted)",
                        phase: .waiting, mayHaveReachedServer: true)
                    return false
                }
                if decodes, hasContent, collector.headers.contains(.contentEncoding) {
                    collector.removeCodedForm()
                }
                if observes, let head = head() { events.append(.head(head)) }
                markDirty()
            }
            return true
        } catch {
            failure = error.error
            return false
        }
    }

    /// Whether the response can have content (RFC 9110 §6.4.1).
    private var hasContent: Bool {
        exchange.request.method != .head && collector.status != .noContent
            && collector.status != .notModified
    }

    private func head() -> HTTPResponse.Head? {
        collector.status.map {
            HTTPResponse.Head(
                status: $0, headers: collector.headers, url: exchange.request.url,
                version: collector.version)
        }
    }

    private func receivedBody(_ octets: UnsafeRawBufferPointer) -> Bool {
        lastActivity = core.now
        guard octets.count > 0 else { return true }
        decoded += Int64(octets.count)
        guard mode == .delivering else { return true }
        if let bufferLimit, buffer.count + octets.count > bufferLimit {
            failure = HTTPError.bodyTooLarge(limit: bufferLimit)
            return false
        }
        let left = collector.contentLength.map { max(0, $0 - decoded) + Int64(octets.count) }
        unsafe buffer.append(octets, expecting: bufferLimit == nil ? nil : left)
        markDirty()
        // All octets are taken, then the transfer is paused: an answer of "pause" would make libcurl
        // copy them again and again.
        if bufferLimit == nil, !isReceivingPaused,
            queued + buffer.count >= core.configuration.highWater
        {
            isReceivingPaused = true
            wasPaused = true
            return applyPause()
        }
        return true
    }

    private func readBody(into space: UnsafeMutableRawBufferPointer) -> Int {
        lastActivity = core.now
        if case .octets(let octets) = uploadForm {
            let count = min(space.count, octets.count - uploadPosition)
            let start = octets.startIndex + uploadPosition
            unsafe octets[start..<start + count].withUnsafeBytes { piece in
                unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<count])
                    .copyMemory(from: piece)
            }
            uploadPosition += count
            if count == 0 || uploadPosition == octets.count { endedUpload() }
            return count
        }
        if !isPumping {
            isPumping = true
            exchange.startPump()
        }
        switch unsafe exchange.readUpload(into: space) {
        case .copied(let count):
            uploadPosition += count
            if let length = exchange.request.body.length, Int64(uploadPosition) == length {
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

    private func endedUpload() {
        guard !hasUploadEnded else { return }
        hasUploadEnded = true
        if observes {
            events.append(.sent)
            markDirty()
        }
    }

    /// libcurl wants to send the body again.
    private func rewind(to offset: Int64) -> Bool {
        guard case .octets(let octets) = uploadForm, (0...Int64(octets.count)).contains(offset)
        else {
            return uploadPosition == 0 && offset == 0
        }
        uploadPosition = Int(offset)
        return true
    }

    private func markDirty() {
        guard !isDirty else { return }
        isDirty = true
        core.willFlush(self)
    }
}

// MARK: - Flow

extension Transfer {
    /// Tells libcurl what is paused. Answers whether the transfer can go on.
    private func applyPause() -> Bool {
        guard let easy else { return true }
        let code = easy.pause(receiving: isReceivingPaused, sending: isSendingPaused)
        // 43: there is no connection yet, or none any more.
        return code == 0 || code == 43
    }

    func resumeReceiving() {
        guard !isOver, isReceivingPaused else { return }
        isReceivingPaused = false
        lastActivity = core.now
        queued = exchange.buffered
        resume()
    }

    func resumeSending() {
        guard !isOver, isSendingPaused else { return }
        isSendingPaused = false
        lastActivity = core.now
        resume()
    }

    private func resume() {
        if !applyPause() {
            core.finish(self, .failed(failure ?? error(curl: 23)))
        } else {
            core.kick()
        }
    }

    /// How many octets of the body are still to come, if the length says so.
    private var octetsLeft: Int64? {
        guard hasHead else { return nil }
        guard hasContent else { return 0 }
        guard let length = collector.contentLength, let easy else { return nil }
        return max(0, length - easy.offset(CHTTP_INFO_SIZE_DOWNLOAD))
    }

    /// The reader has gone: a short rest is read away to keep the connection, else it is cut.
    func abandon(_ waiter: CheckedContinuation<Void, Never>?) {
        if let waiter { discardWaiters.append(waiter) }
        isAbandoned = true
        let limit: Int64 = collector.status?.isRedirection == true ? 64 << 10 : 1 << 20
        guard easy != nil, let left = octetsLeft, left <= limit, !isPumping || hasUploadEnded else {
            return core.finish(self, .failed(CancellationError()))
        }
        mode = .draining
        _ = buffer.take()
        // A rest that does not come is not waited for.
        drainDue = core.now + 1_000_000_000
        core.schedule(self)
        if isReceivingPaused { resumeReceiving() }
    }
}

// MARK: - Time

extension Transfer {
    var isAdmitted: Bool { admitted != nil }

    func admit() {
        admitted = core.now
        if observes {
            events.append(.sending(exchange.request, attempt: exchange.attempt))
            markDirty()
        }
    }

    /// When to look at the limits next.
    var nextDue: Int64? {
        [deadlineDue, totalDue, idleDue, drainDue].compactMap(\.self).min()
    }

    private func due(_ limit: Duration?) -> Int64? {
        limit.map { exchange.submitted.addingReportingOverflow($0.nanoseconds) }
            .flatMap { $0.overflow ? nil : $0.partialValue }
    }

    private var deadlineDue: Int64? { due(exchange.limits.deadline) }
    private var totalDue: Int64? { due(exchange.limits.total) }
    /// Idleness counts from the moment the request is about to be sent.
    private var idleDue: Int64? {
        guard let idle = exchange.limits.idle else { return nil }
        let (due, overflow) = max(lastActivity, exchange.submitted)
            .addingReportingOverflow(idle.nanoseconds)
        return overflow ? nil : due
    }

    /// A limit may have passed. Answers with the error that ends the transfer, if one has.
    func checkLimits() -> (any Error)? {
        let now = core.now
        if let drainDue, drainDue <= now { return CancellationError() }
        for (name, due) in [(HTTPError.Timer.Name.deadline, deadlineDue), (.total, totalDue)] {
            if let due, due <= now { return timedOut(name) }
        }
        if let idleDue, idleDue <= now {
            // Not the server's fault: our reader or our producer is slow, or we have not begun.
            guard starts > 0, !isReceivingPaused, !isSendingPaused else {
                lastActivity = now
                return nil
            }
            return timedOut(.idle)
        }
        return nil
    }

    private func timedOut(_ name: HTTPError.Timer.Name) -> HTTPError {
        exchange.limits.timedOut(name, phase: phase, mayHaveReachedServer: starts > 0)
    }

    private var phase: HTTPError.Phase {
        if hasHead { return .receiving }
        guard easy != nil else { return .queued }
        guard starts > 0 else { return .connecting }
        return isUpload && !hasUploadEnded ? .sending : .waiting
    }
}

// MARK: - The end

extension Transfer {
    private func error(curl code: Int32) -> HTTPError {
        if let failure { return failure }
        let sent = easy.map { $0.long(CHTTP_INFO_REQUEST_SIZE) > 0 } ?? false
        return HTTPError(
            curl: code,
            FailureFacts(
                hasStarted: starts > 0, hasSent: sent, hasReceived: hasReceived, hasHead: hasHead,
                isVetoed: isVetoed,
                systemError: Int32(
                    truncatingIfNeeded: easy.map { $0.long(CHTTP_INFO_OS_ERRNO) } ?? 0)),
            limits: exchange.limits)
    }

    /// libcurl is done with it.
    func outcome(of result: Int32) -> Exchange.End {
        if result == 0, failure == nil {
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

    /// The last thing before the handle is taken away.
    func end(_ end: Exchange.End) {
        isOver = true
        lastByte = core.now
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

    /// The handle may be used again: nothing of this transfer can linger in it.
    var leavesHandleClean: Bool {
        guard case .complete = end else { return false }
        return !wasPaused && starts == 1 && (!isUpload || hasUploadEnded)
    }

    private func captureTimeline() {
        guard let easy else { return }
        let reused = starts > 0 && easy.long(CHTTP_INFO_NUM_CONNECTS) == 0
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
        wireOctets = easy.offset(CHTTP_INFO_SIZE_DOWNLOAD)
        // libcurl's own count includes the framing of chunks.
        sentOctets = Int64(uploadPosition)
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
        timeline.remoteAddress = remoteAddress
        timeline.version = collector.version
        timeline.responseBodyOctets = wireOctets
        timeline.decodedBodyOctets = decoded
        timeline.requestBodyOctets = sentOctets
        timeline.silentResends = max(0, starts - 1)
    }

    /// The whole answer is in while the body is still being sent: nothing more is wanted of either.
    /// libcurl itself would go on sending, for ever to a server that does not read.
    private var isAnsweredEarly: Bool {
        !isOver && isUpload && hasHead && octetsLeft == 0 && collector.version != .http2
    }

    /// Hands over everything that happened since the last turn.
    func flush() {
        if isAnsweredEarly { core.finish(self, .complete(trailers: nil)) }
        isDirty = false
        report()
        var delivery = Exchange.Delivery(end: end, isPaused: isReceivingPaused && !isOver)
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
        for waiter in discardWaiters where isOver { waiter.resume() }
        if isOver { discardWaiters = [] }
        if outcome.mustResume { resumeReceiving() }
    }

    private func arrival(body: Data?) -> Exchange.Arrival? {
        collector.status.map {
            Exchange.Arrival(
                status: $0, version: collector.version, headers: collector.headers, body: body)
        }
    }

    private func report() {
        guard let call = exchange.request.call, call.observer != nil else { return }
        for event in events { call.report(event) }
        events = []
        switch end {
        case nil: break
        case _ where isAbandoned: call.report(.ended(.abandoned))
        case .complete(let trailers): call.report(.ended(.complete(trailers: trailers)))
        case .failed(let error):
            call.report(hasHead ? .ended(.failed(error)) : .failed(error))
        }
    }
}
