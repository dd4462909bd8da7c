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
    enum Mode {
        case delivering
        /// The rest is read and dropped, to keep the connection.
        case draining
    }

    let exchange: Exchange
    let slot: Int
    let lane: Lane
    /// Which holds the transfer in turn, until it is over.
    let core: LoopCore

    /// Set while libcurl works on it.
    var easy: CurlEasyHandle?
    /// Where it has started.
    var pool: ConnectionPool?
    var collector = HeadCollector()
    var buffer: ReceiveBuffer
    var mode = Mode.delivering
    let bufferLimit: Int?
    let decodes: Bool

    // What has happened, for errors and deliveries.
    var isOver = false
    var isDirty = false
    var hasHead = false
    var hasDeliveredHead = false
    var hasReceived = false
    var starts = 0
    var isVetoed = false
    /// Whose sockets libcurl made for it, some closed since.
    var openedDescriptors: [Int32] = []
    /// The one that it is on.
    var connection: KeptConnections.ID?
    /// It is on one, and which is not known yet.
    var isOnUnidentified = false
    /// Why no socket could be made, 0 if that has not happened.
    var socketError: Int32 = 0
    /// What libcurl's end means, instead of an end.
    var pendingStart: FreshStart?
    var freshStarts: Set<FreshStart> = []
    /// The server is asked before the body is sent.
    var expectsContinue: Bool
    /// It has answered with 100 (Continue).
    var isExpectationAccepted = false
    /// The whole 417 is in, and libcurl's repetition of the request was refused.
    var isRefusal = false
    var resends = Resends()
    var isRefused: Bool { resends.isRefused && !hasReceived }
    /// Of HTTP/2, while it is on its connection, where the library says it in words alone.
    var stream: UInt32?
    /// An address was refused; whether another was not.
    var isBlocked = false
    var hasPermittedAddress = false
    /// The system's error when the request was sent: of an address that was tried before.
    var staleSystemError: Int?
    /// Why we ended it ourselves.
    var failure: HTTPError?
    var end: Exchange.End?
    var events: [HTTPEvent.Kind] = []
    var discardWaiters: [CheckedContinuation<Void, Never>] = []

    // Flow.
    var isReceivingPaused = false
    var isSendingPaused = false
    var wasPaused = false
    /// What the reader had not taken at the last delivery.
    var queued = 0
    var uploadPosition = 0
    var isPumping = false
    var hasUploadEnded = false

    // A response that comes before its request's body has been sent.
    var early: EarlyResponse?
    /// Of the response, while the body is still being sent.
    var responseEnd: Exchange.End?
    var isUploadCut = false
    var hasReportedSent = false
    /// What libcurl waits for on the socket, as it said last.
    var awaitsInput = true
    var awaitsOutput = true
    /// The pool's run before which receiving was resumed.
    var resumedInRun: Int?

    // Time, in the loop's nanoseconds.
    var admitted: Int64?
    var sending: Int64?
    var firstByte: Int64?
    var lastByte: Int64?
    var lastActivity: Int64
    var drainDue: Int64?
    var remoteHost: String?
    var remotePort: Int?
    var decoded: Int64 = 0
    var connectMarks: (name: Duration?, connect: Duration?, secure: Duration?)
    var isReused: Bool?
    var connectionsOpened = 0
    var wireBytes: Int64 = 0
    var tlsVersion: String?
    /// The body is longer now than on the wire.
    var isDecoding = false
    /// The one that is decoded, in lower case.
    var coding: String?
    var decodingSlice = DecodingSlice()
    /// Paused, but libcurl has not been told yet.
    var isPauseDue = false
    /// How much libcurl had read, as far as it counts, when it handed over the last decoded piece.
    var codedAtLastPiece: Int64 = 0
    /// libcurl reads no more until the loop's next turn, whether the reader takes more or not.
    var isHeld = false
    /// libcurl is told to go on, and may hand over in the meantime what it has kept.
    var isResuming = false
    var sentBytes: Int64 = 0
    var isAbandoned = false
    /// The connection cannot speak HTTP/2, whatever the status line says.
    var speaksHTTP1 = false
    let uploadForm: UploadForm
    var uploadFile: UploadFile?
    let requestTrailers: RequestTrailers?

    init(_ exchange: Exchange, slot: Int, lane: Lane, core: LoopCore) {
        self.exchange = exchange
        self.slot = slot
        self.lane = lane
        self.buffer = ReceiveBuffer(core.blocks)
        self.core = core
        self.lastActivity = core.now
        if case .buffered(let limit) = exchange.request.delivery {
            bufferLimit = limit
        } else {
            bufferLimit = nil
        }
        uploadForm = UploadForm(exchange.request)
        expectsContinue =
            uploadForm.isUpload && !exchange.request.body.isEmpty
            && exchange.request[ExpectContinue.self] != nil
        requestTrailers = exchange.request[RequestTrailers.self]
        let headers = exchange.request.headers
        decodes =
            core.configuration.decodesContent && !headers.contains(.acceptEncoding)
            && !headers.contains(.range)
    }

    var isUpload: Bool { uploadForm.isUpload }

    var observes: Bool { exchange.request.call?.isObserved == true }
}

// MARK: - Flow

extension Transfer {
    /// Tells libcurl what is paused. Answers whether the transfer can go on.
    func applyPause() -> Bool {
        guard let easy else { return true }
        let receiving = isReceivingPaused || isHeld
        let sending = receiving && !isUpload && core.library.readsWhilePaused
        let code = easy.pause(receiving: receiving, sending: sending || isSendingPaused)
        // 43: there is no connection yet, or none any more.
        return code == 0 || code == 43
    }

    func resumeReceiving() {
        guard !isOver, isReceivingPaused else { return }
        isReceivingPaused = false
        lastActivity = core.now
        queued = exchange.buffered
        if isUpload {
            resumedInRun = pool?.timerRuns
            markDirty()
        }
        resume()
    }

    func resumeSending() {
        guard !isOver, isSendingPaused, !isUploadCut else { return }
        isSendingPaused = false
        lastActivity = core.now
        resume()
    }

    func resume() {
        core.libraryCalls &+= 1
        isResuming = true
        let canGoOn = applyPause()
        isResuming = false
        if !canGoOn {
            core.finish(self, .failed(failure ?? error(curl: 23)))
        } else {
            pool?.kick()
        }
    }

    /// How many bytes of the body are still to come, if the length says so.
    var bytesLeft: Int64? {
        guard hasHead else { return nil }
        guard hasContent else { return 0 }
        guard let length = collector.contentLength, let easy else { return nil }
        return max(0, length - easy.offset(CHTTP_INFO_SIZE_DOWNLOAD))
    }

    /// The reader has gone: a short rest is read away to keep the connection, else it is cut. What is
    /// still being sent to a server that wants it goes on, unless the connection is cut.
    func abandon(_ waiter: CheckedContinuation<Void, Never>?) {
        guard responseEnd == nil else {
            waiter?.resume()
            return
        }
        if let waiter { discardWaiters.append(waiter) }
        isAbandoned = true
        let limit: Int64 = collector.status?.isRedirection == true ? 64 << 10 : 1 << 20
        guard easy != nil, let left = bytesLeft, left <= limit,
            !isUpload || hasUploadEnded || early?.isOutlived == true
        else {
            return core.finish(self, .failed(CancellationError()))
        }
        mode = .draining
        _ = buffer.take()
        // A reader that waits is told now.
        markDirty()
        if !isUpload || hasUploadEnded { limitDraining() }
        if isReceivingPaused { resumeReceiving() }
    }

    /// A rest that does not come is not waited for, once nothing else is.
    func limitDraining() {
        guard mode == .draining, responseEnd == nil else { return }
        drainDue = core.now + 1_000_000_000
        core.schedule(self)
    }
}

// MARK: - Time

extension Transfer {
    var isAdmitted: Bool { admitted != nil }

    func admit() {
        admitted = core.now
        if observes {
            events.append(.sending(exchange.request))
            markDirty()
        }
    }

    /// When to look at the limits next.
    var nextDue: Int64? {
        let due = min(
            min(deadlineDue ?? .max, totalDue ?? .max),
            min(min(idleDue ?? .max, drainDue ?? .max), queueDue ?? .max))
        return due == .max ? nil : due
    }

    private func due(_ limit: Duration?) -> Int64? {
        limit.map { exchange.submitted.addingReportingOverflow($0.nanoseconds) }
            .flatMap { $0.overflow ? nil : $0.partialValue }
    }

    var deadlineDue: Int64? { due(exchange.limits.deadline) }
    var totalDue: Int64? { due(exchange.limits.total) }
    var queueDue: Int64? { isAdmitted ? nil : due(core.configuration.queueTimeout) }
    /// Idleness counts from the moment the request is about to be sent.
    var idleDue: Int64? {
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
        if let queueDue, queueDue <= now {
            return HTTPError(
                .queueTimedOut,
                "no turn in time: \(lane.queue.waitingCount) exchanges wait while "
                    + "\(lane.queue.limit) may run at a time",
                phase: .queued, isRetryable: true)
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

    func timedOut(_ name: HTTPError.Timer.Name) -> HTTPError {
        exchange.limits.timedOut(name, phase: phase, mayHaveReachedServer: starts > 0)
    }

    var phase: HTTPError.Phase {
        if responseEnd != nil { return .sending }
        if hasHead { return .receiving }
        guard easy != nil else { return .queued }
        guard starts > 0 else { return .connecting }
        return isUpload && !hasUploadEnded ? .sending : .waiting
    }
}
