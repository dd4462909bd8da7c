import HTTPCore

/// The recent failures of a store that processes share. After a failure, the store is left alone
/// for a time that doubles from a tenth of a second to a second, so that not every request waits
/// for it in vain.
struct StoreHealth: Sendable {
    private var failures = 0
    private var leaveAlone = HTTPInstant(sinceStart: .seconds(-1e12))

    func mayAsk(at now: HTTPInstant) -> Bool { now >= leaveAlone }

    mutating func succeeded() { failures = 0 }

    mutating func failed(at now: HTTPInstant) {
        let delay = 0.1 * Double(1 << min(failures, 4))
        failures += 1
        leaveAlone = now + .seconds(min(delay, 1))
    }
}
