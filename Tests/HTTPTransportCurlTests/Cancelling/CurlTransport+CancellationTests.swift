import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation

/// Cancellation at every point of an exchange: the task ends with `CancellationError`, the server
/// sees the connection close, and the session serves the next request.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportCancellationTests {
    private func expectCancellation<Value: Sendable>(
        of task: Task<Value, any Error>, _ server: LoopbackServer, _ session: CurlTransport,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self, sourceLocation: sourceLocation) {
            try result.get()
        }
        try await server.waitUntil { $0.connections.open == 0 }
        server.enqueue(.ok("next"))
        let next = try await session.response(for: server.url).text()
        #expect(next == "next", sourceLocation: sourceLocation)
    }

    @Test func `before the request is submitted nothing is sent`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let session = CurlTransport()
        let url = server.url
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await session.response(for: url)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.connections.accepted == 0)
    }

    @Test func `while the head is awaited`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in [.pause(until: gate)] })
        let session = CurlTransport()
        let url = server.url
        let task = Task { try await session.response(for: url) }
        try await gate.reached()
        try await expectCancellation(of: task, server, session)
    }

    @Test func `in the middle of the head`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [.send("HTTP/1.1 200 OK\r\nX-A: b\r\nX-"), .pause(until: gate)]
        })
        let session = CurlTransport()
        let url = server.url
        let task = Task { try await session.response(for: url) }
        try await gate.reached()
        try await expectCancellation(of: task, server, session)
    }

    @Test func `while the body is awaited`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .pause(until: gate)]
        })
        let session = CurlTransport()
        let url = server.url
        let task = Task {
            let response = try await session.response(for: url)
            for try await _ in response.body {}
        }
        try await gate.reached()
        try await expectCancellation(of: task, server, session)
    }

    @Test func `while a buffered body is gathered`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .pause(until: gate)]
        })
        let session = CurlTransport()
        let url = server.url
        let task = Task { try await session.response(Data.self, for: url) }
        try await gate.reached()
        try await expectCancellation(of: task, server, session)
    }

    @Test func `while receiving is paused for a slow reader`() async throws {
        let server = try LoopbackServer { _ in .bytes(count: 1 << 30) }
        let session = CurlTransport()
        let url = server.url
        let reading = AsyncStream<Void>.makeStream()
        let task = Task {
            let response = try await session.response(for: url)
            var iterator = response.body.makeAsyncIterator()
            _ = try await iterator.next()
            reading.continuation.yield()
            // The reader stands still until it is cancelled, far beyond the watermark.
            try await Task.sleep(for: .seconds(600))
            _ = try await iterator.next()
        }
        for await _ in reading.stream { break }
        try await expectCancellation(of: task, server, session)
    }

    @Test func `while the server does not read the upload`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(scripts: [
            [.awaitHead, .stopReading, .pause(until: gate)],
            [.awaitHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext"), .close],
        ])
        let session = CurlTransport()
        let url = server.url
        let task = Task {
            let body = HTTPBody(length: nil, restarting: { Endless() })
            return try await session.response(for: try HTTPRequest(.put, url, body: body))
        }
        try await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await session.response(for: url).text() == "next")
    }

    @Test func `while the upload's producer produces nothing`() async throws {
        let gate = LoopbackGate()
        var options = LoopbackOptions()
        options.waitsForContent = false
        let server = try LoopbackServer(
            options, script: { _ in [.awaitContent(3), .pause(until: gate)] })
        let session = CurlTransport()
        let url = server.url
        let ended = AsyncStream<Void>.makeStream()
        let task = Task {
            // Only the request retains the sequence. The end of the sequence is reported to its
            // producer.
            let quiet = AsyncStream<Data> { continuation in
                continuation.onTermination = { _ in ended.continuation.yield() }
                continuation.yield(Data("abc".utf8))
            }
            return try await session.response(for: HTTPRequest(.post, url, body: HTTPBody(quiet)))
        }
        try await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The producer hears of it.
        for await _ in ended.stream { break }
        try await server.waitUntil { $0.connections.open == 0 }
    }

    @Test func `while waiting for a place at the origin`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [.pause(until: gate), .respond(.ok("first"))]
        })
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        let session = try CurlTransport(configuration)
        let url = server.url
        let first = Task { try await session.response(for: url).text() }
        try await gate.reached()
        let second = Task { try await session.response(for: url).text() }
        let third = Task { try await session.response(for: url).text() }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        gate.open()
        #expect(try await first.value == "first")
        #expect(try await third.value == "first")
        #expect(server.connections.accepted == 1)
    }

    @Test func `after the response is complete it changes nothing`() async throws {
        let server = try LoopbackServer { _ in .ok("whole") }
        let session = CurlTransport()
        let url = server.url
        let done = AsyncStream<Void>.makeStream()
        let task = Task {
            let text = try await session.response(String.self, for: url)
            done.continuation.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}  // until cancelled
            return text
        }
        for await _ in done.stream { break }
        task.cancel()
        #expect(try await task.value == "whole")
        #expect(try await session.response(for: url).text() == "whole")
        #expect(server.connections.accepted == 1)
    }

    @Test func `thousands of cancellations at once leave the session usable`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let session = CurlTransport()
        let url = server.url
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2000 {
                group.addTask {
                    let task = Task { try await session.response(for: url).text() }
                    await Task.yield()
                    task.cancel()
                    _ = await task.result
                }
            }
        }
        #expect(try await session.response(for: url).text() == "fine")
    }
}

/// Bytes without end.
private struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
    mutating func next() async throws -> Data? { Data(count: 64 << 10) }
    func makeAsyncIterator() -> Endless { self }
}
