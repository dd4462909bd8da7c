import HTTPCore

/// A request that is sent later, maybe more than once, and the limit of each of these calls.
struct PendingRequest: Sendable {
    let request: HTTPRequest
    /// The time limit of each call, which begins with the call.
    let limit: Duration?

    init(_ request: any HTTPRequestConvertible) throws {
        if let bound = request as? HTTPBoundRequest {
            self = try bound.pending.get()
        } else {
            self.init(request: try request.httpRequest)
        }
    }

    init(request: HTTPRequest, limit: Duration? = nil) {
        (self.request, self.limit) = (request, limit)
    }

    /// The request of a call that begins now.
    var begun: HTTPRequest { limit.map { request.deadline(in: $0) } ?? request }

    /// Returns the request of several calls on `clock`, which its deadline limits together.
    func begun(on clock: any HTTPClock) -> HTTPRequest {
        clock is HTTPSystemClock ? begun : begun.limitingCalls(on: clock)
    }
}
