// A bridge from HTTPClientKit to swift-distributed-tracing. This file can be copied into another
// program.

public import HTTPClientKit
public import Tracing

extension HTTPClient.Configuration {
    /// Adds spans to all calls: `client.deriving { $0.trace(with: tracer) }`.
    ///
    /// A call has a span of kind `internal` from its beginning to the end of its body. Its parent
    /// is the current span of the task. Each request that is sent, such as a retry or a redirect,
    /// has a span of kind `client` in it, with the attributes of the OpenTelemetry conventions, and
    /// the tracer injects its context into the request's fields. A call that a cache answers has no
    /// such span. URLs are written without user information, query and fragment.
    ///
    /// A call of a session that wraps the client begins inside that session: its span is there for
    /// each time that the client is entered.
    public mutating func trace(with tracer: some Tracer) {
        callMiddleware.insert(CallTracing(tracer: tracer), at: 0)
        attemptMiddleware.append(AttemptTracing(tracer: tracer))
    }
}

private struct CallTracing<T: Tracer>: HTTPClientMiddleware {
    let tracer: T

    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        let span = tracer.startSpan("HTTP \(request.method.traced)", ofKind: .internal)
        span.describe(request)
        return try await span.around { try await next.response(for: request) }
    }
}

private struct AttemptTracing<T: Tracer>: HTTPClientMiddleware {
    let tracer: T

    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        let span = tracer.startSpan(request.method.traced, ofKind: .client)
        span.describe(request)
        let sends = request.currentCall.sends
        if sends > 0 { span.attributes["http.request.resend_count"] = sends }
        var request = request
        tracer.inject(span.context, into: &request.headers, using: FieldInjector())
        return try await span.around { [request] in
            let response = try await next.response(for: request)
            span.attributes["network.protocol.name"] = "http"
            span.attributes["network.protocol.version"] = response.version?.traced
            if let exchange = request.currentCall.timeline.exchanges.dropFirst(sends).first {
                span.attributes["network.peer.address"] = exchange.remoteHost
                span.attributes["network.peer.port"] = exchange.remotePort
            }
            return response
        }
    }
}

/// Writes the context of a span to fields. A value that cannot be sent is left out.
private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPHeaders) {
        try? carrier.set(HTTPHeaderName(key), value)
    }
}

extension Span {
    fileprivate func describe(_ request: HTTPRequest) {
        attributes["http.request.method"] = request.method.traced
        if request.method.traced != request.method.rawValue {
            attributes["http.request.method_original"] = request.method.rawValue
        }
        attributes["url.full"] = request.url.logSafe
        guard let origin = try? HTTPOrigin(request.url) else { return }
        attributes["server.address"] = origin.host
        attributes["server.port"] = origin.port
        attributes["url.scheme"] = origin.scheme.rawValue
    }

    /// Makes this span the current one for `send`, and ends it with the body of the response, or
    /// with the error.
    fileprivate func around(
        _ send: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        do {
            let response = try await ServiceContext.$current.withValue(context) { try await send() }
            attributes["http.response.status_code"] = response.status.code
            if response.status.code >= 400 {
                attributes["error.type"] = "\(response.status.code)"
                setStatus(SpanStatus(code: .error))
            }
            response.body.whenEnded { end in
                if case .failed(let error) = end { fail(with: error) }
                self.end()
            }
            return response
        } catch {
            if let status = (error as? HTTPError)?.status {
                attributes["http.response.status_code"] = status.code
            }
            fail(with: error)
            end()
            throw error
        }
    }

    /// Notes an error by its type. Its text may hold more than a trace should show, unless it is an
    /// `HTTPError`.
    private func fail(with error: any Error) {
        attributes["error.type"] = HTTPError.typeName(of: error)
        setStatus(SpanStatus(code: .error, message: (error as? HTTPError)?.description))
    }
}

extension HTTPMethod {
    /// The method, if it is one of those that OpenTelemetry knows.
    fileprivate var traced: String {
        let known: Set<HTTPMethod> = [
            .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
        ]
        return known.contains(self) ? rawValue : "_OTHER"
    }
}

extension HTTPVersion {
    fileprivate var traced: String {
        switch self {
        case .http1_0: "1.0"
        case .http1_1: "1.1"
        case .http2: "2"
        case .http3: "3"
        }
    }
}
