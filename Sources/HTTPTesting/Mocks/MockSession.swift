public import HTTPCore

/// A session that responds from a closure and records the requests it receives.
///
/// It stands in for a transport and is as strict as one. A request that no transport would send
/// (one that fails `checkedTarget()`, or has a transport option that is not honoured) is refused
/// before the closure is called, and so is a request from a cancelled task. Like a transport, the
/// session counts the call's sends, reports the events of an exchange, and reads the body to its
/// end under `.buffered` delivery.
///
/// It does not read the request's body, so a one-shot body stays unread unless the closure reads
/// it: `try await request.body.collect()`.
public final class MockSession: HTTPSession {
    private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse
    private let honoured: [any HTTPTransportOption.Type]
    private let recorded = Locked([HTTPRequest]())

    /// - Parameters:
    ///   - options: the transport options that the closure honours; any other is refused.
    ///   - answer: returns the response to a request. Called for each request that is valid, by
    ///     several tasks at once if several tasks send requests.
    public init(
        honouring options: [any HTTPTransportOption.Type] = [],
        _ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) {
        self.honoured = options
        self.answer = answer
    }

    /// The requests passed to the closure, in order of arrival, as the layer above made them.
    ///
    /// Each request keeps its call and its body as long as the session exists.
    public var requests: [HTTPRequest] { recorded.withLock { $0 } }

    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        let request = try request.prepared()
        do throws(HTTPError) {
            _ = try request.checkedTarget(hasForwardingProxy: true)
            try request.options.checkTransportOptions(known: honoured, transport: "MockSession")
        } catch {
            throw error.naming(request)
        }
        try Task.checkCancellation()
        recorded.withLock { $0.append(request) }

        let call = request.call
        let record = MockRecord()
        let number = call?.beginSend(record)
        call?.report(.queued(request), exchange: number)
        call?.report(.sending(request), exchange: number)
        do {
            let response = try await answer(request)
            call?.report(.head(response.head), exchange: number)
            response.body.whenEnded { end in
                call?.report(.ended(end, record.exchange), exchange: number)
            }
            guard case .buffered(let limit) = request.delivery else { return response }
            return try await response.buffered(upTo: limit)
        } catch {
            let error = (error as? HTTPError)?.naming(request) ?? error
            call?.report(.failed(error), exchange: number)
            throw error
        }
    }
}

/// The time at which the mock received the request. There are no network timings.
private final class MockRecord: HTTPTimelineRecord {
    let exchange = HTTPTimeline.Exchange(start: HTTPSystemClock().now)
}
