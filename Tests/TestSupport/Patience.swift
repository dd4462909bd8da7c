/// An error of an attempt whose time limit passed before the event under test.
package struct TooSoon: Error {
    /// The event that happened instead.
    package let event: String

    package init(_ event: Any) { self.event = "\(event)" }
}

/// Runs `attempt` with a limit of real time that doubles while the machine is too slow for it, up
/// to half a minute.
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
