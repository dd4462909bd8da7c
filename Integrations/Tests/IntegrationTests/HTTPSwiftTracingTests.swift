import HTTPClientKit
import HTTPSwiftTracing
import HTTPTesting
import InMemoryTracing
import Testing
import Tracing

@Suite(.timeLimit(.minutes(5))) struct HTTPSwiftTracingTests {
    private let tracer = InMemoryTracer()

    private func client(_ change: (inout HTTPClient.Configuration) -> Void = { _ in })
        -> HTTPClient
    {
        HTTPClient {
            $0.trace(with: tracer)
            change(&$0)
        }
    }

    /// Waits until so many spans have ended: a span ends with the body, after the caller has it.
    private func spans(_ count: Int) async throws -> [FinishedInMemorySpan] {
        while tracer.finishedSpans.count < count { try await Task.sleep(for: .milliseconds(1)) }
        return tracer.finishedSpans
    }

    private func value(_ span: FinishedInMemorySpan, _ key: String) -> SpanAttribute? {
        span.attributes.get(key)
    }

    @Test func `a call has a span, and its request one inside that is propagated`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let parent = tracer.startSpan("parent")
        try await ServiceContext.$current.withValue(parent.context) {
            _ = try await client().get(server.url("/a?token=Hidden")).text()
        }
        let spans = try await spans(2)
        let attempt = try #require(spans.first { $0.kind == .client })
        let call = try #require(spans.first { $0.kind == .internal })
        #expect(call.operationName == "HTTP GET" && attempt.operationName == "GET")
        #expect(call.parentSpanID == parent.spanID && attempt.parentSpanID == call.spanID)
        #expect(call.traceID == parent.traceID && attempt.traceID == parent.traceID)
        #expect(value(attempt, "http.request.method") == .string("GET"))
        #expect(value(attempt, "server.address") == .string("127.0.0.1"))
        #expect(value(attempt, "server.port") == .int64(Int64(server.port)))
        #expect(value(attempt, "http.response.status_code") == .int64(200))
        #expect(value(attempt, "network.protocol.version") == .string("1.1"))
        #expect(value(attempt, "network.peer.address") == .string("127.0.0.1"))
        #expect(value(attempt, "http.request.resend_count") == nil)
        #expect(value(call, "http.response.status_code") == .int64(200))
        #expect(attempt.status == nil && call.status == nil)
        let url = "http://127.0.0.1:\(server.port)/a?…"
        #expect(value(attempt, "url.full") == .string(url))
        let fields = try await server.nextRequest()
        #expect(fields["in-memory-trace-id"] == attempt.traceID)
        #expect(fields["in-memory-span-id"] == attempt.spanID)
    }

    @Test func `each attempt has a span, and errors are named`() async throws {
        let server = try LoopbackServer { _ in .status(503) }
        let client = client {
            $0.retry = .standard
            $0.retry.backoff = Backoff(base: .zero)
        }
        _ = try? await client.get(server.url("/")).response()
        let spans = try await spans(4)
        let attempts = spans.filter { $0.kind == .client }
        #expect(attempts.count == 3)
        #expect(
            attempts.map { value($0, "http.request.resend_count") } == [nil, .int64(1), .int64(2)])
        #expect(attempts.allSatisfy { value($0, "error.type") == .string("503") })
        #expect(attempts.allSatisfy { $0.status?.code == .error })
        let call = try #require(spans.last { $0.kind == .internal })
        #expect(value(call, "error.type") == .string("unexpectedStatus"))
        #expect(value(call, "http.response.status_code") == .int64(503))
        #expect(attempts.allSatisfy { $0.parentSpanID == call.spanID })
    }

    @Test func `a cancelled call and a broken body end their spans once`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { request in
            request.target == "/wait"
                ? [.pause(until: gate), .respond(.ok())]
                : [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .close]
        })
        let client = client()
        let waiting = Task { try await client.get(server.url("/wait")).response() }
        try await gate.reached()
        waiting.cancel()
        _ = await waiting.result
        #expect(
            try await spans(2).allSatisfy { value($0, "error.type") == .string("cancelled") })
        tracer.clearFinishedSpans()

        let response = try await client.response(for: HTTPRequest(server.url("/half")))
        _ = try? await response.data()
        let broken = try await spans(2)
        #expect(broken.allSatisfy { value($0, "error.type") == .string("bodyIncomplete") })
        #expect(broken.allSatisfy { value($0, "http.response.status_code") == .int64(200) })
        #expect(tracer.activeSpans.isEmpty)
        gate.open()
    }

    @Test func `a call that a cache answers has no attempt, and an abandoned body ends`()
        async throws
    {
        let server = try LoopbackServer { _ in
            LoopbackResponse(
                fields: [("Cache-Control", "max-age=60")], content: .bytes(Array("fine".utf8)))
        }
        let client = client { $0.cache = HTTPCache(store: HTTPMemoryCacheStore()) }
        _ = try await client.get(server.url("/")).text()
        _ = try await spans(2)
        let response = try await client.response(for: HTTPRequest(server.url("/")))
        await response.discard()
        let spans = try await spans(3)
        #expect(spans.filter { $0.kind == .client }.count == 1)
        #expect(spans.last?.kind == .internal && spans.last?.status == nil)
        #expect(tracer.activeSpans.isEmpty)
    }
}
