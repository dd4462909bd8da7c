import Synchronization

/// What the user asked once, however often it is sent: every attempt and hop of a call shares this,
/// no two calls do.
public final class HTTPCall: Identifiable, Sendable {
    public let id: UInt64
    /// The first request's: secrets meant for it go nowhere else.
    public let origin: HTTPOrigin
    /// On ``clock``.
    public let deadline: HTTPInstant?
    public let observer: (any HTTPObserver)?
    public let clock: any HTTPClock

    private struct State {
        var records: [any HTTPTimelineRecord] = []
        var options = HTTPOptions()
    }

    private let state = Locked(State())
    private static let lastID = Atomic<UInt64>(0)

    init(
        origin: HTTPOrigin, deadline: HTTPInstant?, observer: (any HTTPObserver)?,
        clock: any HTTPClock
    ) {
        self.id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.origin = origin
        self.deadline = deadline
        self.observer = observer
        self.clock = clock
    }

    /// How often a transport has sent for this call, its own silent re-sends not counted.
    public var sends: Int { state.withLock { $0.records.count } }

    /// Counts a send. Called by transports, once per exchange.
    ///
    /// - Parameter record: what the transport will write this exchange's times to.
    /// - Returns: the send's number, 1 for the first.
    public func beginSend(_ record: any HTTPTimelineRecord) -> Int {
        state.withLock {
            $0.records.append(record)
            return $0.records.count
        }
    }

    /// All exchanges so far, in the order they were sent.
    public var timeline: HTTPTimeline {
        let records = state.withLock { $0.records }
        return HTTPTimeline(exchanges: records.map(\.exchange))
    }

    /// Tells the observer, if there is one.
    public func report(_ kind: @autoclosure () -> HTTPEvent.Kind) {
        guard let observer else { return }
        observer.observe(HTTPEvent(callID: id, instant: clock.now, kind: kind()))
    }

    /// Reads and changes what layers keep per call, such as a ledger of retries. Runs under a lock:
    /// `body` returns at once and calls nothing foreign.
    public func withOptions<Result: Sendable>(
        _ body: (inout HTTPOptions) throws -> Result
    ) rethrows -> Result {
        try state.withLock { state in try body(&state.options) }
    }
}
