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

    // MARK: A tracer's identifiers

    private static let traceID: [UInt8] = [
        0x0A, 0xF7, 0x65, 0x19, 0x16, 0xCD, 0x43, 0xDD, 0x84, 0x48, 0xEB, 0x21, 0x1C, 0x80, 0x31,
        0x00,
    ]
    private static let spanID: [UInt8] = [0xB7, 0xAD, 0x6B, 0x71, 0x69, 0x20, 0x33, 0x01]

    @Test(arguments: [true, false], [nil, "a=b,c@d=e f"])
    func `a tracer's identifiers pass through the fields unchanged`(
        isSampled: Bool, state: String?
    ) throws {
        let context = try #require(
            TraceContext(
                traceID: Self.traceID, spanID: Self.spanID, isSampled: isSampled, state: state))
        let flags = isSampled ? "01" : "00"
        #expect(
            context.traceparent
                == "00-0af7651916cd43dd8448eb211c803100-b7ad6b7169203301-\(flags)")
        #expect(context.traceID == Self.traceID && context.spanID == Self.spanID)
        #expect(context.isSampled == isSampled && context.state == state)
        #expect(TraceContext(traceparent: context.traceparent, state: context.state) == context)
    }

    @Test func `a server reads from the fields what the tracer's span is the parent of`()
        async throws
    {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let parent = try #require(
            TraceContext(
                traceID: Self.traceID, spanID: Self.spanID, isSampled: false, state: "a=b"))
        _ = try await TracePropagation.$current.withValue(parent) {
            try await mock.with(TracePropagation()).response(for: "http://h/")
        }
        let headers = try #require(mock.requests.first).headers
        let text = try #require(headers["traceparent"])
        let received = try #require(
            TraceContext(traceparent: text, state: headers["tracestate"]))
        #expect(received.traceID == Self.traceID && received.spanID != Self.spanID)
        #expect(!received.isSampled && received.state == "a=b")
    }

    @Test(
        arguments: [
            ([], spanID), (Array(traceID.dropLast()), spanID), (traceID + [1], spanID),
            (Array(repeating: 0, count: 16), spanID), (spanID, traceID), (traceID, []),
            (traceID, Array(spanID.dropLast())), (traceID, spanID + [1]),
            (traceID, Array(repeating: 0, count: 8)),
        ] as [([UInt8], [UInt8])])
    func `identifiers of a wrong length, or all zero, are refused`(
        traceID: [UInt8], spanID: [UInt8]
    ) {
        #expect(TraceContext(traceID: traceID, spanID: spanID, isSampled: true) == nil)
    }

    @Test func `one bit makes an identifier valid`() {
        let (traceID, spanID) = ([UInt8](repeating: 0, count: 15), [UInt8](repeating: 0, count: 7))
        let last = TraceContext(traceID: traceID + [1], spanID: spanID + [1], isSampled: true)
        #expect(last?.traceparent == "00-00000000000000000000000000000001-0000000000000001-01")
        let first = TraceContext(
            traceID: [0x80] + traceID, spanID: [0x80] + spanID, isSampled: true)
        #expect(first?.traceparent == "00-80000000000000000000000000000000-8000000000000000-01")
    }

    @Test func `a state that no field can carry makes sending fail`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let context = TraceContext(
            traceID: Self.traceID, spanID: Self.spanID, isSampled: true, state: "a=b\r\nX: y")
        await #expect(throws: HTTPError.self) {
            try await TracePropagation.$current.withValue(context) {
                try await mock.with(TracePropagation()).response(for: "http://h/")
            }
        }
        #expect(mock.requests.isEmpty)
    }
}
