import DashboardModel
import HTTPClientKit
import Testing

struct CallStoreTests {
    private let url = "https://h/a?…"

    /// A store with a call that began at one second.
    private func store(limit: Int = 200) -> CallStore {
        var store = CallStore(limit: limit)
        store.begin(7, .get, url, at: .seconds(1))
        return store
    }

    private func call(_ store: CallStore) throws -> ObservedCall {
        try #require(store.update(after: nil, at: .seconds(9))?.calls.last)
    }

    private func queue(_ number: Int, in store: inout CallStore, at: Duration) throws {
        let request = try HTTPRequest(.get, "https://user:secret@h/a?secret#secret")
        store.note(.queued(request), exchange: number, of: 7, at: at)
    }

    private func head(_ code: Int) throws -> HTTPEvent.Kind {
        let request = try HTTPRequest("https://h/a")
        let status = try #require(HTTPStatus(code: code))
        return .head(HTTPResponse.Head(status: status, url: request.url, version: .http1_1))
    }

    @Test func `a call that has begun is running`() throws {
        let call = try call(store())
        #expect(call.state == .running)
        #expect(call.method == "GET")
        #expect(call.url == url)
        #expect(call.startedAt == 1000)
        #expect(call.total == nil)
    }

    @Test func `an exchange is drawn while it runs, phase by phase`() throws {
        var store = store()
        try queue(1, in: &store, at: .seconds(1) + .milliseconds(2))
        #expect(try phases(store) == ["queued 2…"])
        let steps: [(HTTPEvent.Kind, Int, [String])] = [
            (.sending(try HTTPRequest("https://h/")), 5, ["queued 2-5", "sending 5…"]),
            (.resolving("h"), 6, ["queued 2-5", "name 5…"]),
            (.resolved("h"), 10, ["queued 2-5", "name 5-10", "name 10…"]),
            (.connecting(to: "1.2.3.4:443"), 11, ["queued 2-5", "name 5-10", "connect 10…"]),
            (.securing, 20, ["queued 2-5", "name 5-10", "connect 10-20", "TLS 20…"]),
        ]
        for (kind, at, expected) in steps {
            store.note(kind, exchange: 1, of: 7, at: .seconds(1) + .milliseconds(at))
            #expect(try phases(store) == expected)
        }
    }

    @Test func `a complete exchange has the phases of its timeline`() throws {
        var store = store()
        try queue(1, in: &store, at: .seconds(1))
        store.note(.connected(exchange(isOver: false)), exchange: 1, of: 7, at: .seconds(1.02))
        store.note(.sent, exchange: 1, of: 7, at: .seconds(1.025))
        store.note(try head(200), exchange: 1, of: 7, at: .seconds(1.05))
        store.note(
            .ended(.complete(trailers: nil), exchange(isOver: true)), exchange: 1, of: 7,
            at: .seconds(1.08))
        store.note(.callEnded(.complete(trailers: nil)), of: 7, at: .seconds(1.081))
        #expect(
            try phases(store) == [
                "queued 0-1", "name 1-4", "connect 4-10", "TLS 10-20", "sending 20-25",
                "waiting 25-50", "body 50-80",
            ])
        let call = try call(store)
        #expect(call.state == .ended)
        #expect(call.status == 200)
        #expect(call.total == 81)
        #expect(call.exchanges.first?.peer == "[::1]:443")
        #expect(call.exchanges.first?.version == "HTTP/1.1")
        #expect(call.exchanges.first?.bytes == 3)
    }

    @Test func `bars never go backwards when clocks differ`() throws {
        var store = store()
        try queue(1, in: &store, at: .seconds(1))
        var times = exchange(isOver: true)
        times.firstByte = .milliseconds(15)  // before `sending`
        store.note(
            .ended(.complete(trailers: nil), times), exchange: 1, of: 7, at: .seconds(1.08))
        let phases = try #require(try call(store).exchanges.first?.phases)
        for (phase, next) in zip(phases, phases.dropFirst()) {
            #expect(phase.from <= next.from)
            #expect(try #require(phase.to) >= phase.from)
        }
    }

    @Test func `a failed exchange ends in the step that it had begun`() throws {
        var store = store()
        try queue(1, in: &store, at: .seconds(1))
        store.note(.resolving("h"), exchange: 1, of: 7, at: .seconds(1.001))
        store.note(
            .failed(HTTPError(.nameNotResolved, "no such host")), exchange: 1, of: 7,
            at: .seconds(1.03))
        let failed = try #require(try call(store).exchanges.first)
        #expect(failed.isOver)
        #expect(failed.error == "nameNotResolved")
        #expect(try phases(store) == ["name 0-30"])
    }

    @Test func `retries are kept with their reason`() throws {
        let refusal = HTTPRetryEvent.Refusal(rawValue: "its retries are used up")
        var store = store()
        store.note(
            .layer(
                HTTPRetryEvent(
                    .policy, .granted(delay: .milliseconds(500)), attempt: 1, cause: "503")),
            of: 7, at: .seconds(1.1))
        store.note(
            .layer(
                HTTPRetryEvent(.policy, .refused(refusal), attempt: 2, cause: "503")),
            of: 7, at: .seconds(1.7))
        let decisions = try call(store).decisions
        #expect(decisions.map(\.wait) == [500, nil])
        #expect(decisions.map(\.at) == [100, 700])
        #expect(
            decisions.map(\.text) == [
                "503 on attempt 1: sent again after 500.0 ms (policy)",
                "503 on attempt 2: not sent again, its retries are used up (policy)",
            ])
    }

    @Test(arguments: [
        (HTTPCacheStatus(timeToLive: .seconds(3)), "hit"),
        (HTTPCacheStatus(forward: .uriMiss, forwardStatus: .ok), "uri-miss"),
        (HTTPCacheStatus(forward: .stale, forwardStatus: .notModified), "revalidated"),
    ])
    func `cache verdicts are one word, with the details`(
        status: HTTPCacheStatus, word: String
    ) throws {
        var store = store()
        store.note(.layer(status), of: 7, at: .seconds(1))
        #expect(try call(store).cache.map(\.word) == [word])
        #expect(try call(store).cache.map(\.text) == [status.description])
    }

    @Test func `errors are named, and only safe texts are kept`() throws {
        struct Foreign: Error { var text = "secret" }
        var store = store()
        store.note(.callFailed(Foreign()), of: 7, at: .seconds(2))
        #expect(try call(store).error == "Foreign")
        #expect(try call(store).errorText == nil)
        store.note(.callFailed(CancellationError()), of: 7, at: .seconds(2))
        #expect(try call(store).error == "cancelled")
        store.note(.callFailed(HTTPError(.timedOut, "too late")), of: 7, at: .seconds(2))
        #expect(try call(store).error == "timedOut")
        #expect(try call(store).errorText?.contains("too late") == true)
    }

    @Test func `URLs are log-safe`() throws {
        var store = store()
        try queue(1, in: &store, at: .seconds(1))
        let target = try HTTPRequest("https://user:secret@h/b?secret#secret")
        let found = try HTTPRequest("https://h/a")
        store.note(
            .layer(
                HTTPRedirectEvent(HTTPResponse.Head(status: .found, url: found.url), to: target)),
            of: 7, at: .seconds(1.1))
        let call = try call(store)
        #expect(!"\(call)".contains("secret"))
        #expect(call.notes.first?.text.hasPrefix("302: redirected to https://h/b") == true)
    }

    @Test func `the oldest call makes room, and its later events are dropped`() throws {
        var store = store(limit: 2)
        store.begin(8, .get, url, at: .seconds(2))
        store.begin(9, .get, url, at: .seconds(3))
        store.note(.callEnded(.abandoned), of: 7, at: .seconds(4))
        store.note(.callEnded(.abandoned), of: 8, at: .seconds(4))
        let update = try #require(store.update(after: nil, at: .seconds(5)))
        #expect(update.calls.map(\.id) == [8, 9])
        #expect(update.first == 1)
        #expect(update.calls.map(\.state) == [.abandoned, .running])
    }

    /// Dashboard.md.
    @Test func `the last 200 calls are kept by default`() throws {
        var store = CallStore()
        for id in UInt64(0)...200 { store.begin(id, .get, url, at: .zero) }
        let update = try #require(store.update(after: nil, at: .zero))
        #expect(update.calls.map(\.id) == Array(1...200))
    }

    @Test func `lists and texts of a call are limited`() throws {
        var store = CallStore()
        store.begin(7, .get, String(repeating: "u", count: 1000), at: .zero)
        let decision = HTTPRetryEvent(
            .verdict, .granted(delay: .zero), attempt: 1, cause: String(repeating: "c", count: 999))
        for number in 1...100 {
            try queue(number, in: &store, at: .seconds(1))
            store.note(.layer(decision), of: 7, at: .seconds(1))
            store.note(.layer(HTTPCacheStatus()), of: 7, at: .seconds(1))
            store.note(.layer(HTTPCredentialEvent.refreshing), of: 7, at: .seconds(1))
        }
        let call = try call(store)
        #expect(call.url.count == 300)
        #expect(call.exchanges.count == ObservedCall.limit)
        #expect(call.decisions.count == ObservedCall.limit)
        #expect(call.cache.count == ObservedCall.limit)
        #expect(call.notes.count == ObservedCall.limit)
        #expect(call.decisions.allSatisfy { $0.cause.count == 100 && $0.text.count <= 300 })
    }

    @Test func `a reader gets a snapshot, and then only what has changed`() throws {
        var store = store()
        store.begin(8, .post, url, at: .seconds(2))
        let first = try #require(store.update(after: nil, at: .seconds(3)))
        #expect(first.isSnapshot)
        #expect(first.calls.map(\.id) == [7, 8])
        #expect(first.statistics != nil)
        #expect(store.update(after: first.revision, at: .seconds(3)) == nil)

        // Two changes of a call are one element.
        store.note(try head(200), exchange: 1, of: 8, at: .seconds(3))
        store.note(.callEnded(.abandoned), of: 8, at: .seconds(3))
        let second = try #require(store.update(after: first.revision, at: .seconds(3)))
        #expect(!second.isSnapshot)
        #expect(second.calls.map(\.id) == [8])
        #expect(second.calls.first?.state == .abandoned)
        #expect(second.statistics == nil)

        store.note(ObservedStatistics([.init(origin: "https://h:443")]))
        let third = try #require(store.update(after: second.revision, at: .seconds(4)))
        #expect(third.calls.isEmpty)
        #expect(third.statistics?.origins.map(\.origin) == ["https://h:443"])
    }

    // MARK: Help

    private func exchange(isOver: Bool) -> HTTPTimeline.Exchange {
        var exchange = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .seconds(1)))
        exchange.admitted = .milliseconds(1)
        exchange.nameResolved = .milliseconds(4)
        exchange.connected = .milliseconds(10)
        exchange.secured = .milliseconds(20)
        exchange.sending = .milliseconds(20)
        exchange.remoteHost = "::1"
        exchange.remotePort = 443
        exchange.isConnectionReused = false
        guard isOver else { return exchange }
        exchange.firstByte = .milliseconds(50)
        exchange.lastByte = .milliseconds(80)
        exchange.version = .http1_1
        exchange.responseBodyBytes = 3
        return exchange
    }

    /// The bars of the last exchange: `queued 0-1`, or `queued 0…` while it lasts.
    private func phases(_ store: CallStore) throws -> [String] {
        try #require(try call(store).exchanges.last).phases.map { phase in
            let end = phase.to.map { "-\(Int($0.rounded()))" } ?? "…"
            return "\(phase.name.rawValue) \(Int(phase.from.rounded()))\(end)"
        }
    }
}
