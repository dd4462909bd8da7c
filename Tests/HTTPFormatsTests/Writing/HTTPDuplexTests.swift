import HTTPTesting
import TestSupport
import Testing
import HTTPCore
@testable import HTTPFormats
import PortableFoundation

/// Conversations with sessions that are no transports. Those over a wire are `DuplexOverWireTests`.
@Suite(.timeLimit(.minutes(5))) struct HTTPDuplexTests {
    private struct Failure: Error {}

    private static let much = Data(repeating: 1, count: 1 << 20)

    private func request() throws -> HTTPRequest { try HTTPRequest(.post, "https://a.test/") }

    /// Returns each piece of the request's body as a piece of the response's.
    private let echo = MockSession { request in
        HTTPResponse(.ok, body: request.body, to: request)
    }

    @Test func `a reply decides on the next message`() async throws {
        let count = try await echo.withDuplex(for: request()) { duplex in
            var pieces = try await duplex.response.body.makeAsyncIterator()
            var count = 0
            while count < 100 {
                try await duplex.writer.write(String(repeating: "x", count: count + 1))
                count = try await pieces.next()?.count ?? 0
            }
            return count
        }
        #expect(count == 100)
    }

    @Test func `the body is complete when the closure has returned`() async throws {
        let bodies = Record<Data>()
        let session = MockSession { request in
            bodies.add(try await request.body.collect())
            return HTTPResponse(.ok, to: request)
        }
        try await session.withDuplex(for: request()) { try await $0.writer.write("all") }
        #expect(bodies.entries == [Data("all".utf8)])
    }

    @Test func `the body fails when the closure throws, and the exchange is aborted`() async throws
    {
        let (errors, isRead) = (Record<String>(), Gate())
        let session = MockSession { request in
            do {
                for try await _ in request.body { isRead.open() }
            } catch {
                errors.add("\(type(of: error))")
                throw error
            }
            return HTTPResponse(.ok, to: request)
        }
        await #expect(throws: Failure.self) {
            try await session.withDuplex(for: request()) { duplex in
                try await duplex.writer.write("half")
                try await isRead.wait()
                throw Failure()
            }
        }
        let first = try #require(errors.entries.first)
        #expect(["Failure", "CancellationError"].contains(first))
    }

    @Test func `the response is given up when the closure throws`() async throws {
        let source = ScriptedBodySource(["a", "b"])
        let session = MockSession { request in
            HTTPResponse(.ok, body: HTTPBody(source: source), to: request)
        }
        await #expect(throws: Failure.self) {
            try await session.withDuplex(for: request()) { duplex in
                _ = try await duplex.response
                throw Failure()
            }
        }
        #expect(source.abandons > 0 && source.discards == 0)
    }

    @Test func `the rest of the response is discarded when the closure returns`() async throws {
        for isAwaited in [true, false] {
            let source = ScriptedBodySource(["a", "b"])
            let session = MockSession { request in
                HTTPResponse(.ok, body: HTTPBody(source: source), to: request)
            }
            try await session.withDuplex(for: request()) { duplex in
                if isAwaited { _ = try await duplex.response }
            }
            #expect(source.discards == 1)
        }
    }

    // MARK: Failures

    @Test func `an error of the request ends a write that waits, and is the error of the call`()
        async throws
    {
        let fails = Gate()
        let session = MockSession { request in
            try await fails.wait()
            throw HTTPError(.cannotConnect, "no way")
        }
        let error = await #expect(throws: HTTPError.self) {
            try await session.withDuplex(for: request()) { duplex in
                try await duplex.writer.write(Self.much)
                fails.open()
                try await duplex.writer.write(Self.much)
            }
        }
        #expect(error?.code == .cannotConnect)
    }

    @Test func `an error of the request is not lost when the closure does not look at it`()
        async throws
    {
        let session = MockSession { _ in throw HTTPError(.cannotConnect, "no way") }
        let error = await #expect(throws: HTTPError.self) {
            try await session.withDuplex(for: request()) { _ in }
        }
        #expect(error?.code == .cannotConnect)
    }

    @Test func `a write to a session that responds without the body does not wait for ever`()
        async throws
    {
        let session = MockSession { request in HTTPResponse(.ok, to: request) }
        let error = await #expect(throws: HTTPError.self) {
            try await session.withDuplex(for: request()) { duplex in
                try await duplex.writer.write(Self.much)
                try await duplex.writer.write(Self.much)
            }
        }
        #expect(error?.code == .requestBodyEnded)
    }

    @Test func `a session that reads the body after its response gets all of it`() async throws {
        let bodies = Record<Data>()
        let session = MockSession { request in
            request.body.willBeRead()
            Task { bodies.add(try await request.body.collect()) }
            return HTTPResponse(.ok, to: request)
        }
        try await session.withDuplex(for: request()) { duplex in
            #expect(try await duplex.response.status == .ok)
            for _ in 0..<3 { try await duplex.writer.write(Self.much) }
        }
        try await bodies.wait(for: 1)
        #expect(bodies.entries.first?.count == 3 << 20)
    }

    @Test func `a closure that shortens the declared length throws`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await echo.withDuplex(for: request(), length: 5) { duplex in
                try await duplex.writer.write("four")
            }
        }
        #expect(error?.code == .requestBodyFailed)
    }

    @Test(arguments: [true, false])
    func `cancelling ends the wait for the response and the write`(writes: Bool) async throws {
        let (asked, cancelled) = (Gate(), Gate())
        let session = MockSession { request in
            asked.open()
            do { try await Gate().wait() } catch {
                cancelled.open()
                throw error
            }
            return HTTPResponse(.ok, to: request)
        }
        let request = try request()
        let call = Task {
            try await session.withDuplex(for: request) { duplex in
                while writes { try await duplex.writer.write(Self.much) }
                _ = try await duplex.response
            }
        }
        try await asked.wait()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(cancelled.isOpen)
    }

    @Test func `after the call, writes fail and the response remains as it was`() async throws {
        let kept = try await echo.withDuplex(for: request()) { $0 }
        let error = await #expect(throws: HTTPError.self) { try await kept.writer.write("x") }
        #expect(error?.code == .requestBodyEnded)
        #expect(try await kept.response.status == .ok)
    }

    // MARK: Requests that are refused

    @Test func `a request that cannot be written to is refused before it is sent`() async throws {
        let session = MockSession { request in
            Issue.record("it was sent")
            return HTTPResponse(.ok, to: request)
        }
        var (full, whole) = (try request(), try request())
        full.body = HTTPBody("x")
        whole.delivery = .buffered(upTo: 5)
        for (request, length) in [(full, nil), (whole, nil), (try request(), Int64(-1))] {
            let error = await #expect(throws: HTTPError.self) {
                try await session.withDuplex(for: request, length: length) { _ in }
            }
            #expect(error?.code == .invalidRequest)
        }
    }
}
