import CHTTPTransportCurl
import HTTPCore

// A transfer that goes over HTTP/3, or might: how long it waits for a connection, when that
// connection counts as lost, and when it goes on without.
extension Transfer {
    /// Limits the wait for a connection to a service that the server has announced.
    func awaitHTTP3() {
        guard let http3, case .exchange(let patience, _) = http3.purpose else { return }
        http3.wait.socketMade = nil
        http3.wait.hurriedDue = ownDue.map { loop.now + max(0, $0 - loop.now) / 2 }
        // The search for the address takes its time, too.
        limit(http3, to: loop.now + max(patience, Self.longestLookup))
    }

    private func limit(_ http3: HTTP3Use, to due: Int64) {
        http3.wait.due = min(due, http3.wait.due ?? .max, http3.wait.hurriedDue ?? .max)
        loop.schedule(self)
    }

    /// Limits the time of a connection from the moment when its first socket is made.
    func openedForHTTP3() {
        guard let http3 else { return }
        if case .exchange(let patience, false) = http3.purpose, machine.stage == .waiting,
            mayBeSentTwice
        {
            http3.purpose = .exchange(patience: patience, isReconnecting: true)
            awaitHTTP3()
        }
        guard http3.wait.socketMade == nil else { return }
        http3.wait.socketMade = loop.now
        if case .exchange(let patience, _) = http3.purpose, http3.wait.due != nil {
            limit(http3, to: loop.now + patience)
        }
    }

    /// The time that an exchange waits for a connection over HTTP/3 that needs no new socket, or
    /// none yet, in nanoseconds.
    private static let longestLookup: Int64 = 1_000_000_000

    /// `true` if the exchange can go on without HTTP/3: nothing was sent, or the connection has
    /// ended, and the request may be sent again.
    var mayLeaveHTTP3: Bool {
        guard let http3, !http3.isOpening else { return false }
        return machine.stage <= .connecting || http3.isReconnecting
    }

    /// The time at which to check the limits next that HTTP/3 alone has.
    var nextHTTP3Due: Int64 {
        min(min(http3Due ?? .max, silenceDue ?? .max), keepAliveDue ?? .max)
    }

    /// The wait for the addresses of the service is a part of it.
    var http3Due: Int64? {
        guard mayLeaveHTTP3 else { return nil }
        let due = min(http3?.wait.due ?? .max, times.lookup.due ?? .max)
        return due == .max ? nil : due
    }

    /// `true` if the exchange has waited long enough for a connection over HTTP/3.
    var isHTTP3Late: Bool { http3Due.map { $0 <= loop.now } ?? false }

    /// `true` if the wait was shorter than the service may need, because the exchange has little
    /// time.
    var isHurried: Bool { isHTTP3Late && http3?.wait.due == http3?.wait.hurriedDue }

    /// `true` if the request may be sent again although it may have reached the server.
    var mayBeSentTwice: Bool {
        exchange.request.method.isIdempotent && machine.canSendAgain
    }

    /// The longest and the shortest time after which a connection over HTTP/3 counts as lost, in
    /// nanoseconds. QUIC acknowledges within milliseconds, and repeats what was lost several times
    /// in this time.
    private static let longestSilence: Int64 = 3_000_000_000
    private static let shortestSilence: Int64 = 1_000_000_000

    /// The time without a sign of life after which the connection counts as lost. A request with
    /// little time still has half of it left then.
    private func silenceLimit(from written: Int64) -> Int64 {
        guard let ownDue else { return Self.longestSilence }
        return min(Self.longestSilence, max(Self.shortestSilence, (ownDue - written) / 2))
    }

    /// The time at which a request fails that has no sign of life and may not be sent twice.
    var unacknowledgedDue: Int64? {
        times.written.flatMap {
            due(loop.settings.configuration.unacknowledgedTimeout, from: $0)
        }
    }

    /// `true` if the request was written over HTTP/3, and nothing has come since.
    var isUnanswered: Bool {
        lane.isHTTP3 && machine.stage == .waiting && connection.watch != .heard
            && connection.use.id != nil && times.written != nil
    }

    /// The time at which to check whether the connection is lost. A connection that is not known
    /// cannot be checked.
    var silenceDue: Int64? {
        guard isUnanswered, let written = times.written else { return nil }
        let limit = silenceLimit(from: written)
        let suspicionTime = limit / 3
        let next: Int64
        switch connection.watch {
        case .none, .heard: return written + suspicionTime
        // If that cannot be known yet, the next check comes later and later.
        case .suspected(let last): next = last + max(suspicionTime, (last - written) / 2)
        case .givenUp(let last):
            return unacknowledgedDue.map {
                max(last + max(suspicionTime, (last - written) / 2), $0)
            }
        }
        if mayBeSentTwice,
            machine.starts?.contains(.silentConnection) != true
        {
            return max(next, written + limit)
        }
        return max(next, min(written + limit, unacknowledgedDue ?? .max))
    }

    var isSilenceDue: Bool { silenceDue.map { $0 <= loop.now } ?? false }

    var silenceError: HTTPError {
        HTTPError(
            .connectionLost,
            "the HTTP/3 connection was lost: the server has not acknowledged the request",
            phase: .waiting, isRetryable: true, mayHaveReachedServer: true)
    }

    /// The number of bytes, beyond the high watermark, that may come while a paused transfer keeps
    /// its connection alive. A server sends some 64 KiB each time: enough for about 13 minutes.
    private static let keepAliveRoom = 16 << 20

    var keepAliveDue: Int64? {
        let configuration = loop.settings.configuration
        guard flow.isReceivingPaused, let keptAlive = flow.keptAlive,
            flow.queued + buffer.count < configuration.highWater + Self.keepAliveRoom
        else { return nil }
        return keptAlive + configuration.keepAliveInterval.nanoseconds
    }

    /// Returns why the exchange goes on without HTTP/3, if that is what follows from libcurl's
    /// result.
    ///
    /// Nothing was sent, so any method may go on. A certificate that was not accepted is an error,
    /// wherever the server says that it is.
    func http3Failure(_ code: Int32) -> String? {
        guard code != CHTTP_E_OK, mayLeaveHTTP3 || isLostOverKeptConnection(code),
            machine.failure == nil || machine.failure?.code == .addressBlocked,
            !CertificateFailure.codes.contains(code)
        else { return nil }
        return error(curl: code).message
    }

    /// Returns `true` if a kept connection to an announced service has ended with a request that
    /// may be sent again.
    private func isLostOverKeptConnection(_ code: Int32) -> Bool {
        guard http3?.isOpening == false, machine.stage == .waiting, mayBeSentTwice,
            let easy, easy.long(CHTTP_INFO_NUM_CONNECTS) == 0
        else { return false }
        return Self.connectionEnds.contains(code)
    }

    private static let connectionEnds = [
        CHTTP_E_SEND_ERROR, CHTTP_E_RECV_ERROR, CHTTP_E_GOT_NOTHING, CHTTP_E_HTTP3,
    ]

    /// Returns `true` if an HTTP/3 connection that the request asked for has ended without a
    /// response, and the request may be sent again. A server that reloads its configuration ends
    /// connections with requests under way.
    func isLostOverHTTP3(_ code: Int32) -> Bool {
        loop.library.has(.lostHTTP3Requests) && lane.isHTTP3
            && http3 == nil && machine.stage == .waiting
            && machine.failure == nil && mayBeSentTwice && Self.connectionEnds.contains(code)
    }

    /// The cause of a failure to connect to an announced service.
    enum HTTP3Cause {
        /// It lies on this side.
        case here
        /// The exchange forbids the service's address.
        case policy
        /// The exchange had less time than the service may need, or its connection has ended.
        case doubt
        case service
    }

    var http3Cause: HTTP3Cause {
        guard let http3, machine.isAdmitted, connection.attempts.socketError == 0 else {
            return .here
        }
        if machine.failure?.code == .addressBlocked
            || (connection.attempts.permission == .refused)
        {
            return .policy
        }
        if machine.stage == .waiting, http3.wait.socketMade == nil { return .doubt }
        guard
            http3.wait.socketMade != nil || http3.service.host != lane.route.origin.host
        else { return .here }
        return isHurried ? .doubt : .service
    }

    /// Returns `true` if an exchange has failed in a way that may be the fault of HTTP/3.
    func isLostWithHTTP3(_ error: any Error) -> Bool {
        guard let error = error as? HTTPError else { return false }
        return switch error.code {
        case .serverNotTrusted: true
        case .connectionLost: machine.isWritten
        // libcurl has tried another connection for a request that it had written.
        case .cannotConnect: machine.isWritten
        case .timedOut: machine.isWritten && error.timer?.name == .connect
        default: false
        }
    }

    /// Prepares the exchange to begin again without HTTP/3. Nothing of it is in libcurl any more,
    /// and it waits for its turn.
    func leaveHTTP3(because reason: String, _ start: FreshStart) {
        guard let http3 = http3.take() else { return }
        note(.failed(.http3, reason: reason))
        lane = http3.home
        waitAgain(start, taken: .max)
    }

    /// Lets libcurl exchange packets with the server once, which tells the server that the
    /// connection is in use. What arrives with them is kept for the reader.
    func keepAlive() {
        flow.keepAlive(at: loop.now)
        guard !machine.isOver, flow.isReceivingPaused, let easy, let pool = stay?.pool else {
            return
        }
        guard easy.pause(receiving: false, sending: flow.isSendingPaused) == CHTTP_E_OK else {
            return
        }
        pool.kick()
        pool.runTimers()
        if !machine.isOver { _ = applyPause() }
    }

    /// `true` if an announced service has refused to respond for the origin (RFC 7838 §6).
    var isMisdirected: Bool { http3 != nil && collector.status?.code == 421 }

    /// Records the services that the response announces (RFC 7838 §3).
    func noteAnnouncement() {
        guard http3 != nil || lane.http3 != nil, collector.status?.code != 421,
            let text = collector.headers[combined: .altSvc]
        else { return }
        let age = collector.headers[.age].flatMap { $0.trimmingBlanks.deltaSeconds }
        loop.announced(text, age: age ?? .zero, by: self)
    }
}
