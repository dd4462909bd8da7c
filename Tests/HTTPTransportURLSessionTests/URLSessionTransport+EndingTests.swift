import Foundation
import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPTransportURLSession

@Suite(.timeLimit(.minutes(5))) struct URLSessionTransportEndingTests {
    // MARK: Cancellation

    @Test
    func `cancelled before the head, the call throws CancellationError and the connection goes`()
        async throws
    {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ -> LoopbackScript in [.pause(until: gate), .stall] }
        let transport = URLSessionTransport()
        let url = server.url("/")
        let task = Task { try await transport.response(for: url) }
        try await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitUntil { $0.log.first?.ending != nil }
        await transport.close()
    }

    @Test func `cancelled before it began, nothing is sent`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let transport = URLSessionTransport()
        let url = server.url("/")
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await transport.response(for: url)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        await transport.close()
        #expect(server.connections.accepted == 0)
    }

    @Test
    func `cancelled in the body, the reader throws CancellationError and the connection goes`()
        async throws
    {
        let server = try LoopbackServer { _ -> LoopbackScript in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc"), .stall]
        }
        let transport = URLSessionTransport()
        let response = try await transport.response(for: server.url("/"))
        let (signal, signalled) = AsyncStream<Void>.makeStream()
        let task = Task {
            for try await _ in response.body { signalled.yield() }
        }
        for await _ in signal { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitUntil { $0.log.first?.ending != nil }
        await transport.close()
    }

    @Test func `cancelled during an upload, the server sees the connection go`() async throws {
        var options = LoopbackOptions()
        options.waitsForContent = false
        let gate = LoopbackGate()
        let server = try LoopbackServer(options) { _ -> LoopbackScript in
            [.stopReading, .pause(until: gate), .startReading, .awaitContentEnd, .respond(.ok())]
        }
        let transport = URLSessionTransport()
        let request = try HTTPRequest(
            .post, server.url("/"), body: HTTPBody(Data(count: 32 << 20)))
        let task = Task { try await transport.response(for: request) }
        try await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await transport.close()
        gate.open()
        try await server.waitUntil { $0.log.first?.ending != nil }
        #expect(server.log.first?.isRequestComplete == false)
    }

    @Test func `cancelled while the body is produced, the producer is given up`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let transport = URLSessionTransport()
        let source = StalledSource()
        let request = try HTTPRequest(.post, server.url("/"), body: HTTPBody(source: source))
        let task = Task { try await transport.response(for: request) }
        await source.started.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await source.ended.wait()
        await transport.close()
        #expect(server.connections.accepted == 0)
    }

    @Test func `cancelled while a redirect or a challenge comes in, the process lives on`()
        async throws
    {
        let server = try LoopbackServer { request in
            request.path == "/302"
                ? .redirect(to: "/x")
                : LoopbackResponse(status: 401, fields: [("WWW-Authenticate", "Basic realm=\"x\"")])
        }
        let transport = URLSessionTransport()
        let (redirect, challenge) = (server.url("/302"), server.url("/401"))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let url = number.isMultiple(of: 2) ? redirect : challenge
                    let task = Task { try await transport.response(for: url) }
                    for _ in 0..<number { await Task.yield() }
                    task.cancel()
                    _ = await task.result
                }
            }
        }
        await transport.close()
        #expect(server.snapshot.requestCount <= 200)
    }

    // MARK: Time

    @Test(.rows("S1-10"))
    func `the deadline covers a dripping body to its last byte`() async throws {
        let server = try LoopbackServer { _ in
            .drip(pieces: Array(repeating: "x", count: 5000), every: .milliseconds(20))
        }
        let error = try await patiently(from: .milliseconds(500)) { limit in
            let request = try HTTPRequest(.get, server.url("/")).deadline(in: limit)
            let error = try #require(
                await #expect(throws: HTTPError.self) {
                    try await URLSessionTransport().response(for: request).data()
                })
            guard error.phase == .receiving else { throw TooSoon(error) }
            #expect(try #require(error.elapsed) >= limit - .milliseconds(100))
            return error
        }
        #expect(error.code == .timedOut)
        #expect(error.timer?.name == .deadline)
        #expect(error.isRetryable == false)
        #expect(error.response?.status == .ok)
        try await server.waitUntil { $0.log.first?.ending != nil }
    }

    @Test(.rows("S1-10"))
    func `a deadline that has passed sends nothing`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let request = try HTTPRequest(.get, server.url("/")).deadline(in: .zero)
        let error = await #expect(throws: HTTPError.self) {
            try await URLSessionTransport().response(for: request)
        }
        #expect(error?.timer?.name == .deadline)
        #expect(error?.mayHaveReachedServer == false)
        #expect(server.connections.accepted == 0)
    }

    @Test(.rows("S1-10"))
    func `the idle limit ends a silent server, before the head and in the body`()
        async throws
    {
        let server = try LoopbackServer { request -> LoopbackScript in
            request.path == "/head"
                ? [.stall] : [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .stall]
        }
        let transport = URLSessionTransport()
        for (path, phase) in [("/head", HTTPError.Phase.waiting), ("/body", .receiving)] {
            let error = try await patiently(from: .milliseconds(500)) { limit in
                let request = try HTTPRequest(.get, server.url(path))
                    .timeouts(HTTPTimeouts(idle: .after(limit)))
                let error = try #require(
                    await #expect(throws: HTTPError.self) {
                        try await transport.response(for: request).data()
                    })
                guard error.phase == phase else { throw TooSoon(error) }
                #expect(error.timer == HTTPError.Timer(.idle, limit))
                return error
            }
            #expect(error.mayHaveReachedServer)
        }
    }

    @Test func `bytes that keep coming keep the idle limit away`() async throws {
        let bytes = try await patiently(from: .seconds(1)) { limit in
            let server = try LoopbackServer { _ in
                .drip(pieces: Array(repeating: "x", count: 12), every: limit / 8)
            }
            var request = try HTTPRequest(.get, server.url("/"))
            request.timeouts.idle = .after(limit)
            do {
                return try await URLSessionTransport().response(for: request).data()
            } catch let error as HTTPError where error.timer?.name == .idle {
                throw TooSoon(error)
            }
        }
        #expect(bytes.count == 12)
    }

    @Test(.rows("S1-10"))
    func `a total limit and a set connect limit name themselves`() async throws {
        let server = try LoopbackServer { _ -> LoopbackScript in [.stall] }
        let transport = URLSessionTransport()
        var request = try HTTPRequest(.get, server.url("/"))
        request.timeouts.total = .milliseconds(150)
        var error = await #expect(throws: HTTPError.self) {
            try await transport.response(for: request)
        }
        #expect(error?.timer?.name == .total)
        #expect(error?.isRetryable == true)
        let accepted = server.connections.accepted
        request.timeouts = HTTPTimeouts(connect: .seconds(1))
        error = await #expect(throws: HTTPError.self) { try await transport.response(for: request) }
        #expect(error?.timer?.name == .connect)
        #expect(error?.phase == .connecting)
        // URLSession gives no sign of a connection (TimeLimits.md). On a machine that is busy, the
        // task may not have started yet.
        let hasReached = server.connections.accepted > accepted
        #expect(error?.mayHaveReachedServer == true || !hasReached)
    }

    @Test func `a limit ends a producer that does not come to its end`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let source = StalledSource()
        let request = try HTTPRequest(.post, server.url("/"), body: HTTPBody(source: source))
            .deadline(in: .milliseconds(150))
        let error = await #expect(throws: HTTPError.self) {
            try await URLSessionTransport().response(for: request)
        }
        #expect(error?.timer?.name == .deadline)
        #expect(error?.phase == .preparing)
        #expect(error?.mayHaveReachedServer == false)
        await source.ended.wait()
        #expect(server.connections.accepted == 0)
    }

    // MARK: Closing

    @Test func `a transport that is dropped in mid-flight lets calls and bodies finish, then goes`()
        async throws
    {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ -> LoopbackScript in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .pause(until: gate),
                .send("llo"),
            ]
        }
        let response: HTTPResponse
        do {
            let transport = URLSessionTransport()
            response = try await transport.response(for: server.url("/"))
        }
        gate.open()
        #expect(try await response.text() == "hello")
        // The kept connection closes only with libcurl's handle, so nothing retains the session.
        try await server.waitUntil { $0.connections.open == 0 }
    }

    @Test func `transports that are dropped leave nothing behind`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        for _ in 0..<20 {
            #expect(
                try await URLSessionTransport().response(for: server.url("/")).text() == "hello")
        }
        try await server.waitUntil { $0.connections.accepted == 20 && $0.connections.open == 0 }
    }

    @Test func `close waits for calls and bodies, and later calls fail`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ -> LoopbackScript in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .pause(until: gate),
                .send("llo"),
            ]
        }
        let transport = URLSessionTransport()
        let response = try await transport.response(for: server.url("/"))
        let isClosed = Locked(false)
        let closing = Task {
            await transport.close()
            isClosed.withLock { $0 = true }
        }
        await untilRefusing(transport)
        #expect(!isClosed.withLock { $0 })
        gate.open()
        #expect(try await response.text() == "hello")
        await closing.value
        #expect(isClosed.withLock { $0 })
        // A closed transport keeps no connections either, although it is still retained.
        try await server.waitUntil { $0.connections.open == 0 }
        await transport.close()
    }

    /// Returns once the transport refuses requests, which shows that closing it has begun.
    private func untilRefusing(_ transport: URLSessionTransport) async {
        while true {
            do {
                let other = try await transport.response(for: "http://127.0.0.1:1/")
                Issue.record("an answer from nowhere: \(other)")
            } catch let error as HTTPError where error.code == .sessionClosed {
                return
            } catch {}
        }
    }

    @Test func `close fails what its grace does not wait for, a call and a body`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { request -> LoopbackScript in
            request.path == "/call"
                ? [.pause(until: gate), .stall]
                : [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .stall]
        }
        let transport = URLSessionTransport()
        let response = try await transport.response(for: server.url("/body"))
        let url = server.url("/call")
        let call = Task { try await transport.response(for: url) }
        try await gate.reached()
        await transport.close(grace: .zero)
        let ofBody = await #expect(throws: HTTPError.self) { try await response.data() }
        #expect(ofBody?.code == .sessionClosed && ofBody?.response?.status == .ok)
        let ofCall = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(ofCall?.code == .sessionClosed && ofCall?.mayHaveReachedServer == true)
        try await server.waitUntil { $0.connections.open == 0 }
    }

    @Test func `close fails a body that has arrived whole, and the server has the request`()
        async throws
    {
        let server = try LoopbackServer { _ in .bytes(count: 3_000_000) }
        let transport = URLSessionTransport()
        let response = try await transport.response(for: server.url("/"))
        while response.timeline.exchanges.first?.lastByte == nil { await Task.yield() }
        await transport.close(grace: .zero)
        let error = await #expect(throws: HTTPError.self) { try await response.data() }
        #expect(error?.code == .sessionClosed && error?.phase == .receiving)
        #expect(error?.mayHaveReachedServer == true)
    }

    @Test func `close ends a request whose body is still produced, and nothing was sent`()
        async throws
    {
        let server = try LoopbackServer { _ in .ok() }
        let transport = URLSessionTransport()
        let source = StalledSource()
        let request = try HTTPRequest(.post, server.url("/"), body: HTTPBody(source: source))
        let call = Task { try await transport.response(for: request) }
        await source.started.wait()
        await transport.close(grace: .zero)
        let error = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(error?.code == .sessionClosed && error?.phase == .preparing)
        #expect(error?.mayHaveReachedServer == false)
        #expect(server.connections.accepted == 0)
    }

    @Test(arguments: [HTTPMethod.post, .delete])
    func `a request that a kept connection has lost may have reached the server`(
        method: HTTPMethod
    ) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(scripts: [
            [
                .awaitHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .awaitHead,
                .pause(until: gate),
            ]
        ])
        let transport = URLSessionTransport()
        _ = try await transport.response(for: server.url("/first")).data()
        let request = try HTTPRequest(method, server.url("/second"))
        let call = Task { try await transport.response(for: request) }
        try await gate.reached()
        // libcurl sends the request again, and finds no server any more.
        server.stop()
        let error = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(error?.mayHaveReachedServer == true, "\(error as Any)")
    }

    @Test func `a close beside another one waits as well`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ -> LoopbackScript in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .pause(until: gate),
                .send("llo"),
            ]
        }
        let transport = URLSessionTransport()
        let response = try await transport.response(for: server.url("/"))
        let mayEnd = Locked(false)
        let first = Task { await transport.close(grace: .seconds(60)) }
        await untilRefusing(transport)
        let second = Task {
            await transport.close(grace: .seconds(60))
            return mayEnd.withLock { $0 }
        }
        for _ in 0..<100 { await Task.yield() }
        mayEnd.withLock { $0 = true }
        gate.open()
        #expect(try await response.text() == "hello")
        #expect(await second.value, "it waits for the body that the first one waits for")
        await first.value
    }

    @Test func `a second close ends the grace of the first`() async throws {
        let server = try LoopbackServer { _ -> LoopbackScript in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .stall]
        }
        let transport = URLSessionTransport()
        let response = try await transport.response(for: server.url("/"))
        let first = Task { await transport.close(grace: .longest) }
        await untilRefusing(transport)
        await transport.close(grace: .zero)
        await first.value
        let error = await #expect(throws: HTTPError.self) { try await response.data() }
        #expect(error?.code == .sessionClosed)
    }

    @Test func `after close every request is refused and nothing is sent`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let transport = URLSessionTransport()
        await transport.close()
        await transport.close()
        let error = await #expect(throws: HTTPError.self) {
            try await transport.response(for: server.url("/"))
        }
        #expect(error?.code == .sessionClosed && error?.mayHaveReachedServer == false)
        #expect(server.connections.accepted == 0)
    }

    @Test func `a close that is cancelled fails what is left`() async throws {
        let server = try LoopbackServer { _ -> LoopbackScript in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .stall]
        }
        let transport = URLSessionTransport()
        let response = try await transport.response(for: server.url("/"))
        let closing = Task { await transport.close() }
        closing.cancel()
        await closing.value
        let error = await #expect(throws: HTTPError.self) { try await response.data() }
        #expect(error?.code == .sessionClosed)
    }
}

/// A body that never comes.
private final class StalledSource: HTTPBodySource {
    let started = Flag()
    let ended = Flag()

    func next() async throws -> Data? {
        defer { ended.raise() }
        started.raise()
        let never = AsyncStream<Void> { _ in }
        for await _ in never {}
        try Task.checkCancellation()
        return nil
    }
    func abandon() {}
}

/// An event that happens once and can be waited for.
private final class Flag: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream<Void>.makeStream() }
    func raise() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}
