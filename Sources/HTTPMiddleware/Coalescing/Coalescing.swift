public import HTTPCore

/// Sends once what is asked several times at the same moment: GET and HEAD whose response is wanted
/// in memory, and requests of any method that ask for it themselves
/// (``HTTPCore/HTTPRequest/coalescing(_:)``).
///
/// Identical are requests with the same method, URL, fields, body bytes, limits and version. An
/// answer is shared with those who asked before it was complete, and kept for nobody else. The
/// request under way is no caller's: it has no deadline of a caller and is cancelled when the last
/// of them has left; each waits with its own deadline and cancellation, and has its own
/// `originalRequest`. Copies share what is under way.
///
/// Events of the shared request go to the observer of who asked first, under a call id of their own.
///
/// Runs per hop, around retries and authentication (row 7), so that one flight shares them.
public struct Coalescing: HTTPClientMiddleware {
    /// For requests that say nothing, see ``HTTPCore/HTTPRequest/coalescing``.
    public var handling: CoalescingMode
    /// How long a request under way may take, whoever waits for it.
    public var limit: Duration

    private let flights = Flights()

    public init(
        _ handling: CoalescingMode = .useCurrentIfPossible, limit: Duration = .seconds(600)
    ) {
        self.handling = handling
        self.limit = limit
    }

    /// How many requests are under way.
    public var count: Int { flights.count }
    /// How many calls wait for them.
    public var joined: Int { flights.joined }

    /// - Throws: `droppedAsDuplicate` where that was asked for; `unsupportedOption` where the
    ///   request asks for what cannot be done, as its body is not in memory or its response is
    ///   streamed; what the shared request throws; `timedOut` at the call's own deadline.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        try await response(
            for: request, handling: request.coalescing,
            default: handling, next: next)
    }

    /// - Parameters:
    ///   - wish: the request's own.
    ///   - handling: where it has none, for GET and HEAD alone.
    package func response(
        for request: HTTPRequest, handling wish: CoalescingMode?,
        default handling: CoalescingMode, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let request = try request.beginningCall().withDuplicatesSeenTo
        guard let identity = try identity(of: request, wish) else {
            return try await next.response(for: request)
        }
        let own = request.servingSeveral(for: limit)
        let boarding = flights.board(identity, wish ?? handling) {
            try await next.attempt(own).get()
        }
        guard let (flight, seat) = boarding else {
            throw HTTPError(
                .droppedAsDuplicate,
                "an identical request is under way, and this one was to be dropped then",
                phase: .preparing
            ).ending(request.url)
        }
        var response = try await flight.value(at: seat, for: request.call)
        response.originalRequest = request.asSent(by: response.originalRequest)
        return response
    }

    /// - Returns: `nil` for what is sent for itself.
    private func identity(
        of request: HTTPRequest, _ wish: CoalescingMode?
    ) throws(HTTPError) -> RequestIdentity? {
        switch wish {
        case .useCurrentIfPossible, .dropIfDuplicated: return try RequestIdentity(request)
        case .alwaysCreateNew: return try? RequestIdentity(request)
        case nil:
            guard request.method == .get || request.method == .head else { return nil }
            return try? RequestIdentity(request)
        }
    }
}

extension HTTPRequest {
    /// This request with what layers below have made of one that it shares an answer with.
    fileprivate func asSent(by other: HTTPRequest) -> HTTPRequest {
        var request = endingCall()
        (request.method, request.url) = (other.method, other.url)
        (request.headers, request.body) = (other.headers, other.body)
        return request
    }
}

/// What is under way, the newest of each identity.
private final class Flights: Sendable {
    typealias Flight = SharedFlight<HTTPResponse>

    private struct State {
        var flights: [RequestIdentity: (number: Int, flight: Flight)] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    var count: Int { state.withLock { $0.flights.count } }
    var joined: Int {
        state.withLock { $0.flights.values.map(\.flight) }.map(\.seatCount).reduce(0, +)
    }

    /// - Returns: `nil` where the handling is to drop.
    func board(
        _ identity: RequestIdentity, _ handling: CoalescingMode,
        _ operation: @escaping @Sendable () async throws -> HTTPResponse
    ) -> (Flight, Flight.Seat)? {
        state.withLock { state in
            if let current = state.flights[identity]?.flight {
                switch handling {
                case .useCurrentIfPossible:
                    if let seat = current.join() { return (current, seat) }
                case .dropIfDuplicated: if !current.hasEnded { return nil }
                case .alwaysCreateNew: break
                }
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let flight = Flight(
                whenEnded: { [weak self] in self?.remove(identity, number) }, operation)
            state.flights[identity] = (number, flight)
            return flight.join().map { (flight, $0) }
        }
    }

    private func remove(_ identity: RequestIdentity, _ number: Int) {
        state.withLock { state in
            if state.flights[identity]?.number == number { state.flights[identity] = nil }
        }
    }
}

extension HTTPError.Code {
    /// An identical request was under way, and this one was to be dropped in that case.
    public static var droppedAsDuplicate: Self { Self(rawValue: "droppedAsDuplicate") }
}
