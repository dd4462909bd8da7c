import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// Connections of HTTP/2 whose peer acknowledges what it gets and responds to nothing.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
struct CurlTransportSilentConnectionTests {
    typealias Frame = FrameServer.Frame

    /// Answers the first request of its first connection and no other one, and all requests of
    /// other connections. The first connection goes on reading.
    private static func server(ended: Gate = Gate()) async throws -> FrameServer {
        try await FrameServer { connection in
            var answered = 0
            while let stream = connection.nextRequest() {
                guard connection.number > 0 || answered == 0 else { continue }
                answered += 1
                connection.send(.ok(stream, length: 0, ends: true))
            }
            if connection.number == 0 { ended.open() }
        }
    }

    private static func request(
        _ server: FrameServer, _ change: (inout HTTPTimeouts) -> Void = { _ in }
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(.get, server.url)
        request.version = .http2
        change(&request.timeouts)
        return request
    }

    enum Limit: CaseIterable, Sendable { case idle, total, responseHead, deadline }

    @Test(arguments: Limit.allCases)
    func `after a time limit without a sign of life the next request has another connection`(
        limit: Limit
    ) async throws {
        let ended = Gate()
        let server = try await Self.server(ended: ended)
        let session = try await TestAuthority.transport()
        _ = try await session.response(for: Self.request(server))
        // A slow machine, too, sends the request within it.
        let patience = Duration.milliseconds(300)
        var request = try Self.request(server) { timeouts in
            switch limit {
            case .idle: timeouts.idle = .after(patience)
            case .total: timeouts.total = .after(patience)
            case .responseHead: timeouts.responseHead = .after(patience)
            case .deadline: break
            }
        }
        if limit == .deadline { request = request.deadline(in: patience) }
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request)
        }
        #expect(error?.code == .timedOut)
        let response = try await session.response(for: Self.request(server))
        #expect(response.status == .ok)
        #expect(server.connectionCount == 2)
        // The dead connection has no other streams, so it is closed.
        try await ended.wait()
    }

    @Test func `each of several requests that time out at once leaves the connection`()
        async throws
    {
        let server = try await Self.server()
        let session = try await TestAuthority.transport()
        _ = try await session.response(for: Self.request(server))
        let request = try Self.request(server) { $0.idle = .after(.milliseconds(300)) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { _ = try? await session.response(for: request) }
            }
        }
        for _ in 0..<3 {
            #expect(try await session.response(for: Self.request(server)).status == .ok)
        }
        #expect(server.connectionCount == 2)
    }

    @Test func `a connection that is given up serves its other streams to their ends`()
        async throws
    {
        let (reached, answer, ended) = (Gate(), Gate(), Gate())
        let server = try await FrameServer { connection in
            guard connection.number == 0 else {
                while let stream = connection.nextRequest() {
                    connection.send(.ok(stream, length: 0, ends: true))
                }
                return
            }
            let first = connection.nextRequest()
            connection.sync()
            reached.open()
            _ = connection.nextRequest()
            Task {
                try await answer.wait()
                if let first { connection.send(.ok(first), .data(first, "late", ends: true)) }
            }
            _ = connection.next { _ in false }
            ended.open()
        }
        let session = try await TestAuthority.transport()
        let slow = try Self.request(server)
        let first = Task { try await session.response(for: slow).text() }
        try await reached.wait()
        let request = try Self.request(server) { $0.total = .after(.milliseconds(500)) }
        await #expect(throws: HTTPError.self) { try await session.response(for: request) }
        #expect(try await session.response(for: Self.request(server)).status == .ok)
        answer.open()
        #expect(try await first.value == "late")
        try await ended.wait()
        #expect(server.connectionCount == 2)
    }

    @Test func `a connection over which other responses come is kept`() async throws {
        let reached = Gate()
        let server = try await FrameServer { connection in
            while let stream = connection.nextRequest() {
                // The second request gets no response.
                if stream == 3 {
                    reached.open()
                    continue
                }
                connection.send(.ok(stream, length: 0, ends: true))
            }
        }
        let session = try await TestAuthority.transport()
        _ = try await session.response(for: Self.request(server))
        let request = try Self.request(server) { $0.total = .after(.milliseconds(500)) }
        let first = Task { try await session.response(for: request) }
        try await reached.wait()
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .milliseconds(600) {
            _ = try await session.response(for: Self.request(server))
        }
        await #expect(throws: HTTPError.self) { try await first.value }
        #expect(try await session.response(for: Self.request(server)).status == .ok)
        #expect(server.connectionCount == 1)
    }

    @Test func `a second send of a call does not follow the first to a silent connection`()
        async throws
    {
        let server = try await Self.server()
        let session = try await TestAuthority.transport()
        _ = try await session.response(for: Self.request(server))
        let request = try Self.request(server).beginningCall()
        let first = Task { try await session.response(for: request) }
        while await session.statistics().total.active < 1 { await Task.yield() }
        // As with hedging: the first send is still waiting. The kernel's clock is a coarse one.
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await session.response(for: request).status == .ok)
        #expect(server.connectionCount == 2)
        first.cancel()
        _ = try? await first.value
    }

    @Test func `a caller that gives up after a second of silence leaves the connection`()
        async throws
    {
        let server = try await Self.server()
        let session = try await TestAuthority.transport()
        _ = try await session.response(for: Self.request(server))
        let request = try Self.request(server)
        let first = Task { try await session.response(for: request) }
        try await Task.sleep(for: .milliseconds(1200))
        first.cancel()
        _ = try? await first.value
        #expect(try await session.response(for: Self.request(server)).status == .ok)
        #expect(server.connectionCount == 2)
    }

    @Test func `a body that stops coming ends the use of its connection`() async throws {
        let server = try await FrameServer { connection in
            while let stream = connection.nextRequest() {
                if connection.number > 0 {
                    connection.send(.ok(stream, length: 0, ends: true))
                } else {
                    connection.send(.ok(stream), .data(stream, "some"))
                }
            }
        }
        let session = try await TestAuthority.transport()
        let request = try Self.request(server) { $0.idle = .after(.milliseconds(1100)) }
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request).text()
        }
        #expect(error?.code == .timedOut)
        #expect(try await session.response(for: Self.request(server)).status == .ok)
        #expect(server.connectionCount == 2)
    }
}
