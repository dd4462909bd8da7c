public import HTTPCore

/// A session that answers with a closure and remembers what it was asked.
///
/// Stands where a transport would and is as strict: what none would send (a request that fails
/// ``HTTPRequest/checkedTarget()``, or a transport option that is not honoured) is refused before the
/// closure sees it, and so is a cancelled task. As a transport does, it counts the call's sends,
/// reports the events of an exchange, and reads the body to its end under `.buffered` delivery.
///
/// It does not read the request's body, so a one-shot body stays unread unless the closure reads it:
/// `try await request.body.collect()`.
public final class MockSession: HTTPSession {
    private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse
    private let honoured: [any HTTPTransportOption.Type]
    private let recorded = Locked([HTTPRequest]())

    /// - Parameters:
    ///   - options: the transport options that the closure honours; any other is refused.
    ///   - answer: called for each request that could be sent, by several tasks at once if several send.
    public init(
        honouring options: [any HTTPTransportOption.Type] = [],
        _ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) {
        self.honoured = options
        self.answer = answer
    }

    /// The requests that the closure was asked, in the order they came, as the layer above made them.
    ///
    /// Each keeps its call and its body as long as the session lives.
    public var requests: [HTTPRequest] { recorded.withLock { $0 } }

    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        let request = try request.prepared()
        _ = try request.checkedTarget(hasForwardingProxy: true)
        try request.options.checkTransportOptions(known: honoured, transport: "MockSession")
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
            call?.report(.failed(error), exchange: number)
            throw error
        }
    }
}

/// When the mock was asked; what a wire would add is not known.
private final class MockRecord: HTTPTimelineRecord {
    let exchange = HTTPTimeline.Exchange(start: HTTPSystemClock().now)
}
