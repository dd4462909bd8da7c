import HTTPCore
import HTTPMiddleware
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct TraceContextTests {
    private let example = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    @Test func `a context is read and written`() throws {
        let context = try #require(TraceContext(traceparent: example, state: "a=b"))
        #expect(context.traceparent == example)
        #expect(context.isSampled && context.state == "a=b")
        #expect(context.child.traceID == context.traceID)
        #expect(context.child.spanID != context.spanID)
        #expect(TraceContext(traceparent: TraceContext().traceparent) != nil)
    }

    @Test(arguments: [
        "", "00", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
    ])
    func `text that is not a context is nil`(text: String) {
        #expect(TraceContext(traceparent: text) == nil)
    }

    @Test func `a later version is read as far as it is known`() {
        #expect(TraceContext(traceparent: "01" + example.dropFirst(2) + "-more") != nil)
    }

    @Test func `each exchange is a span below the current one`() async throws {
        let spans = Locked([TraceContext]())
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let session = mock.with(
            TracePropagation { span, _, _ in spans.withLock { $0.append(span) } })
        let parent = try #require(TraceContext(traceparent: example, state: "a=b"))
        try await TracePropagation.$current.withValue(parent) {
            for _ in 0..<2 { _ = try await session.response(for: "http://h/") }
            _ = try await session.response(
                for: HTTPRequest(.get, "http://h/", headers: ["traceparent": example]))
        }
        _ = try await session.response(for: "http://h/")
        let sent = mock.requests.map { $0.headers["traceparent"] }
        #expect(sent == spans.withLock { $0.map(\.traceparent) } + [example, nil])
        #expect(Set(sent).count == 4)
        #expect(mock.requests.map { $0.headers["tracestate"] } == ["a=b", "a=b", nil, nil])
    }
}
