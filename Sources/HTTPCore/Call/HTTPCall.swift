import Synchronization

/// What the user asked once, however often it is sent: every attempt and hop of a call shares this,
/// no two calls do.
public final class HTTPCall: Identifiable, Sendable {
    public let id: UInt64
    /// The first request's: secrets meant for it go nowhere else.
    public let origin: HTTPOrigin
    /// On ``clock``.
    public let deadline: HTTPInstant?
    public let clock: any HTTPClock

    /// From its beginning to its deadline.
    let limit: Duration?
    /// The object whose refresh the call is part of, see ``RefreshScope``.
    let refreshOwner: ObjectIdentifier?

    private struct State {
        /// Most calls have one exchange, which takes no array.
        var firstRecord: (any HTTPTimelineRecord)?
        var laterRecords: [any HTTPTimelineRecord] = []
        var retryDecisions: [HTTPRetryDecision] = []
        var options = HTTPOptions()
        var ledger: (any AnyObject & Sendable)?
        /// The observer of this call; set once, by the initialiser.
        var observer: (any HTTPObserver)?

        var sends: Int { laterRecords.count + (firstRecord == nil ? 0 : 1) }
    }

    private let state = Locked(State())
    private static let lastID = Atomic<UInt64>(0)

    /// Whether there is an observer: cheaper than a look at it, which copies it.
    package let isObserved: Bool

    init(
        origin: HTTPOrigin, deadline: HTTPInstant?, observer: (any HTTPObserver)?,
        clock: any HTTPClock, refreshOwner: ObjectIdentifier? = RefreshScope.owner
    ) {
        self.id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.origin = origin
        self.deadline = deadline
        self.limit = deadline.map { $0 - clock.now }
        self.isObserved = observer != nil
        self.clock = clock
        self.refreshOwner = refreshOwner
        guard let observer else { return }
        let own = observer.began(self)
        state.withLock { $0.observer = own }
    }

    /// How often a transport has sent for this call, its own silent re-sends not counted.
    public var sends: Int { state.withLock { $0.sends } }

    /// Counts a send. Called by transports, once per exchange.
    ///
    /// - Parameter record: what the transport will write this exchange's times to.
    /// - Returns: the send's number, 1 for the first.
    public func beginSend(_ record: any HTTPTimelineRecord) -> Int {
        state.withLock { state in
            if state.firstRecord == nil {
                state.firstRecord = record
            } else {
                state.laterRecords.append(record)
            }
            return state.sends
        }
    }

    /// All exchanges so far, in the order they were sent.
    public var timeline: HTTPTimeline {
        let (records, retryDecisions) = state.withLock { state in
            ([state.firstRecord].compactMap(\.self) + state.laterRecords, state.retryDecisions)
        }
        return HTTPTimeline(exchanges: records.map(\.exchange), retryDecisions: retryDecisions)
    }

    /// Keeps a ruling for the timeline and tells the observer.
    public func ruled(_ ruling: HTTPRetryDecision) {
        state.withLock { $0.retryDecisions.append(ruling) }
        report(.retry(ruling))
    }

    /// The observer of this call: the one that it was begun with, or the one which that returned
    /// from ``HTTPObserver/began(_:)``.
    public var observer: (any HTTPObserver)? {
        isObserved ? state.withLock { $0.observer } : nil
    }

    /// Passes an event to the observer, if there is one.
    ///
    /// - Parameter exchange: the number that ``beginSend(_:)`` returned, for an event of an exchange.
    public func report(_ kind: @autoclosure () -> HTTPEvent.Kind, exchange: Int? = nil) {
        guard let observer else { return }
        observer.observe(
            HTTPEvent(
                callID: id, exchange: exchange, instant: clock.now, kind: kind().withoutCall))
    }

    /// Sends what this call is about and reports how the call ends.
    ///
    /// For the session that has begun the call, around everything that it does for it.
    package func reportingEnd(
        _ send: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard isObserved else { return try await send() }
        do {
            let response = try await send()
            response.body.whenEnded { self.report(.callEnded($0)) }
            return response
        } catch {
            report(.callFailed(error))
            throw error
        }
    }

    /// What the layer that sends again keeps for the call: one of the options, but most calls have it.
    package func withLedger<Result: Sendable>(
        _ body: (inout (any AnyObject & Sendable)?) -> Result
    ) -> Result {
        state.withLock { body(&$0.ledger) }
    }

    /// Keeps `ledger` unless there is one. Returns the one that there is then.
    package func keep(_ ledger: any AnyObject & Sendable) -> any AnyObject & Sendable {
        state.withLock { state in
            if let kept = state.ledger { return kept }
            state.ledger = ledger
            return ledger
        }
    }

    /// Reads and changes what layers keep per call, such as what a cache knows of it. Runs under a lock:
    /// `body` returns at once and calls nothing foreign.
    public func withOptions<Result: Sendable>(
        _ body: (inout HTTPOptions) throws -> Result
    ) rethrows -> Result {
        try state.withLock { state in try body(&state.options) }
    }
}
