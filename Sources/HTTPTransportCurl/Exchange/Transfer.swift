import CHTTPTransportCurl
import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One exchange as the loop sees it: its easy handle, what libcurl has reported since the last
/// turn, and its time limits. Lives on the loop's thread.
final class Transfer {
    enum Mode {
        case delivering
        /// The rest is read and dropped to keep the connection.
        case draining
    }

    let exchange: Exchange
    let slot: Int
    let lane: Lane
    /// The core, which in turn holds the transfer until it is over.
    let core: LoopCore

    /// The easy handle, while libcurl works on the transfer.
    var easy: CurlEasyHandle?
    /// The pool in which the transfer has started.
    var pool: ConnectionPool?
    var collector = HeadCollector()
    var buffer: ReceiveBuffer
    var mode = Mode.delivering
    let bufferLimit: Int?
    let decodes: Bool

    // Events, for errors and deliveries.
    var isOver = false
    var isDirty = false
    var hasHead = false
    var hasDeliveredHead = false
    var hasReceived = false
    var starts = 0
    var isVetoed = false
    /// The sockets that libcurl has made for the transfer. Some may be closed by now.
    var openedDescriptors: [Int32] = []
    /// The connection that the transfer uses.
    var connection: KeptConnections.ID?
    /// `true` if the transfer uses a connection that is not known yet.
    var isOnUnidentified = false
    /// The error because of which no socket could be made; 0 for none.
    var socketError: Int32 = 0
    /// The reason to start again when libcurl ends, instead of ending.
    var pendingStart: FreshStart?
    var freshStarts: Set<FreshStart> = []
    /// `true` if the server is asked before the body is sent.
    var expectsContinue: Bool
    /// `true` if the server has responded with 100 (Continue).
    var isExpectationAccepted = false
    /// `true` if the whole 417 has come and libcurl was not allowed to repeat the request.
    var isRefusal = false
    var resends = Resends()
    var isRefused: Bool { resends.isRefused && !hasReceived }
    /// The HTTP/2 stream while the transfer is on its connection, for libraries that report it only
    /// in messages.
    var stream: UInt32?
    /// `true` if an address was refused. ``hasPermittedAddress`` is `true` if another was not.
    var isBlocked = false
    var hasPermittedAddress = false
    /// The system's error when the request was sent. It belongs to an address that was tried
    /// before.
    var staleSystemError: Int?
    /// The error with which the transport itself ended the transfer.
    var failure: HTTPError?
    var end: Exchange.End?
    var events: [HTTPEvent.Kind] = []
    var discardWaiters: [Waiter<Void>] = []

    // Flow.
    var isReceivingPaused = false
    var isSendingPaused = false
    var wasPaused = false
    /// The number of bytes that the reader had not taken at the last delivery.
    var queued = 0
    var uploadPosition = 0
    var isPumping = false
    var hasUploadEnded = false

    // A response that comes before its request's body has been sent.
    var early: EarlyResponse?
    /// The end of the response, while the body is still being sent.
    var responseEnd: Exchange.End?
    var isUploadCut = false
    var hasReportedSent = false
    /// The last interests that libcurl reported for the socket.
    var awaitsInput = true
    var awaitsOutput = true
    /// The pool's number of timer runs when receiving was resumed.
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
    /// `true` if the body is decoded, so that it is longer than on the wire.
    var isDecoding = false
    /// The content coding that is decoded, in lower case.
    var coding: String?
    var decodingSlice = DecodingSlice()
    /// `true` if the transfer is paused and libcurl has not been told yet.
    var isPauseDue = false
    /// libcurl's count of the bytes read when it delivered the last decoded piece.
    var codedAtLastPiece: Int64 = 0
    /// `true` if libcurl reads no more until the loop's next turn, even if the reader takes more.
    var isHeld = false
    /// `true` while libcurl is told to resume. It may then deliver what it has kept.
    var isResuming = false
    var sentBytes: Int64 = 0
    var isAbandoned = false
    /// `true` if the connection cannot speak HTTP/2, whatever the status line says.
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
    /// Tells libcurl what is paused. Returns `true` if the transfer can go on.
    func applyPause() -> Bool {
        guard let easy else { return true }
        let receiving = isReceivingPaused || isHeld
        let sending = receiving && !isUpload && core.library.readsWhilePaused
        let code = easy.pause(receiving: receiving, sending: sending || isSendingPaused)
        // A bad argument: there is no connection yet, or no longer one.
        return code == CHTTP_E_OK || code == CHTTP_E_BAD_FUNCTION_ARGUMENT
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
            core.finish(self, .failed(failure ?? error(curl: CHTTP_E_WRITE_ERROR)))
        } else {
            pool?.kick()
        }
    }

    /// The number of bytes of the body that are still to come, if the length is known.
    var bytesLeft: Int64? {
        guard hasHead else { return nil }
        guard hasContent else { return 0 }
        guard let length = collector.contentLength, let easy else { return nil }
        return max(0, length - easy.offset(CHTTP_INFO_SIZE_DOWNLOAD))
    }

    /// Handles a reader that has gone. A short rest is read and dropped to keep the connection;
    /// otherwise the connection is closed. A body that is still being sent to a server that wants
    /// it goes on, unless the connection is closed.
    func abandon(_ waiter: Waiter<Void>?) {
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
        // A waiting reader is told now.
        markDirty()
        if !isUpload || hasUploadEnded { limitDraining() }
        if isReceivingPaused { resumeReceiving() }
    }

    /// Limits the wait for the rest of the response, once nothing else is waited for.
    func limitDraining() {
        guard mode == .draining, responseEnd == nil else { return }
        drainDue = core.now + 1_000_000_000
        core.schedule(self)
    }
}
