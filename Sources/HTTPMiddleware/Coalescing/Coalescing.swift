public import HTTPCore

/// A middleware that sends identical concurrent requests only once.
///
/// It applies to GET and HEAD requests with `.buffered` delivery, and to requests of any method
/// that ask for it (``/HTTPCore/HTTPRequest/coalescing(_:)``).
///
/// Requests are identical if they have the same method, URL, fields, body bytes, limits and
/// version, and belong to calls with the same first origin, which decides about credentials. The
/// response is shared with the callers that asked before it was complete. It is not kept for later
/// callers. The shared request belongs to no caller: it has no caller's deadline, and it is
/// cancelled when the last caller has left. Each caller waits with its own deadline and
/// cancellation, and gets its own `originalRequest`. Copies of this value share the requests under
/// way.
///
/// Events of the shared request go to the observer of the first caller, under a call id of their
/// own.
///
/// Runs per hop, around retries and authentication (row 7), so that the callers share these too.
public struct Coalescing: HTTPClientMiddleware {
    /// The mode for requests that set none. See ``/HTTPCore/HTTPRequest/coalescing``.
    package var mode: CoalescingMode
    /// The longest time that a shared request may take, whichever calls wait for it.
    package var limit: Duration

    private let flights = Flights()

    /// Creates a layer with a mode for requests that set none, and with a limit on the time that a
    /// shared request may take.
    public init(
        _ mode: CoalescingMode = .useCurrentIfPossible, limit: Duration = .seconds(600)
    ) {
        self.mode = mode
        self.limit = limit
    }

    /// The number of requests under way.
    package var count: Int { flights.count }
    /// The number of calls that wait for them.
    package var joined: Int { flights.joined }

    /// - Throws: `droppedAsDuplicate` if the mode asks for that; `unsupportedOption` if the request
    ///   asks for coalescing, but its body is not in memory, its response is streamed, or it has
    ///   transport options; the error of the shared request; `timedOut` at the call's own deadline.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        try await response(
            for: request, mode: request.coalescing,
            default: mode, next: next)
    }

    /// - Parameters:
    ///   - requestMode: the request's own mode.
    ///   - mode: the mode for GET and HEAD requests that have none.
    package func response(
        for request: HTTPRequest, mode requestMode: CoalescingMode?,
        default mode: CoalescingMode, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let request = request.withDuplicatesSeenTo
        guard let identity = try identity(of: request, requestMode) else {
            return try await next.response(for: request)
        }
        let own = request.servingSeveral(for: limit)
        let joined = flights.join(identity, requestMode ?? mode) {
            try await next.attempt(own).get()
        }
        guard let (flight, waiter) = joined else {
            throw HTTPError(
                .droppedAsDuplicate,
                "an identical request is under way, so this one was dropped",
                phase: .preparing
            ).ending(request)
        }
        var response = try await flight.value(at: waiter, for: request.currentCall)
        response.originalRequest = request.asSent(by: response.originalRequest)
        return response
    }

    /// - Returns: `nil` if the request is sent on its own.
    private func identity(
        of request: HTTPRequest, _ requestMode: CoalescingMode?
    ) throws(HTTPError) -> RequestIdentity? {
        switch requestMode {
        case .useCurrentIfPossible, .dropIfDuplicated: return try RequestIdentity(request)
        case .alwaysCreateNew: return try? RequestIdentity(request)
        case nil:
            guard request.method == .get || request.method == .head else { return nil }
            return try? RequestIdentity(request)
        }
    }
}

extension HTTPRequest {
    /// Returns this request with the method, URL, fields and body of the shared request, as layers
    /// below sent it.
    fileprivate func asSent(by other: HTTPRequest) -> HTTPRequest {
        var request = endingCall()
        (request.method, request.url) = (other.method, other.url)
        (request.headers, request.body) = (other.headers, other.body)
        return request
    }
}

/// The requests under way: the newest of each identity.
private final class Flights: Sendable {
    typealias Flight = SharedFlight<HTTPResponse>

    private struct State {
        var flights: [RequestIdentity: (number: Int, flight: Flight)] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    var count: Int { state.withLock { $0.flights.count } }
    var joined: Int {
        state.withLock { $0.flights.values.map(\.flight) }.map(\.waiterCount).reduce(0, +)
    }

    /// - Returns: `nil` if the request is to be dropped.
    func join(
        _ identity: RequestIdentity, _ mode: CoalescingMode,
        _ operation: @escaping @Sendable () async throws -> HTTPResponse
    ) -> (Flight, Waiter<HTTPResponse>)? {
        state.withLock { state in
            if let current = state.flights[identity]?.flight {
                switch mode {
                case .useCurrentIfPossible:
                    if let waiter = current.join() { return (current, waiter) }
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
