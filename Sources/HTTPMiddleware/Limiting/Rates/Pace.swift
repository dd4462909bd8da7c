import HTTPCore
import PortableFoundation

/// The limit that the reader of a body waits for, and the call that the body is part of.
struct Pace: Sendable {
    let limiter: RateLimiter
    let key: String
    let call: HTTPCall
    let tenant: String
    let priority: RequestPriority

    /// Waits until `count` bytes may be passed on.
    func wait(for count: Int) async throws {
        let clock = call.clock
        let far = clock.now + .seconds(366 * 86_400)
        do {
            _ = try await limiter.take(
                RateClaim(
                    key: key, units: count, tenant: tenant, priority: priority,
                    end: min(call.deadline ?? far, far), clock: clock, isBeyondLimit: true))
        } catch RateClaim.Refusal.storeFailed(let error) {
            throw HTTPError(
                .sharedStoreFailed,
                "the store of the rate limit gave no decision, and the policy is to read nothing "
                    + "without one",
                phase: .receiving, mayHaveReachedServer: true, underlyingError: error)
        } catch is RateClaim.Refusal {
            throw call.deadlineError(phase: .receiving)
        }
    }
}

extension HTTPBody {
    /// Returns this body, whose bytes count against a rate. Each piece waits for its bytes before
    /// it is passed on, so that a slow rate slows the sender.
    func paced(_ pace: Pace) -> HTTPBody {
        wrapped(
            HTTPBodyHooks(piece: { piece in
                if !piece.isEmpty { try await pace.wait(for: piece.count) }
                return .bytes(piece)
            }))
    }
}
