import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

#if canImport(HTTPTransportCurl)
    import HTTPTransportCurl
#endif

private struct CallMetrics: HTTPObserver {
    let count: @Sendable (_ name: String, _ outcome: String) -> Void
    let record: @Sendable (_ name: String, _ duration: Duration) -> Void

    func began(_ call: HTTPCall) -> (any HTTPObserver)? {
        OneCall(metrics: self, start: call.clock.now)
    }

    func observe(_ event: HTTPEvent) {}

    private struct OneCall: HTTPObserver {
        let metrics: CallMetrics
        let start: HTTPInstant

        func observe(_ event: HTTPEvent) {
            switch event.kind {
            case .head(let head):
                metrics.count("http_responses", "\(head.status.code)")
            case .ended(_, let exchange):
                if let wait = exchange.firstByte { metrics.record("http_first_byte", wait) }
                if exchange.isConnectionReused == false {
                    metrics.count("http_connections", "opened")
                }
            case .layer(let decision as HTTPRetryEvent):
                if case .granted = decision.outcome { metrics.count("http_retries", "granted") }
            case .callEnded:
                metrics.count("http_calls", "ok")
                metrics.record("http_call", event.instant - start)
            case .callFailed(let error):
                metrics.count("http_calls", HTTPError.typeName(of: error))
                metrics.record("http_call", event.instant - start)
            default:
                break
            }
        }
    }
}

private struct LayerLog: HTTPObserver {
    let print: @Sendable (any Sendable) -> Void

    func observe(_ event: HTTPEvent) {
        switch event.kind {
        case .layer(let status as HTTPCacheStatus): print(status)
        case .layer(HTTPLimitEvent.paused(let key, let time)): print("\(key) pauses for \(time)")
        default: break
        }
    }
}

/// Stand-ins for the types of other packages.
private struct Logger: Sendable {
    let texts = Record<String>()
    func debug(_ text: String) { texts.add(text) }
}

private struct Counters: Sendable {
    let entries = Record<String>()
    @Sendable func add(_ name: String, _ outcome: String) { entries.add("\(name) \(outcome)") }
}

private struct Histograms: Sendable {
    let names = Record<String>()
    @Sendable func add(_ name: String, _ duration: Duration) {
        names.add(duration >= .zero ? name : "\(name) is negative")
    }
}

private struct Gauges: Sendable {
    let entries = Record<String>()
    func set(_ name: String, _ value: Int) { entries.add("\(name) \(value)") }
}

private struct Spans: Sendable {
    let begun = Record<(id: [UInt8], parent: TraceContext, name: String)>()
    func begin(_ id: [UInt8], in parent: TraceContext, named name: String) {
        begun.add((id, parent, name))
    }
}

/// The code of Docs/Guides/Observability.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct ObservabilityGuideTests {
    @Test func `logs`() async throws {
        let logger = Logger()
        let client = HTTPClient(transport: MockSession { HTTPResponse(.ok, to: $0) })
        let logged = client.deriving {
            $0.logging = HTTPLogging(.headers) { text in logger.debug(text) }
        }
        try await logged.get("https://h/users/1?token=hunter2")
            .header(.authorization, "Bearer hunter2").response()
        let text = logger.texts.entries.joined(separator: "\n")
        #expect(text.contains("GET https://h/users/1"))
        #expect(text.contains("Authorization"))
        #expect(!text.contains("hunter2"))
    }

    @Test func `records`() async throws {
        let logger = Logger()
        let client = HTTPClient(transport: MockSession { HTTPResponse(.ok, to: $0) })
        let structured = client.deriving {
            $0.logging = HTTPLogging(records: .basic) { record in logger.debug(record.logfmt) }
        }
        try await structured.get("https://h/users/1?token=hunter2").response()
        let lines = logger.texts.entries
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.contains("exchange=1 method=GET url=https://h/users/1?…") })
        #expect(lines.last?.hasSuffix("body_bytes=0 body_end=complete") == true)
    }

    @Test func `events of layers are matched by their types`() throws {
        let lines = Record<String>()
        let request = try HTTPRequest(.get, "https://h/").beginningCall(
            observer: LayerLog { lines.add("\($0)") })
        request.call?.record(HTTPCacheStatus(timeToLive: .seconds(3)))
        request.call?.report(.layer(HTTPLimitEvent.paused("https://h", for: .seconds(2))))
        request.call?.report(.layer(HTTPLimitEvent.held(.pause, for: .seconds(2))))
        #expect(lines.entries == ["hit; ttl=3", "https://h pauses for 2.0 seconds"])
    }

    @Test func `the events of a plain call`() async throws {
        struct Kinds: HTTPObserver {
            let names = Record<String>()
            func observe(_ event: HTTPEvent) {
                names.add(String("\(event.kind)".prefix { $0 != "(" }))
            }
        }
        let server = try LoopbackServer { _ in .ok("x") }
        let transport = try #require(ClientWire.allCases.first).transport()
        let kinds = Kinds()
        let client = HTTPClient(transport: transport) { $0.observer = kinds }
        try await client.get(server.url("/")).response()
        try await kinds.names.wait { $0.contains("callEnded") }
        #expect(
            kinds.names.entries.filter { $0 != "versionChosen" }
                == [
                    "queued", "sending", "connecting", "connected", "sent", "head", "ended",
                    "callEnded",
                ])
        try await client.get(server.url("/")).response()
        try await kinds.names.wait { $0.filter { $0 == "callEnded" }.count == 2 }
        #expect(kinds.names.entries.filter { $0 == "connecting" }.count == 1)
    }

    @Test func `metrics`() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/ok": .ok("x")
            case "/flaky": .status(503)
            default: .status(404)
            }
        }
        let (counters, histograms) = (Counters(), Histograms())
        let client = HTTPClient(transport: try #require(ClientWire.allCases.first).transport())
        let metrics = CallMetrics(count: counters.add, record: histograms.add)
        let measured = client.deriving { $0.observer = metrics }

        try await measured.get(server.url("/ok")).response()
        try await histograms.names.wait { $0.contains("http_call") }
        #expect(counters.entries.entries.first == "http_responses 200")
        #expect(
            Set(counters.entries.entries.dropFirst()) == [
                "http_connections opened", "http_calls ok",
            ])
        #expect(histograms.names.entries.sorted() == ["http_call", "http_first_byte"])

        await #expect(throws: HTTPError.self) {
            try await measured.get(server.url("/none")).response()
        }
        try await counters.entries.wait { $0.contains("http_calls unexpectedStatus") }

        let retrying = measured.deriving {
            $0.retry = .standard
            $0.retry.backoff = Backoff(base: .zero)
        }
        await #expect(throws: HTTPError.self) {
            try await retrying.get(server.url("/flaky")).response()
        }
        let calls = "http_calls"
        try await counters.entries.wait { $0.filter { $0.hasPrefix(calls) }.count == 3 }
        #expect(counters.entries.entries.filter { $0 == "http_retries granted" }.count == 2)
        #expect(counters.entries.entries.filter { $0 == "http_responses 503" }.count == 3)
    }

    #if canImport(HTTPTransportCurl)
        @Test func `gauges`() async throws {
            let server = try LoopbackServer { _ in .ok("x") }
            let transport = CurlTransport()
            _ = try await transport.response(for: server.url("/")).text()
            let gauges = Gauges()
            let statistics = await transport.statistics()
            gauges.set("http_active", statistics.total.active)
            gauges.set("http_waiting", statistics.total.waiting)
            gauges.set("http_connections", statistics.total.open)
            gauges.set("http_idle_connections", statistics.total.idle)
            #expect(
                gauges.entries.entries
                    == [
                        "http_active 0", "http_waiting 0", "http_connections 1",
                        "http_idle_connections 1",
                    ])
        }
    #endif

    @Test func `where the time went`() async throws {
        let server = try LoopbackServer { _ in .ok("Ada") }
        let client = try HTTPClient(
            baseURL: server.url("/"),
            transport: try #require(ClientWire.allCases.first).transport())
        let response = try await client.get("users/1").response()
        print(response.timeline.waterfall(width: 24))
        let lines = response.timeline.waterfall(width: 24).split(separator: "\n")
        #expect(lines.first?.hasPrefix("exchange 1 HTTP/1.1 to 127.0.0.1:") == true)
        #expect(lines.contains { $0.hasPrefix("  first byte |") })
        #expect(lines.last == "  0 bytes of body out, 3 in")
    }

    @Test func `traces`() async throws {
        let incoming = try #require(
            TraceContext(traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
        let spans = Spans()
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: mock)
        let traced = client.deriving {
            $0.attemptMiddleware.append(
                TracePropagation { span, parent, request in
                    spans.begin(span.spanID, in: parent, named: "\(request.method)")
                })
        }
        try await TracePropagation.$current.withValue(incoming) {
            try await traced.get("users/1").response()
        }
        let span = try #require(spans.begun.entries.first)
        #expect(span.parent == incoming && span.name == "GET")
        let sent = try #require(mock.requests.first?.headers["traceparent"])
        let received = try #require(TraceContext(traceparent: sent))
        #expect(received.traceID == incoming.traceID && received.spanID == span.id)
    }

    @Test func `without a span, nothing is sent`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let traced = HTTPClient(transport: mock) { $0.attemptMiddleware.append(TracePropagation()) }
        try await traced.get("https://h/").response()
        #expect(mock.requests.first?.headers["traceparent"] == nil)
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Observability")
        #expect(page.blocks.count == 8)
        #expect(page.untested == [])
    }
}
