import HTTPCore
import HTTPTesting
import TestSupport
import Testing

@Suite struct HTTPObserverTests {
    private struct Labelled: HTTPObserver {
        var label: String
        var log: EventLog
        func observe(_ event: HTTPEvent) { log.note("\(label): \(EventLog.name(of: event.kind))") }
    }

    // MARK: Several observers

    @Test(.rows("B-10"))
    func `joined observers are told in order, however many`() throws {
        let log = EventLog()
        let (a, b, c) = (
            Labelled(label: "a", log: log), Labelled(label: "b", log: log),
            Labelled(label: "c", log: log)
        )
        let call = try #require(
            HTTPRequest(.get, "https://h/").beginningCall(observer: a + b + c).call)
        call.report(.sent)
        call.report(.ended(.abandoned, HTTPTimeline.Exchange(start: call.clock.now)))
        #expect(
            log.names == ["a: sent", "b: sent", "c: sent", "a: ended", "b: ended", "c: ended"])
    }

    @Test func `an observer that keeps events does not keep itself`() throws {
        weak var kept: EventLog?
        do {
            let log = EventLog()
            kept = log
            let request = try HTTPRequest(.get, "https://h/").beginningCall(observer: log)
            let head = HTTPResponse.Head(status: .found, url: request.url)
            request.call?.report(.queued(request))
            request.call?.report(.sending(request), exchange: 1)
            request.call?.report(.head(head), exchange: 1)
            #expect(log.events.count == 3)
        }
        #expect(kept == nil)
    }

    // MARK: An observer for each call

    private enum Parent {
        @TaskLocal static var name = "none"
    }

    /// Names each call after the task-local value of the task that began it.
    private struct PerCall: HTTPObserver {
        let log: EventLog
        func began(_ call: HTTPCall) -> (any HTTPObserver)? {
            Parent.name == "none" ? nil : Labelled(label: Parent.name, log: log)
        }
        func observe(_ event: HTTPEvent) { log.note("not asked for") }
    }

    @Test func `each call gets the observer that its beginning returns, made in the caller's task`()
        async throws
    {
        let log = EventLog()
        let request = try HTTPRequest(.get, "https://h/")
        for name in ["a", "none", "b"] {
            let begun = try Parent.$name.withValue(name) {
                try request.beginningCall(observer: PerCall(log: log))
            }
            await Task.detached { begun.call?.report(.sent) }.value
            #expect((begun.call?.observer == nil) == (name == "none"))
        }
        #expect(log.names == ["a: sent", "b: sent"])
    }

    @Test func `of joined observers each may decline a call`() throws {
        let log = EventLog()
        let request = try HTTPRequest(.get, "https://h/")
        let joined = PerCall(log: log) + Labelled(label: "c", log: log) + PerCall(log: log)
        try request.beginningCall(observer: joined).call?.report(.sent)
        try Parent.$name.withValue("a") {
            try request.beginningCall(observer: joined).call?.report(.sent)
        }
        #expect(log.names == ["c: sent", "a: sent", "c: sent", "a: sent"])
        let declined = try request.beginningCall(observer: PerCall(log: log) + PerCall(log: log))
        #expect(declined.call?.observer == nil)
    }

    @Test func `an event says which exchange of the call it belongs to`() throws {
        let log = EventLog()
        let call = try #require(HTTPRequest(.get, "https://h/").beginningCall(observer: log).call)
        call.report(.sent, exchange: 2)
        call.report(.callEnded(.abandoned))
        #expect(log.events.map(\.exchange) == [2, nil])
    }

    // MARK: Events of a layer of a program's own

    private enum Tally: HTTPLayerEvent, Equatable {
        case begun(Int)
        case over
    }

    private struct Weight: HTTPTimelineEvent {
        var grams: Int
        var timelineClause: String? { grams > 0 ? "weighs \(grams) g" : nil }
    }

    private struct Weighing: HTTPClientMiddleware {
        func intercept(
            _ request: HTTPRequest, next: any HTTPSession
        ) async throws -> HTTPResponse {
            let request = try request.beginningCall()
            request.call?.report(.layer(Tally.begun(2)))
            for grams in 0...1 { request.call?.record(Weight(grams: grams)) }
            request.call?.report(.layer(Tally.over))
            return try await next.response(for: request)
        }
    }

    @Test func `a layer of a program reports events of a type of its own`() async throws {
        final class Scale: HTTPObserver {
            let lines = Locked([String]())
            func observe(_ event: HTTPEvent) {
                let line: String? =
                    switch event.kind {
                    case .layer(Tally.begun(let count)): "begun \(count)"
                    case .layer(let tally as Tally): "\(tally)"
                    case .layer(let weight as Weight): "weight \(weight.grams)"
                    default: nil
                    }
                if let line { lines.withLock { $0.append(line) } }
            }
        }
        let scale = Scale()
        let request = try HTTPRequest(.get, "https://h/").beginningCall(observer: scale)
        let session = MockSession { HTTPResponse(.ok, to: $0) }.with(Weighing())
        let timeline = try await session.response(for: request).timeline
        #expect(scale.lines.withLock { $0 } == ["begun 2", "weight 0", "weight 1", "over"])
        // The timeline has those that were recorded, with the clauses that they have.
        let weights = [Weight(grams: 0), Weight(grams: 1)]
        #expect(timeline.events(of: Weight.self) == weights)
        #expect(timeline.description.hasSuffix("; weighs 1 g"))
        #expect(timeline.waterfall().hasSuffix("\nweighs 1 g"))
        // Events are a part of a timeline's identity.
        let exchanges = timeline.exchanges
        #expect(timeline != HTTPTimeline(exchanges: exchanges, layerEvents: weights.reversed()))
        let same = HTTPTimeline(exchanges: exchanges, layerEvents: weights)
        #expect(Set([timeline, same]).count == 1)
    }
}

/// Records the events, in order.
final class EventLog: HTTPObserver {
    private let state = Locked((names: [String](), events: [HTTPEvent]()))

    var names: [String] { state.withLock { $0.names } }
    var events: [HTTPEvent] { state.withLock { $0.events } }

    func note(_ name: String) { state.withLock { $0.names.append(name) } }

    func observe(_ event: HTTPEvent) {
        state.withLock { state in
            state.names.append(Self.name(of: event.kind))
            state.events.append(event)
        }
    }

    static func name(of kind: HTTPEvent.Kind) -> String {
        switch kind {
        case .queued: "queued"
        case .sending: "sending"
        case .sent: "sent"
        case .informational: "informational"
        case .head(let head): "head \(head.status.code)"
        case .ended: "ended"
        case .failed: "failed"
        default: "not of a transport"
        }
    }
}
