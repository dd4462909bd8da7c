/// What an attempt throws whose limit passed before what it is about.
package struct TooSoon: Error {
    /// What happened instead.
    package let event: String

    package init(_ event: Any) { self.event = "\(event)" }
}

/// Runs `attempt` with a limit of real time, which doubles for as long as the machine is too slow for
/// it, up to half a minute.
package func patiently<Result>(
    from least: Duration, _ attempt: (Duration) async throws -> Result
) async throws -> Result {
    var limit = least
    while limit < .seconds(20) {
        do {
            return try await attempt(limit)
        } catch is TooSoon {
            limit *= 2
        }
    }
    return try await attempt(limit)
}
