import HTTPCore
import HTTPMiddleware
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPObservationTests {
    private final class Log: HTTPObserver {
        private let kept = Locked([String]())
        var names: [String] { kept.withLock { $0 } }

        func observe(_ event: HTTPEvent) {
            let name: String? =
                switch event.kind {
                case .sending: "sending \(event.exchange ?? 0)"
                case .head(let head): "head \(head.status.code)"
                case .callEnded: "call ended"
                case .callFailed: "call failed"
                default: nil
                }
            if let name { kept.withLock { $0.append(name) } }
        }
    }

    /// Sends each request twice.
    private struct Twice: HTTPClientMiddleware {
        func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
            await (try await next.response(for: request)).discard()
            return try await next.response(for: request)
        }
    }

    private let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("x"), to: $0) }

    @Test func `an observer is told of a call to its end`() async throws {
        let log = Log()
        let session = mock.with(HTTPObservation(log))
        _ = try await session.response(for: HTTPRequest("https://h/")).data()
        #expect(log.names == ["sending 1", "head 200", "call ended"])
    }

    @Test func `an observer is told of a call that fails`() async throws {
        let log = Log()
        let failing = MockSession { _ in throw HTTPError(.timedOut, "as the test says") }
        await #expect(throws: HTTPError.self) {
            try await failing.with(HTTPObservation(log)).response(for: HTTPRequest("https://h/"))
        }
        #expect(log.names.last == "call failed")
        #expect(log.names.filter { $0.hasPrefix("call") }.count == 1)
    }

    @Test func `its clock is that of calls that begin in its chain, unless an outer one differs`()
        async throws
    {
        let observation = HTTPObservation(Log(), clock: HTTPTestClock())
        for session in [mock.with(observation), mock.with(Twice(), observation)] {
            _ = try await session.response(for: HTTPRequest("https://h/"))
            #expect(mock.requests.last?.call?.clock is HTTPTestClock)
        }
        let outer = mock.with(HTTPObservation(Log()), observation)
        _ = try await outer.response(for: HTTPRequest("https://h/"))
        #expect(mock.requests.last?.call?.clock is HTTPSystemClock)
    }

    @Test func `two observers of one call are both told, each once`() async throws {
        let (outer, inner) = (Log(), Log())
        let session = mock.with(HTTPObservation(outer), HTTPObservation(inner))
        _ = try await session.response(for: HTTPRequest("https://h/")).data()
        #expect(outer.names == ["sending 1", "head 200", "call ended"])
        #expect(inner.names == outer.names)
    }

    @Test func `inside of a layer that sends twice, an observer joins the call once`()
        async throws
    {
        let log = Log()
        let session = mock.with(Twice(), HTTPObservation(log))
        _ = try await session.response(for: HTTPRequest("https://h/")).data()
        #expect(
            log.names.filter { !$0.hasPrefix("call") } == [
                "sending 1", "head 200", "sending 2", "head 200",
            ])
        #expect(log.names.filter { $0.hasPrefix("call") } == ["call ended"])
    }

    @Test func `an observer of a call that was begun by hand is told of it`() async throws {
        let (own, log) = (Log(), Log())
        let request = try HTTPRequest("https://h/").beginningCall(observer: own)
        _ = try await mock.with(HTTPObservation(log)).response(for: request).data()
        #expect(log.names == ["sending 1", "head 200", "call ended"])
        #expect(own.names == log.names)
    }
}
