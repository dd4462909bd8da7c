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
            request.call?.report(.redirected(head, to: request))
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
        call.report(.refreshing)
        #expect(log.events.map(\.exchange) == [2, nil])
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
