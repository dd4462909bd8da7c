/// Slows a timer that is due again and again and finds nothing to do.
///
/// libcurl before 8.15 asks to be run at once for as long as a transfer is paused of which bytes lie
/// in its own or in TLS's buffers: without this, a reader that takes its time keeps a processor busy.
struct TimerBackOff {
    /// So often in a row it may run in vain; a timer that is due at once mostly has a reason.
    static let patience = 8
    private static let doublings = 5

    private(set) var vainRuns = 0

    /// How long the next run must wait, in nanoseconds: up to 32 ms.
    var delay: Int64 {
        guard vainRuns >= Self.patience else { return 0 }
        return 1_000_000 << Int64(min(vainRuns - Self.patience, Self.doublings))
    }

    mutating func ranInVain() {
        vainRuns = min(vainRuns + 1, Self.patience + Self.doublings)
    }

    /// Something was received, sent, opened, closed or finished. Answers whether the timer was slowed
    /// and should run now.
    mutating func progressed() -> Bool {
        defer { vainRuns = 0 }
        return delay > 0
    }
}
