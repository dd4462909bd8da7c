import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite struct MockSessionTests {
    private enum Layer: HTTPRequestOption { static let defaultValue = 0 }
    private enum Pin: HTTPTransportOption { static let defaultValue = 0 }
    private struct Failure: Error {}

    // MARK: A closure

    @Test(.rows("S2-16"))
    func `requests are kept in order, as the layer above made them`() async throws {
        let session = MockSession { HTTPResponse(.ok, headers: $0.headers, to: $0) }
        #expect(session.requests.isEmpty)
        for number in 1...3 {
            var request = try HTTPRequest(.put, "https://h/\(number)", headers: ["n": "\(number)"])
            request[Layer.self] = number
            #expect(try await session.response(for: request).headers["n"] == "\(number)")
        }
        #expect(session.requests.map(\.description) == (1...3).map { "PUT https://h/\($0)" })
        #expect(session.requests.map { $0[Layer.self] } == [1, 2, 3])
    }

    @Test(.rows("S2-16"))
    func `what no transport would send is refused before the closure sees it`() async throws {
        let session = MockSession { request in
            Issue.record("the closure was asked")
            return HTTPResponse(.ok, to: request)
        }
        var bad = try [
            HTTPRequest(.get, "/relative"), HTTPRequest("G T", "https://h/"),
            HTTPRequest(.get, "https://h/", headers: ["Content-Length": "1"]),
            HTTPRequest(.get, "https://h/", headers: ["A": "b\r\n"]),
        ]
        for request in bad {
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: request)
            }
            #expect(error?.code == .invalidRequest)
        }
        bad = [try HTTPRequest(.get, "https://h/")]
        bad[0][Pin.self] = 1
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: bad[0])
        }
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.contains("MockSession") == true)
        #expect(session.requests.isEmpty)
    }

    @Test func `an option that the closure honours is let through`() async throws {
        let session = MockSession(honouring: [Pin.self]) { request in
            HTTPResponse(.ok, headers: ["pin": "\(request[Pin.self])"], to: request)
        }
        var request = try HTTPRequest(.get, "https://h/")
        request[Pin.self] = 7
        #expect(try await session.response(for: request).headers["pin"] == "7")
    }

    @Test func `a cancelled task sends nothing`() async throws {
        let session = MockSession { HTTPResponse(.ok, to: $0) }
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await session.response(for: "https://h/")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(session.requests.isEmpty)
    }

    @Test(.rows("S2-16"))
    func `what the closure throws is what the caller gets`() async throws {
        let session = MockSession { _ in throw Failure() }
        await #expect(throws: Failure.self) { try await session.response(for: "https://h/") }
        #expect(session.requests.count == 1)
    }

    // MARK: Delivery

    private final class Source: HTTPBodySource {
        private let pieces: Locked<[String]>
        private let failure: (any Error)?
        init(_ pieces: [String], failure: (any Error)? = nil) {
            self.pieces = Locked(pieces)
            self.failure = failure
        }
        var left: Int { pieces.withLock { $0.count } }
        func next() async throws -> Data? {
            let piece = pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if piece == nil, let failure { throw failure }
            return piece.map { Data($0.utf8) }
        }
        func abandon() {}
    }

    @Test func `a streamed body is left to the caller, a buffered one is read`() async throws {
        let sources = Locked([Source]())
        let session = MockSession { request in
            let source = Source(["a", "b"])
            sources.withLock { $0.append(source) }
            return HTTPResponse(.ok, body: HTTPBody(source: source), to: request)
        }
        var request = try HTTPRequest(.get, "https://h/")
        let streamed = try await session.response(for: request)
        #expect(streamed.body.bytes == nil && sources.withLock { $0[0].left } == 2)
        request.delivery = .buffered(upTo: 2)
        let buffered = try await session.response(for: request)
        #expect(buffered.body.bytes == Data("ab".utf8))
        request.delivery = .buffered(upTo: 1)
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request)
        }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func `a buffered body cut short is a failed attempt`() async throws {
        let session = MockSession { request in
            HTTPResponse(
                .ok, body: HTTPBody(source: Source(["a"], failure: Failure())), to: request)
        }
        var request = try HTTPRequest(.get, "https://h/")
        #expect(try await session.response(for: request).status == .ok)
        request.delivery = .buffered(upTo: 10)
        await #expect(throws: Failure.self) { try await session.response(for: request) }
    }

    // MARK: The call

    private final class Log: HTTPObserver {
        private let state = Locked([String]())
        var lines: [String] { state.withLock { $0 } }
        func observe(_ event: HTTPEvent) {
            let line =
                switch event.kind {
                case .queued: "queued"
                case .sending: "sending \(event.exchange ?? 0)"
                case .head(let head): "head \(head.status.code)"
                case .ended(.complete, _): "complete"
                case .ended(.abandoned, _): "abandoned"
                case .ended(.failed, _): "broken"
                case .failed: "failed"
                default: "other"
                }
            state.withLock { $0.append(line) }
        }
    }

    @Test func `sends of a call are counted and reported as a transport reports them`() async throws
    {
        let log = Log()
        let request = try HTTPRequest(.get, "https://h/").beginningCall(observer: log)
        let session = MockSession { request in
            if request.call?.sends == 2 { throw Failure() }
            return HTTPResponse(.ok, body: HTTPBody(source: Source(["a"])), to: request)
        }
        let first = try await session.response(for: request)
        #expect(log.lines == ["queued", "sending 1", "head 200"])
        _ = try await first.data()
        await #expect(throws: Failure.self) { try await session.response(for: request) }
        #expect(
            log.lines == [
                "queued", "sending 1", "head 200", "complete", "queued", "sending 2", "failed",
            ])
        #expect(request.call?.sends == 2 && first.timeline.exchanges.count == 2)
    }

    @Test func `many tasks may ask at once`() async throws {
        let session = MockSession { HTTPResponse(.ok, to: $0) }
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask { _ = try await session.response(for: "https://h/\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(Set(session.requests.map(\.url)).count == 100)
    }
}
