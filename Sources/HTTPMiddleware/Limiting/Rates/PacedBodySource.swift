import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
                RateLimiter.Claim(
                    key: key, units: count, tenant: tenant, priority: priority,
                    end: min(call.deadline ?? far, far), clock: clock, isBeyondLimit: true))
        } catch RateLimiter.Refusal.storeFailed(let error) {
            throw HTTPError(
                .sharedStoreFailed,
                "the store of the rate limit gave no decision, and the policy is to read nothing "
                    + "without one",
                phase: .receiving, mayHaveReachedServer: true, underlyingError: error)
        } catch is RateLimiter.Refusal {
            throw call.deadlineError(phase: .receiving)
        }
    }
}

/// The body of a response whose bytes count against a rate. Each piece waits for its bytes before
/// it is passed on, so that a slow rate slows the sender.
final class PacedBodySource: HTTPBodySource {
    private struct State {
        var iterator: HTTPBody.AsyncIterator?
        var isOver = false
    }

    private let body: HTTPBody
    private let pace: Pace
    private let state: Locked<State>

    init(_ body: HTTPBody, _ pace: Pace) {
        self.body = body
        self.pace = pace
        state = Locked(State(iterator: body.makeAsyncIterator()))
    }

    deinit { end() }

    func next() async throws -> Data? {
        // Taken out while it waits: calls of `next()` never overlap.
        guard var iterator = state.withLock({ $0.iterator.take() }) else {
            throw HTTPError.bodyAlreadyRead
        }
        let piece: Data?
        do {
            piece = try await iterator.next()
            if let piece, !piece.isEmpty { try await pace.wait(for: piece.count) }
        } catch {
            body.abandon()
            end()
            throw error
        }
        let isOver = state.withLock { state in
            guard !state.isOver else { return true }
            state.iterator = iterator
            return false
        }
        if isOver { throw HTTPError.bodyAlreadyRead }
        return piece
    }

    func abandon() {
        body.abandon()
        end()
    }

    func discard() async {
        await body.discard()
        end()
    }

    var trailers: HTTPHeaders? { body.trailers }

    /// Releases the iterator, which abandons the body that it reads.
    private func end() {
        let iterator = state.withLock { state in
            state.isOver = true
            return state.iterator.take()
        }
        _ = consume iterator
    }
}
