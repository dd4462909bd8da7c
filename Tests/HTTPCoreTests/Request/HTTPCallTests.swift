import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPCallTests {
    @Test func `copies of a request share its call, other requests do not`() throws {
        let request = try HTTPRequest(.get, "https://h/").beginningCall()
        var copy = request
        copy.url = try URL(strictly: "https://other/")
        #expect(request.call === copy.call)
        #expect(request.call?.beginSend(GrowingRecord()) == 1)
        #expect(copy.call?.beginSend(GrowingRecord()) == 2)
        #expect(request.call?.sends == 2)
        let other = try request.endingCall().beginningCall()
        #expect(other.call?.sends == 0 && other.call?.id != request.call?.id)
    }

    @Test func `a call keeps the method and URL that began it`() throws {
        var request = try HTTPRequest(.delete, "https://h/a?b=c").beginningCall()
        request.method = .get
        request.url = try URL(strictly: "https://other/")
        #expect(request.call?.method == .delete)
        #expect(request.call?.url.absoluteString == "https://h/a?b=c")
    }

    @Test func `sends from many tasks are numbered without gaps`() async throws {
        let call = try #require(HTTPRequest(.get, "https://h/").beginningCall().call)
        let numbers = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<100).map { _ in call.beginSend(GrowingRecord()) } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...400))
        #expect(call.timeline.exchanges.count == 400)
    }

    @Test func `the timeline follows records that go on being written`() throws {
        let call = try #require(HTTPRequest(.get, "https://h/").beginningCall().call)
        let record = GrowingRecord()
        _ = call.beginSend(record)
        let before = call.timeline
        record.receive(3)
        #expect(before.exchanges.map(\.responseBodyBytes) == [0])
        #expect(call.timeline.exchanges.map(\.responseBodyBytes) == [3])
    }

    @Test func `events carry the call, the instant on its clock, and their order`() throws {
        let clock = HTTPTestClock()
        let log = EventLog()
        let call = try #require(
            HTTPRequest(.get, "https://h/").beginningCall(observer: log, clock: clock).call)
        call.report(.sent)
        clock.advance(by: .seconds(2))
        call.report(.ended(.abandoned, HTTPTimeline.Exchange(start: call.clock.now)))
        #expect(log.names == ["sent", "ended"])
        #expect(log.events.map(\.callID) == [call.id, call.id])
        #expect(log.events.map(\.instant.sinceStart) == [.zero, .seconds(2)])
    }

    @Test func `an event is not created without an observer`() throws {
        let call = try #require(HTTPRequest(.get, "https://h/").beginningCall().call)
        func made() -> HTTPEvent.Kind {
            Issue.record("an event was made")
            return .sent
        }
        call.report(made())
        #expect(call.observer == nil)
    }

    @Test func `layers keep what they need per call`() throws {
        enum Ledger: HTTPRequestOption { static let defaultValue = 0 }
        let request = try HTTPRequest(.get, "https://h/").beginningCall()
        let call = try #require(request.call)
        #expect(call.withOptions { $0[Ledger.self] } == 0)
        let copy = request
        copy.call?.withOptions { $0[Ledger.self] += 2 }
        #expect(call.withOptions { $0[Ledger.self] } == 2)
        #expect(throws: ScriptedBodySource.Failure.self) {
            try call.withOptions { _ in throw ScriptedBodySource.Failure() }
        }
        #expect(call.withOptions { $0[Ledger.self] } == 2)  // and the lock is free again
    }
}
