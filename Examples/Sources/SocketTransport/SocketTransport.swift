public import HTTPCore

/// A minimal transport over sockets whose calls block a thread.
///
/// It supports HTTP/1.1 in cleartext, with one connection per request. `Tests/SocketTransportTests`
/// excludes the features that it does not have.
public struct SocketTransport: HTTPSession {
    public init() {}

    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        // Invalid requests are refused before anything is sent.
        let request = try request.prepared()
        let target = try request.checkedTarget()
        try request.options.checkTransportOptions(transport: "SocketTransport")
        guard target.origin.scheme == .http, request.version ?? .http1_1 == .http1_1 else {
            throw HTTPError(.unsupportedOption, "SocketTransport speaks cleartext HTTP/1.1 alone")
        }
        try Task.checkCancellation()
        if request.timeLeft == .zero {
            let timer = HTTPError.Timer(.deadline, .zero)
            throw HTTPError(.timedOut, "the deadline has passed", phase: .preparing, timer: timer)
        }

        request.call?.report(.queued(request))
        let exchange = SocketExchange(request)
        request.call?.report(.sending(request), exchange: exchange.attempt)
        let response: HTTPResponse
        do {
            response = try await exchange.response(from: target)
        } catch {
            request.call?.report(.failed(error), exchange: exchange.attempt)
            throw error
        }

        request.call?.report(.head(response.head), exchange: exchange.attempt)
        if let call = request.call {
            response.body.whenEnded { end in
                call.report(.ended(end, exchange.record.exchange), exchange: exchange.attempt)
            }
        }
        guard case .buffered(let limit) = request.delivery else { return response }
        return try await response.buffered(upTo: limit)
    }
}
