import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPLoggingTests {
    private final class Log: Sendable {
        private let lines = Locked([String]())
        func add(_ text: String) { lines.withLock { $0.append(text) } }
        /// The texts without the number of the call.
        var texts: [String] {
            lines.withLock { $0 }.map { String($0.drop { $0 != "." }.dropFirst()) }
        }
    }

    private let log = Log()
    private let clock = HTTPTestClock()

    private func request() throws -> HTTPRequest {
        try HTTPRequest(
            .post, "http://h/a?token=Hidden", headers: ["Authorization": "Hidden", "X-A": "1"]
        ).text("ping").beginningCall(clock: clock)
    }

    private func session(_ level: HTTPLogging.Level, body: HTTPBody = HTTPBody("pong"))
        -> any HTTPSession
    {
        MockSession { request in
            HTTPResponse(
                .ok, headers: ["Set-Cookie": "Hidden", "Content-Type": "text/plain"], body: body,
                to: request)
        }.with(HTTPLogging(level) { log.add($0) })
    }

    // MARK: Log texts

    @Test(.rows("B-10"))
    func `none writes nothing`() async throws {
        _ = try await session(.none).response(for: request())
        #expect(log.texts.isEmpty)
    }

    @Test(.rows("B-10"))
    func `basic writes a line per event, without the query`() async throws {
        _ = try await session(.basic).response(for: request())
        #expect(
            log.texts == [
                "1 --> POST http://h/a?… (4 bytes)", "1 <-- 200 OK in 0.0 ms",
                "1 <-- body of 4 bytes complete after 0.0 ms",
            ])
    }

    @Test(.rows("B-10"))
    func `headers are written, secrets redacted`() async throws {
        _ = try await session(.headers).response(for: request())
        #expect(log.texts[0].contains("\n  Authorization: <redacted>\n  X-A: 1"))
        #expect(log.texts[1].contains("\n  Set-Cookie: <redacted>"))
        #expect(!log.texts.joined().contains("Hidden"))
        #expect(!log.texts.joined().contains("ping"))
    }

    @Test(.rows("B-10"))
    func `bodies that are text are written as they are read`() async throws {
        let stream = HTTPBody(
            AsyncStream<Data> {
                $0.yield(Data("po".utf8))
                $0.yield(Data("ng".utf8))
                $0.finish()
            })
        let response = try await session(.body, body: stream).response(for: request())
        #expect(log.texts.count == 2)
        #expect(log.texts[0].hasSuffix("\n\n  ping"))
        #expect(try await response.text() == "pong")
        #expect(log.texts[2] == "1 <-- body of 4 bytes complete after 0.0 ms\n\n  pong")
    }

    @Test(.rows("B-10"))
    func `content that is not text or too long is named, not shown`() async throws {
        for (body, end) in [
            (HTTPBody(Data([0xFF, 0])), "(not text, not shown)"),
            (HTTPBody("\u{1B}[2J"), "(not text, not shown)"),
            (HTTPBody(String(repeating: "é", count: 3000)), "(1904 bytes more)"),
        ] {
            let response = try await session(.body, body: body).response(for: request())
            _ = try await response.data()
            #expect(log.texts.last?.hasSuffix(end) == true)
        }
    }

    @Test(.rows("B-10"))
    func `a body given up and a failure are written`() async throws {
        let open = HTTPBody(AsyncStream<Data> { _ in })
        let response = try await session(.basic, body: open).response(for: request())
        await response.discard()
        #expect(log.texts.last == "1 <-- body of 0 bytes abandoned after 0.0 ms")

        struct Secret: Error { let text = "Hidden" }
        let failing = MockSession { _ in throw Secret() }.with(HTTPLogging { log.add($0) })
        await #expect(throws: Secret.self) { try await failing.response(for: request()) }
        #expect(log.texts.last == "1 <-- failed after 0.0 ms: Secret")
    }

    @Test(.rows("B-10"))
    func `attempts of a call have its number and their own`() async throws {
        let session = session(.basic)
        let request = try request()
        for _ in 0..<2 { _ = try await session.response(for: request) }
        #expect(log.texts.map { $0.first } == ["1", "1", "1", "2", "2", "2"])
    }
}
