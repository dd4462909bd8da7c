import Dispatch
import HTTPCore

/// The timer of one exchange. All exchanges of a transport share one timer of the system.
///
/// Activity costs nothing: it is only noted, and a timer that fires too early is set again.
final class ExchangeTimer: Sendable {
    private let timers: ExchangeTimers
    fileprivate let fire: @Sendable () -> Void

    init(_ timers: ExchangeTimers, fire: @escaping @Sendable () -> Void) {
        self.timers = timers
        self.fire = fire
    }

    func schedule(in duration: Duration) { timers.schedule(self, in: duration) }

    func cancel() { timers.remove(self) }
}

/// The timers of a transport's exchanges, on one timer of the system.
///
/// Nearly every exchange ends long before its first limit, so nearly none sets the system's timer.
/// It stays as it is while it comes before all moments that are waited for.
// @unchecked: `DispatchSourceTimer` is not declared Sendable. The source is activated in `init` and
// cancelled in `deinit`, where there is no other reference, and is set only under the lock. All
// other state is behind that lock.
final class ExchangeTimers: @unchecked Sendable {
    private struct State {
        var waiting: [ObjectIdentifier: (timer: ExchangeTimer, moment: HTTPInstant)] = [:]
        /// The moment that the system's timer is set for.
        var next: HTTPInstant?
    }

    private let state = Locked(State())
    private let source: any DispatchSourceTimer

    init() {
        // A queue that never waits for URLSession.
        source = DispatchSource.makeTimerSource(
            queue: DispatchQueue(label: "HTTPTransportURLSession.timers"))
        source.setEventHandler { [weak self] in self?.fire() }
        source.activate()
    }

    deinit { source.cancel() }

    fileprivate func schedule(_ timer: ExchangeTimer, in duration: Duration) {
        let now = HTTPSystemClock().now
        state.withLock { state in
            let moment = now + duration
            state.waiting[ObjectIdentifier(timer)] = (timer, moment)
            if state.next.map({ moment < $0 }) ?? true { set(moment, now, &state) }
        }
    }

    fileprivate func remove(_ timer: ExchangeTimer) {
        state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(timer)) }
    }

    private func fire() {
        let now = HTTPSystemClock().now
        let due = state.withLock { state in
            let due = state.waiting.values.filter { $0.moment <= now }.map(\.timer)
            for timer in due { state.waiting[ObjectIdentifier(timer)] = nil }
            state.next = nil
            if let next = state.waiting.values.map(\.moment).min() { set(next, now, &state) }
            return due
        }
        for timer in due { timer.fire() }
    }

    private func set(_ moment: HTTPInstant, _ now: HTTPInstant, _ state: inout State) {
        state.next = moment
        let (seconds, attoseconds) = (moment - now).components
        let milliseconds =
            min(max(seconds, 0), 1 << 32) * 1000 + attoseconds / 1_000_000_000_000_000
        // One millisecond more, so that the timer never fires a fraction too early and then once
        // more.
        source.schedule(
            deadline: .now() + .milliseconds(Int(milliseconds) + 1), leeway: .milliseconds(1))
    }
}
