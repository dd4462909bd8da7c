import CHTTPTransportCurl
import HTTPCodings
import HTTPCore
import PortableFoundation

/// One exchange as the loop sees it: its easy handle, what has arrived since the last turn, and the
/// actions that follow from what libcurl reports. Lives on the loop's thread.
///
/// Values hold the state and decide: ``TransferMachine``, ``TransferFlow``, ``HeadCollector``. The
/// loop holds the transfer until it is over.
// @exclusivity(unchecked): see ``Reactor``.
final class Transfer {
    /// The content codings of a response, which its reader decodes.
    struct Decoding {
        /// `true` if the transport asks for codings, and decodes what comes.
        let isAsked: Bool
        /// The codings that are decoded, in the order in which they were applied.
        private(set) var codings: [HTTPContentCoding] = []

        init(_ request: HTTPRequest, isWanted: Bool) {
            let headers = request.headers
            isAsked =
                isWanted && !headers.contains(.acceptEncoding) && !headers.contains(.range)
        }

        /// `true` if the content is decoded.
        var isActive: Bool { !codings.isEmpty }

        mutating func begin(_ headers: HTTPHeaders) throws(HTTPError) {
            codings = isAsked ? try HTTPContentCoding.codings(of: headers) : []
        }

        /// The response is not the final one: another one follows.
        mutating func startAgain() { codings = [] }
    }

    /// The next delivery to the caller and the observer.
    struct Delivery {
        /// `true` if something has happened since the last one.
        var isDue = false
        /// `true` if the caller has the response's head.
        var hasHead = false
        /// The events that the observer is told of.
        var events: [HTTPEvent.Kind] = []
        /// The tasks that wait for the end of a response that is dropped.
        var discarding: [Waiter<Void>] = []
    }

    let exchange: Exchange
    let slot: Int
    @safe @exclusivity(unchecked) var lane: Lane
    let loop: TransferLoop

    /// The easy handle, while libcurl works on the transfer.
    @safe @exclusivity(unchecked) var easy: CurlEasyHandle?
    /// The part of libcurl in which the transfer has started.
    @safe @exclusivity(unchecked) var stay: Pools.Stay?

    @safe @exclusivity(unchecked) var machine: TransferMachine
    @safe @exclusivity(unchecked) var flow = TransferFlow()
    @safe @exclusivity(unchecked) var times: TransferTimes
    @safe @exclusivity(unchecked) var connection = TransferConnection()
    @safe @exclusivity(unchecked) var collector = HeadCollector()
    @safe @exclusivity(unchecked) var decoding: Decoding

    // The response's body.
    @safe @exclusivity(unchecked) var buffer: ReceiveBuffer
    /// The number of bytes of the body so far, before decoding.
    @safe @exclusivity(unchecked) var received: Int64 = 0

    /// The request's content; `nil` if it has none.
    @safe @exclusivity(unchecked) var upload: TransferUpload?
    /// The names that are to be looked up before libcurl gets the transfer. It waits for the first
    /// one.
    @safe @exclusivity(unchecked) var namesLeft: ArraySlice<HostLookups.Name> = []

    /// The attempts to connect, as long as they are under way.
    @safe @exclusivity(unchecked) var race: AddressRace?

    /// The HTTP/3 service that the server has announced, if the exchange goes there.
    @safe @exclusivity(unchecked) var http3: HTTP3Use?
    /// The steps of the choice of the version so far.
    @safe @exclusivity(unchecked) private(set) var versionChoices: [HTTPVersionChoice] = []

    @safe @exclusivity(unchecked) var delivery = Delivery()

    init(_ exchange: Exchange, slot: Int, lane: Lane, loop: TransferLoop) {
        self.exchange = exchange
        self.slot = slot
        self.lane = lane
        self.loop = loop
        let request = exchange.request
        times = TransferTimes(lastActivity: loop.now)
        if case .buffered(let limit) = request.delivery {
            buffer = ReceiveBuffer(loop.blocks, limit: limit)
        } else {
            buffer = ReceiveBuffer(loop.blocks)
        }
        let isBare = request.method == .get && !request.hasOptions && request.body.isEmpty
        upload = isBare ? nil : TransferUpload(request)
        let isUpload = upload?.form.isUpload == true
        machine = TransferMachine(
            hasContent: isUpload,
            asksFirst: isUpload && !request.body.isEmpty && request[ExpectContinue.self] != nil)
        decoding = Decoding(
            request, isWanted: loop.settings.configuration.decodesContent)
    }

    /// `true` if libcurl takes the request's content from the read callback.
    var isUpload: Bool { upload?.form.isUpload == true }

    /// `true` if the request is the last one on its connection. See ``ConnectionClose``.
    var closesConnection: Bool {
        exchange.request.hasOptions && exchange.request[ConnectionClose.self]
    }

    /// `true` if the reader takes the body in pieces. It decodes them if the body is coded.
    var isStreamed: Bool { buffer.limit == nil || decoding.isActive }

    var observes: Bool { exchange.request.call?.isObserved == true }

    func markDirty() {
        guard !delivery.isDue else { return }
        delivery.isDue = true
        loop.willFlush(self)
    }
}

// MARK: - Steps

extension Transfer {
    /// Keeps an event for the observer, which is told of it when libcurl has returned.
    func note(_ event: HTTPEvent.Kind) {
        delivery.events.append(event)
        markDirty()
    }

    /// Notes that the addresses of a host are looked up, by libcurl or by the resolver of the
    /// configuration.
    func noteLookup(of host: String) {
        guard observes else { return }
        noteLookedUp()
        connection.attempts.lookedUp = host
        note(.resolving(host))
    }

    /// Notes that the host that was looked up last has addresses.
    func noteLookedUp() {
        guard let host = connection.attempts.lookedUp.take() else { return }
        note(.resolved(host))
    }
}

// MARK: - The version

extension Transfer {
    func note(_ choice: HTTPVersionChoice) {
        versionChoices.append(choice)
        if observes { note(.versionChosen(choice)) }
    }

    /// Prepares the exchange to wait for its turn again. Nothing of it is in libcurl any more.
    ///
    /// - Parameter taken: The number of bytes of requests that libcurl has taken since the last
    ///   start.
    func waitAgain(_ start: FreshStart, taken: Int) {
        connection = TransferConnection()
        times.startAgain()
        machine.restart(start, taken: taken)
        beginAgain()
        upload?.waitAgain()
        http3?.wait.due = nil
        // The limit to connect begins again, as libcurl's does.
        times.lookup = .none
        let now = loop.now
        times.requeue =
            switch start {
            case .refused:
                machine.starts?.rest.map { .resting(since: now, until: now + $0) }
                    ?? .waiting(since: now)
            case .unsettledConnection:
                .settling(since: now, until: now + KeptConnections.longestSettling)
            default: .waiting(since: now)
            }
    }
}

// MARK: - Flow

extension Transfer {
    /// Tells libcurl what is paused. Returns `true` if the transfer can go on.
    func applyPause() -> Bool {
        guard let easy else { return true }
        let receiving = flow.isReceivingPaused
        let sending = receiving && !isUpload && loop.library.has(.readingWhilePaused)
        let code = easy.pause(receiving: receiving, sending: sending || flow.isSendingPaused)
        // A bad argument: there is no connection yet, or no longer one.
        return code == CHTTP_E_OK || code == CHTTP_E_BAD_FUNCTION_ARGUMENT
    }

    func resumeReceiving() {
        guard !machine.isOver, flow.resumeReceiving() else { return }
        times.lastActivity = loop.now
        flow.queued = exchange.buffered
        noteResumption()
        resume()
    }

    /// Lets libcurl send on, in the loop's turn after it has read.
    func endYield() {
        if flow.endYield() { resumeSending() }
    }

    /// The end of the response may have come before the pause. See ``endResponse()``.
    private func noteResumption() {
        guard let upload, isUpload else { return }
        upload.resumedInRun = stay?.pool.timerRuns
        markDirty()
    }

    func resumeSending() {
        guard !machine.isOver, !machine.isContentCut, flow.resumeSending() else { return }
        times.lastActivity = loop.now
        resume()
    }

    private func resume() {
        if !applyPause() {
            loop.finish(self, .failed(error(curl: CHTTP_E_WRITE_ERROR)))
        } else {
            stay?.pool.kick()
        }
    }

    /// Records that the transfer is paused. Over HTTP/3, its connection is kept alive meanwhile.
    func notePause() {
        loop.stopsReading(self)
        connection.stream?.window.pause()
        guard collector.version == .http3, loop.library.has(.silentPause) else { return }
        flow.keepAlive(at: loop.now)
        loop.schedule(self)
    }

    /// The number of bytes of the body that are still to come, if the length is known.
    var bytesLeft: Int64? {
        guard machine.hasHead else { return nil }
        guard hasContent else { return 0 }
        guard let length = collector.contentLength, let easy else { return nil }
        return max(0, length - easy.offset(CHTTP_INFO_SIZE_DOWNLOAD))
    }

    /// Handles a reader that has gone.
    func abandon(_ waiter: Waiter<Void>?) {
        switch machine.abandon(left: bytesLeft) {
        case .nothing: waiter?.resume()
        case .finish:
            if let waiter { delivery.discarding.append(waiter) }
            loop.finish(self, .failed(CancellationError()))
        case .drain:
            if let waiter { delivery.discarding.append(waiter) }
            _ = buffer.take()
            // A waiting reader is told now.
            markDirty()
            if machine.isContentTaken { limitDraining() }
            if flow.isReceivingPaused { resumeReceiving() }
        }
    }

    /// Limits the wait for the rest of the response, once nothing else is waited for.
    func limitDraining() {
        if machine.drain(until: loop.now + 1_000_000_000) { loop.schedule(self) }
    }
}
