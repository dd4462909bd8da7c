public import HTTPCore
import HTTPFormats

/// A pause of all requests to an origin that has answered 429 or 503 with `Retry-After`: no request
/// of any call is sent before that time, not only the one that got the response.
///
/// After the pause, the requests go on one by one, at random moments within a tenth of its length.
/// A request whose wait would be longer than it may be fails at once with `originPaused`;
/// `retryAfter` of the error says when to come again. The response itself is passed on as it is.
///
/// The length of a pause is an event (``HTTPLimitEvent/paused(_:for:)``), and so is the wait of a
/// call (``HTTPLimitEvent/held(_:for:)``).
///
/// Runs once per exchange (row 10), inside the ``ConcurrencyLimit``, so that requests in its queue
/// are held as well. Put the ``gate`` outside the other limits: all requests then wait there, and
/// hold no unit and no permit. A client does both. Copies share their pauses.
public struct OriginPause: HTTPClientMiddleware {
    /// The numbers since the pauses were created.
    public struct Statistics: Hashable, Sendable {
        /// The pauses that a response of this process has begun or extended.
        public var pauses = 0
        /// The pauses that another process has announced.
        public var announced = 0
        /// The requests that went on after a wait.
        public var waited = 0
        /// The requests that were refused.
        public var refused = 0
        /// The announcements that the store did not take.
        public var storeFailures = 0
    }

    private let table: SharedPauses
    private let settings: Settings

    private struct Settings: Sendable {
        var statuses: Set<HTTPStatus>
        var limit: Duration
        var timeout: Duration
        var name: String
        var key: HTTPLimitKey
    }

    /// - Parameters:
    ///   - statuses: The statuses whose `Retry-After` pauses the origin.
    ///   - limit: The longest pause, five minutes by default. If a server asks for more, the pause
    ///     is so long.
    ///   - timeout: The longest wait of a request.
    ///   - spread: The time after a pause in which requests go on, as a part of its length.
    ///   - name: The name of these pauses. Those with one store and one name hold together.
    ///   - key: The rule by which requests are paused together.
    ///   - store: The store that tells other processes; `nil` for pauses of this one.
    ///   - clock: The clock of the calls, for the pauses that other processes announce.
    public init(
        statuses: Set<HTTPStatus> = [.tooManyRequests, .serviceUnavailable],
        limit: Duration = ServerTime.longestPause, timeout: Duration = .seconds(60),
        spread: Double = 0.1, name: String = "pause", key: HTTPLimitKey = .origin,
        store: (any HTTPPauseStore)? = nil, clock: any HTTPClock = .system
    ) {
        settings = Settings(
            statuses: statuses, limit: max(.zero, limit), timeout: timeout, name: name, key: key)
        table = SharedPauses(
            spread: spread > 0 ? min(spread, 10) : 0, limit: max(.zero, limit), store: store,
            prefix: "\(name):", clock: clock)
    }

    /// The numbers so far.
    public var statistics: Statistics { table.statistics }

    /// Returns the keys that are paused now, such as `http://example.com`, and the time that is
    /// left of each pause.
    public func underWay(on clock: any HTTPClock = .system) -> [String: Duration] {
        // Counted in bytes: a key that begins with a combining mark shares a character with the
        // colon before it.
        let prefix = settings.name.utf8.count + 1
        let pauses = table.underWay(at: clock.now).map {
            (String(decoding: $0.key.utf8.dropFirst(prefix), as: UTF8.self), $0.value)
        }
        return Dictionary(pauses, uniquingKeysWith: max)
    }

    /// A middleware in which requests wait for the end of these pauses, for a place outside other
    /// limits.
    public var gate: any HTTPClientMiddleware { Gate(pause: self) }

    private struct Gate: HTTPClientMiddleware {
        let pause: OriginPause

        func intercept(
            _ request: HTTPRequest, next: any HTTPSession
        ) async throws -> HTTPResponse {
            var request = request
            while true {
                request = try await pause.passed(request, over: next)
                request[PauseProgress.self] = PauseProgress(
                    table: pause.table, waited: pause.waited(request), isWithinGate: true)
                do {
                    return try await next.response(for: request)
                } catch let error as HTTPError
                    where error[PauseProgress.self]?.table === pause.table
                {
                    continue  // a pause has begun meanwhile; nothing was sent
                }
            }
        }
    }

    /// - Throws: `originPaused` or `sessionClosed` before anything is sent, or `CancellationError`
    ///   as soon as the waiting task is cancelled.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = request
        if let progress = request[PauseProgress.self], progress.table === table,
            progress.isWithinGate
        {
            try sendBackIfPaused(request)
        } else {
            request = try await passed(request, over: next)
        }
        let response = try await next.response(for: request)
        if settings.statuses.contains(response.status) { note(response, request) }
        return response
    }

    /// Returns the end of the last of these pauses that a request has waited for.
    private func waited(_ request: HTTPRequest) -> HTTPInstant? {
        guard let progress = request[PauseProgress.self], progress.table === table
        else { return nil }
        return progress.waited
    }

    /// Returns the request when its origin is not paused any more.
    private func passed(
        _ original: HTTPRequest, over next: any HTTPSession
    ) async throws -> HTTPRequest {
        guard !table.isEmpty, let key = try settings.key.value(original) else { return original }
        let call = original.currentCall
        let clock = call.clock
        let start = clock.now
        var request = original
        var waited = self.waited(request)
        let end = min(start + settings.timeout, request.deadline ?? start + settings.timeout)
        while true {
            let now = clock.now
            guard let pause = table.pause(of: "\(settings.name):\(key)", after: waited, at: now)
            else { break }
            let resumption = pause.resumption(at: now, fraction: .random(in: 0..<1))
            guard resumption <= end else {
                table.refused()
                throw HTTPError(
                    .originPaused,
                    "the server has asked for a pause, which ends in "
                        + "\((pause.end - now).readable): come again then",
                    phase: .queued, isRetryable: true, retryAfter: resumption - now
                ).ending(request)
            }
            try await clock.sleep(until: resumption, unless: call.closing(over: next))
            waited = pause.end
        }
        guard waited != self.waited(request) else { return request }
        request[PauseProgress.self] = PauseProgress(
            table: table, waited: waited, isWithinGate: false)
        request.exchangeStart?.restart(at: clock.now)
        table.waited()
        call.report(.layer(HTTPLimitEvent.held(.pause, for: clock.now - start)))
        return request
    }

    /// Fails a request whose origin is paused, so that it waits at the gate and gives back the
    /// units and the permit that it has.
    private func sendBackIfPaused(_ request: HTTPRequest) throws {
        guard !table.isEmpty, let key = try settings.key.value(request) else { return }
        let now = request.currentCall.clock.now
        let waited = waited(request)
        guard table.pause(of: "\(settings.name):\(key)", after: waited, at: now) != nil
        else { return }
        var options = HTTPOptions()
        options[PauseProgress.self] = PauseProgress(
            table: table, waited: waited, isWithinGate: false)
        throw HTTPError(.originPaused, "the request waits for the end of a pause", phase: .queued)
            .keeping(options: options)
    }

    private func note(_ response: HTTPResponse, _ request: HTTPRequest) {
        let call = request.currentCall
        guard let key = try? settings.key.value(request) else { return }
        guard let wait = response.headers.retryDelay(now: call.clock.date), wait > .zero
        else { return }
        let pause = HTTPPause(
            key: "\(settings.name):\(key)",
            timeLeft: ServerTime(wait, atMost: settings.limit).granted)
        guard table.begin(pause, at: call.clock.now) else { return }
        call.report(.layer(HTTPLimitEvent.paused(key, for: pause.timeLeft)))
    }
}

/// The progress of a request with the pauses of one table. Those of another one, such as that of a
/// client around this one, do not count. In an error, it sends the request back to its gate.
private struct PauseProgress: HTTPRequestOption {
    static var defaultValue: PauseProgress? { nil }

    var table: SharedPauses
    /// The end of the last pause that the request has waited for.
    var waited: HTTPInstant?
    /// `true` if the request has passed the gate, to which it can go back.
    var isWithinGate: Bool
}

/// The pauses that copies of an ``OriginPause`` share, and the task that learns of those of other
/// processes.
private final class SharedPauses: Sendable {
    private struct State {
        var table = PauseTable()
        var statistics = OriginPause.Statistics()
        var listener: Task<Void, Never>?
    }

    private let spread: Double
    private let limit: Duration
    private let store: (any HTTPPauseStore)?
    private let state = Locked(State())

    init(
        spread: Double, limit: Duration, store: (any HTTPPauseStore)?, prefix: String,
        clock: any HTTPClock
    ) {
        self.spread = spread
        self.limit = limit
        self.store = store
        guard let store else { return }
        let announcements = store.announcements()
        let listener = Task.detached { [weak self] in
            // Compared by bytes, as in `underWay`.
            for await pause in announcements
            where pause.key.utf8.starts(with: prefix.utf8) {
                self?.learn(pause, at: clock.now)
            }
        }
        state.withLock { $0.listener = listener }
    }

    deinit { state.withLock { $0.listener }?.cancel() }

    /// `true` if there has been no pause yet.
    var isEmpty: Bool { state.withLock { $0.table.count == 0 } }
    var statistics: OriginPause.Statistics { state.withLock { $0.statistics } }

    func underWay(at now: HTTPInstant) -> [String: Duration] {
        state.withLock { $0.table.underWay(at: now) }
    }

    func pause(
        of key: String, after waited: HTTPInstant?, at now: HTTPInstant
    ) -> PauseTable.Pause? {
        state.withLock { $0.table.pause(of: key, after: waited, at: now) }
    }

    func waited() { state.withLock { $0.statistics.waited += 1 } }
    func refused() { state.withLock { $0.statistics.refused += 1 } }

    /// Begins a pause and announces it. Returns `false` if there is one that ends no sooner.
    func begin(_ pause: HTTPPause, at now: HTTPInstant) -> Bool {
        let isNew = state.withLock { state in
            let isNew = state.table.pause(pause.key, for: pause.timeLeft, spread: spread, at: now)
            if isNew { state.statistics.pauses += 1 }
            return isNew
        }
        if isNew, let store {
            Task.detached { [weak self] in
                do {
                    try await store.announce(pause)
                } catch {
                    self?.state.withLock { $0.statistics.storeFailures += 1 }
                }
            }
        }
        return isNew
    }

    private func learn(_ pause: HTTPPause, at now: HTTPInstant) {
        guard pause.timeLeft > .zero else { return }
        state.withLock { state in
            let length = ServerTime(pause.timeLeft, atMost: limit).granted
            if state.table.pause(pause.key, for: length, spread: spread, at: now) {
                state.statistics.announced += 1
            }
        }
    }
}
