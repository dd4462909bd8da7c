import Synchronization
public import PortableFoundation

/// One request by the caller, however often it is sent. All attempts and hops of the call share
/// this object; no two calls do.
public final class HTTPCall: Identifiable, Sendable {
    /// A number that no other call of the process has.
    public let id: UInt64
    /// The method of the first request.
    public let method: HTTPMethod
    /// The URL of the first request. It may contain secrets; its `logSafe` does not.
    public let url: URL
    /// The origin of the first request. Secrets meant for it are not sent elsewhere.
    public let origin: HTTPOrigin
    /// The deadline, on ``clock``.
    public let deadline: HTTPInstant?
    /// The clock of the deadline and of the events.
    public let clock: any HTTPClock

    /// The time that the deadline was set to, or the time from the call's beginning to a deadline
    /// that was set to a moment.
    let limit: Duration?
    /// The object whose refresh the call is part of. See ``RefreshScope``.
    let refreshOwner: ObjectIdentifier?

    private struct State {
        /// Most calls have one exchange, which needs no array.
        var firstRecord: (any HTTPTimelineRecord)?
        var laterRecords: [any HTTPTimelineRecord] = []
        var layerEvents: [any HTTPTimelineEvent] = []
        var options = HTTPOptions()
        var ledger: (any AnyObject & Sendable)?
        /// The observers of this call, joined.
        var observer: (any HTTPObserver)?
        /// The objects that have added observers, each once.
        var observing: [any AnyObject & Sendable] = []
        /// `true` once a session is to report how the call ends.
        var isEndClaimed = false
        var closing: Closing?

        init(closing: Closing?) { self.closing = closing }

        var sends: Int { laterRecords.count + (firstRecord == nil ? 0 : 1) }
    }

    private let state: Locked<State>
    private static let lastID = Atomic<UInt64>(0)

    private let observed = Atomic(false)

    /// `true` if there is an observer. Cheaper than reading ``observer``, which copies it.
    package var isObserved: Bool { observed.load(ordering: .relaxed) }

    /// - Parameter request: The request that begins the call.
    init(
        for request: HTTPRequest, origin: HTTPOrigin, deadline: HTTPInstant?,
        limit: Duration? = nil, observer: (any HTTPObserver)?,
        observing: [any AnyObject & Sendable] = [], clock: any HTTPClock,
        closing: Closing? = nil, refreshOwner: ObjectIdentifier? = RefreshScope.owner
    ) {
        self.id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.method = request.method
        self.url = request.url
        self.origin = origin
        self.deadline = deadline
        self.limit = limit ?? deadline.map { $0 - clock.now }
        self.clock = clock
        self.refreshOwner = refreshOwner
        self.state = Locked(State(closing: closing))
        guard let observer else { return }
        state.withLock { $0.observing = observing }
        observe(with: observer)
    }

    /// The number of times that a transport has sent for this call, without re-sends by the
    /// transport itself.
    public var sends: Int { state.withLock { $0.sends } }

    /// Counts a send. Transports call this once per exchange.
    ///
    /// - Parameter record: The record that the transport will write this exchange's times to.
    /// - Returns: The number of the send, 1 for the first.
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

    /// The closing of the client that the call has entered last, if there is one.
    package var closing: Closing? {
        get { state.withLock { $0.closing } }
        set { state.withLock { $0.closing = newValue } }
    }

    /// All exchanges so far, in the order in which they were sent.
    public var timeline: HTTPTimeline {
        let (records, events) = state.withLock { state in
            ([state.firstRecord].compactMap(\.self) + state.laterRecords, state.layerEvents)
        }
        return HTTPTimeline(exchanges: records.map(\.exchange), layerEvents: events)
    }

    /// Keeps an event of a layer in the timeline and reports it to the observer.
    public func record(_ event: any HTTPTimelineEvent) {
        state.withLock { $0.layerEvents.append(event) }
        report(.layer(event))
    }

    /// The observer of this call, which ``HTTPObserver/began(_:)`` has returned. Several observers
    /// are joined.
    public var observer: (any HTTPObserver)? {
        isObserved ? state.withLock { $0.observer } : nil
    }

    /// Adds an observer to a call under way, unless `owner` has added one before. It is told of the
    /// events that follow.
    package func add(_ observer: any HTTPObserver, for owner: any AnyObject & Sendable) {
        let isNew = state.withLock { state in
            guard !state.observing.contains(where: { $0 === owner }) else { return false }
            state.observing.append(owner)
            return true
        }
        if isNew { observe(with: observer) }
    }

    /// The objects that have added the observers of this call.
    package var observing: [any AnyObject & Sendable] { state.withLock { $0.observing } }

    private func observe(with observer: any HTTPObserver) {
        guard let own = observer.began(self) else { return }
        state.withLock { state in state.observer = state.observer.map { $0 + own } ?? own }
        observed.store(true, ordering: .relaxed)
    }

    /// Passes an event to the observer, if there is one.
    ///
    /// - Parameters:
    ///   - kind: The event, made only if there is an observer.
    ///   - exchange: the number that ``beginSend(_:)`` returned, for an event of an exchange.
    public func report(_ kind: @autoclosure () -> HTTPEvent.Kind, exchange: Int? = nil) {
        guard isObserved, let observer else { return }
        observer.observe(
            HTTPEvent(
                callID: id, exchange: exchange, instant: clock.now, kind: kind().withoutCall))
    }

    /// Returns `true` for the first session that is to report how the call ends.
    func claimEnd() -> Bool {
        state.withLock { state in
            defer { state.isEndClaimed = true }
            return !state.isEndClaimed
        }
    }

    /// Calls `body` with the state that the retry engine keeps for the call. It is not one of the
    /// options because most calls have it.
    package func withLedger<Result: Sendable>(
        _ body: (inout (any AnyObject & Sendable)?) -> Result
    ) -> Result {
        state.withLock { body(&$0.ledger) }
    }

    /// Stores `ledger` if there is none yet. Returns the stored one.
    package func keep(_ ledger: any AnyObject & Sendable) -> any AnyObject & Sendable {
        state.withLock { state in
            if let kept = state.ledger { return kept }
            state.ledger = ledger
            return ledger
        }
    }

    /// Reads and changes the options that layers keep for the call, such as those of a cache.
    /// `body` runs under a lock: it must return quickly and must not call foreign code.
    public func withOptions<Result: Sendable>(
        _ body: (inout HTTPOptions) throws -> Result
    ) rethrows -> Result {
        try state.withLock { state in try body(&state.options) }
    }
}
