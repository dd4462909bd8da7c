import Dispatch
import HTTPCore

/// The one timer of an exchange.
///
/// Quiet octets cost nothing: activity is only noted, and a timer that comes too early is set anew.
// @unchecked: a dispatch source may be used from any thread, libdispatch just does not say so, and
// nothing else is here.
final class ExchangeTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    init(queue: DispatchQueue, fire: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: fire)
        source.activate()
    }

    func schedule(in duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let milliseconds =
            min(max(seconds, 0), 1 << 32) * 1000 + attoseconds / 1_000_000_000_000_000
        // One more, so that it never comes a fraction too early and has to come twice.
        source.schedule(
            deadline: .now() + .milliseconds(Int(milliseconds) + 1), leeway: .milliseconds(1))
    }

    func cancel() { source.cancel() }

    deinit { source.cancel() }
}
