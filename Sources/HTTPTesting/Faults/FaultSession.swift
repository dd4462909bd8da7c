public import HTTPCore
import PortableFoundation

/// A session that adds network faults to another session's exchanges, according to a ``FaultPlan``.
///
/// Use it to test how your code handles faults: put it around a mock, a stub or a transport.
public final class FaultSession: HTTPSession {
    /// A request and its fault.
    public struct Event: Hashable, Sendable {
        /// The method and the URL, without user information, query and fragment.
        public var request: String
        /// The delay and the fault that the request got.
        public var fault: Fault
    }

    private struct State {
        var sends: [String: Int] = [:]
        var events: [Event] = []
    }

    private let session: any HTTPSession
    private let plan: FaultPlan
    private let clock: any HTTPClock
    private let state = Locked(State())

    /// - Parameters:
    ///   - session: The session below.
    ///   - plan: The faults.
    ///   - clock: the clock for latency: an ``HTTPTestClock``, or real time.
    public init(_ session: any HTTPSession, _ plan: FaultPlan, clock: any HTTPClock = .system) {
        self.session = session
        self.plan = plan
        self.clock = clock
    }

    /// The events, one per request, in order of arrival.
    public var events: [Event] { state.withLock { $0.events } }

    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        let fault = draw(for: request)
        if fault.latency > .zero { try await clock.sleep(for: fault.latency) }
        switch fault.kind {
        case nil: return try await session.response(for: request)
        case .unsent:
            throw HTTPError(
                .cannotConnect, "simulated fault: the request was not sent",
                phase: .connecting, isRetryable: true
            ).ending(request)
        case .unanswered:
            await (try await session.response(for: request)).discard()
            throw HTTPError(
                .connectionLost, "simulated fault: the response was lost", phase: .waiting,
                isRetryable: true, mayHaveReachedServer: true
            ).ending(request)
        case .duplicated:
            guard request.body.replay == .always else {
                return try await session.response(for: request)
            }
            await (try await session.response(for: request)).discard()
            do {
                return try await session.response(for: request)
            } catch let error as HTTPError {
                // The first one has.
                throw error.inPhase(error.phase, mayHaveReachedServer: true)
            }
        case .truncated(let fraction):
            let response = Self.truncating(
                try await session.response(for: request), to: fraction)
            guard case .buffered(let limit) = request.delivery else { return response }
            return try await response.buffered(upTo: limit)
        }
    }

    private func draw(for request: HTTPRequest) -> Fault {
        let key = "\(request.method) \(request.url.absoluteString)"
        return state.withLock { state in
            let number = state.sends[key, default: 0]
            state.sends[key] = number + 1
            let fault = plan.fault(for: key, number: number)
            state.events.append(Event(request: request.description, fault: fault))
            return fault
        }
    }

    private static func truncating(
        _ response: HTTPResponse, to fraction: Double
    ) -> HTTPResponse {
        if response.body.isEmpty { return response }
        let error = HTTPError(
            .bodyIncomplete, "simulated fault: the body breaks off", phase: .receiving,
            isRetryable: true, mayHaveReachedServer: true, response: response.head
        ).ending(response)
        let length = response.body.length
        let cut = Cut(length.map { Int(Double($0) * fraction) })
        var truncated = response
        truncated.body = response.body.wrapped(
            HTTPBodyHooks(
                piece: { piece in
                    let count = cut.take(piece.count, fraction: fraction)
                    guard count > 0 else { throw error }
                    return .bytes(piece.prefix(count))
                },
                finishing: { _ in throw error }))
        return truncated
    }

    /// The number of bytes that may still pass.
    private final class Cut: Sendable {
        private let left: Locked<Int?>

        init(_ left: Int?) { self.left = Locked(left) }

        func take(_ count: Int, fraction: Double) -> Int {
            left.withLock { left in
                let taken = min(count, left ?? Int(Double(count) * fraction))
                left = (left ?? taken) - taken
                return taken
            }
        }
    }
}
