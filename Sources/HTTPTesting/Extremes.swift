/// Numbers at the edges of their types, for tables that give each public numeric input all of them.
package enum Extremes {
    package static let counts = [Int.min, -1, 0, 1, Int.max]
    package static let lengths = [Int64.min, -1, 0, 1, Int64.max]
    package static let factors = [
        -Double.infinity, -.greatestFiniteMagnitude, -1, -0.0, 0, .leastNonzeroMagnitude, 1,
        .greatestFiniteMagnitude, .infinity, .nan,
    ]
    /// Among them some whose ``Swift/Duration/components`` do not exist.
    package static let durations: [Duration] = [
        Duration(attoseconds: .min), .seconds(Int64.min), .seconds(-1), Duration(attoseconds: -1),
        .zero, Duration(attoseconds: 1), .nanoseconds(Int64.max), .milliseconds(Int64.max),
        .seconds(Int64.max), Duration(attoseconds: .max),
    ]

    /// Runs `body` while `clock` jumps to whatever is slept for next, so that no wait takes time.
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
