package import HTTPTesting

/// Numbers at the limits of their types, for tests that pass all of them to each numeric input.
package enum Extremes {
    package static let counts = [Int.min, -1, 0, 1, Int.max]
    package static let lengths = [Int64.min, -1, 0, 1, Int64.max]
    package static let factors = [
        -Double.infinity, -.greatestFiniteMagnitude, -1, -0.0, 0, .leastNonzeroMagnitude, 1,
        .greatestFiniteMagnitude, .infinity, .nan,
    ]
    /// Durations, some of which overflow ``Swift/Duration/components``.
    package static let durations: [Duration] = [
        Duration(attoseconds: .min), .seconds(Int64.min), .seconds(-1), Duration(attoseconds: -1),
        .zero, Duration(attoseconds: 1), .nanoseconds(Int64.max), .milliseconds(Int64.max),
        .seconds(Int64.max), Duration(attoseconds: .max),
    ]

    /// Runs `body`, and advances `clock` to each next deadline, so that no wait takes time.
    package static func run<Result: Sendable>(
        on clock: HTTPTestClock, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let time = Task {
            while true {
                try await clock.waitForSleepers(1)
                if let next = clock.nextDeadline { clock.advance(to: next) }
                await Task.yield()
            }
        }
        defer { time.cancel() }
        return try await body()
    }
}
