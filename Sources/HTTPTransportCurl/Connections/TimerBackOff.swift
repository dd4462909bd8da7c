/// A delay for a timer that is due again and again and finds nothing to do.
///
/// libcurl before 8.15 asks to be run at once for as long as a transfer is paused whose bytes are
/// in its own buffers or in those of TLS. Without the delay, a slow reader would keep a processor
/// busy.
struct TimerBackOff {
    /// The number of consecutive runs in vain without a delay. A timer that is due at once usually
    /// has a reason.
    static let patience = 8
    private static let doublings = 5

    private(set) var vainRuns = 0

    /// The time that the next run must wait, in nanoseconds. At most 32 ms.
    var delay: Int64 {
        guard vainRuns >= Self.patience else { return 0 }
        return 1_000_000 << Int64(min(vainRuns - Self.patience, Self.doublings))
    }

    mutating func ranInVain() {
        vainRuns = min(vainRuns + 1, Self.patience + Self.doublings)
    }

    /// Records that something was received, sent, opened, closed or finished. Returns `true` if the
    /// timer was delayed and should run now.
    mutating func progressed() -> Bool {
        defer { vainRuns = 0 }
        return delay > 0
    }
}
