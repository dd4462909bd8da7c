import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// A request's body that is written by hand while the response is read, over HTTP/1.1 and, by way
/// of nginx, over HTTP/2.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportWritingTests {
    enum Version: Sendable, CaseIterable {
        case http1, http2

        static let available = allCases.filter { $0 == .http1 || NginxServer.isAvailable }
    }

    /// A server, the way to it, and a transport.
    private struct Wire {
        let server: LoopbackServer
        let session: CurlTransport
        let nginx: NginxServer?

        init(_ version: Version, _ script: LoopbackScript) async throws {
            var options = LoopbackOptions()
            options.waitsForContent = false
            server = try LoopbackServer(
                options, script: { $0.method == "GET" ? [.respond(.ok("next"))] : script })
            switch version {
            case .http1:
                // A busy machine may not get to the end of a test in which the server reads nothing
                // before the server would count as gone.
                var configuration = CurlConfiguration()
                configuration.unacknowledgedTimeout = nil
                (nginx, session) = (nil, try CurlTransport(configuration))
            case .http2:
                var options = NginxServer.Options()
                options.forwards = true
                (nginx, session) = (try await .start(options), try await TestAuthority.transport())
            }
        }

        func request(_ method: HTTPMethod = .post) throws -> HTTPRequest {
            guard let nginx else { return try HTTPRequest(method, server.url("/")) }
            var request = try HTTPRequest(
                method, nginx.url(), headers: ["X-Port": "\(server.port)"])
            request.version = .http2
            return request
        }
    }

    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let message = "0123456789"
    private static let chunk = "a\r\n0123456789\r\n"
    private static let piece = Data(repeating: 1, count: 64 << 10)

    /// Writes until a write fails, and returns its error and the number of bytes before it.
    private static func flood(
        _ writer: HTTPBodyWriter, upTo limit: Int = 1 << 30
    ) async -> (error: HTTPError?, count: Int) {
        var count = 0
        do {
            while count < limit {
                try await writer.write(piece)
                count += piece.count
            }
            return (nil, count)
        } catch {
            return (error as? HTTPError, count)
        }
    }

    // MARK: Conversations

    // nginx forwards no request before the first bytes of its body.
    @Test(
        arguments: Version.available.flatMap {
            $0 == .http1 ? [($0, true), ($0, false)] : [($0, false)]
        })
    func `each message is sent after the reply to the one before`(
        version: Version, headComesFirst: Bool
    ) async throws {
        let rounds = 1000
        var script: LoopbackScript = headComesFirst ? [.send(Self.head)] : []
        for round in 1...rounds {
            script.steps.append(.awaitContent(round * Self.message.utf8.count))
            let isFirst = round == 1 && !headComesFirst
            script.steps.append(.send((isFirst ? Self.head : "") + Self.chunk))
        }
        script.steps += [.awaitContentEnd, .send("0\r\n\r\n")]
        let wire = try await Wire(version, script)
        let replies = try await wire.session.withDuplex(for: wire.request()) { duplex in
            if headComesFirst { #expect(try await duplex.response.status == .ok) }
            try await duplex.writer.write(Self.message)
            var (bytes, sent) = (0, 1)
            for try await piece in try await duplex.response.body {
                bytes += piece.count
                if bytes < sent * Self.message.utf8.count { continue }
                if sent == rounds {
                    try duplex.writer.finish()
                } else {
                    try await duplex.writer.write(Self.message)
                    sent += 1
                }
            }
            return bytes
        }
        #expect(replies == rounds * Self.message.utf8.count)
        #expect(try await wire.server.nextRequest().contentCount == replies)
        if version == .http1 {
            _ = try await wire.session.response(for: wire.request(.get)).text()
            #expect(wire.server.connections.accepted == 1, "the connection was kept")
        }
    }

    @Test(arguments: Version.available)
    func `the server goes on after the body has ended`(version: Version) async throws {
        let wire = try await Wire(
            version,
            [
                .awaitContent(10), .send(Self.head + Self.chunk), .awaitContentEnd,
                .generateChunks(3 << 20), .send("0\r\n\r\n"),
            ])
        let count = try await wire.session.withDuplex(for: wire.request()) { duplex in
            try await duplex.writer.write(Self.message)
            var count = 0
            for try await piece in try await duplex.response.body {
                if count == 0 { try duplex.writer.finish() }
                count += piece.count
            }
            return count
        }
        #expect(count == 10 + (3 << 20))
        #expect(try await wire.server.nextRequest().contentCount == 10)
    }

    @Test func `the body goes on after the response has ended`() async throws {
        let wire = try await Wire(
            .http1,
            [.awaitContent(10), .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly")])
        try await wire.session.withDuplex(for: wire.request()) { duplex in
            try await duplex.writer.write(Self.message)
            #expect(try await duplex.response.text() == "early")
            let flood = await Self.flood(duplex.writer, upTo: 8 << 20)
            #expect(flood.error == nil)
        }
        #expect(try await wire.server.nextRequest().contentCount == 10 + (8 << 20))
    }

    // MARK: Early ends

    @Test(arguments: Version.available, [413, 302, 500])
    func `a refusal ends the writes, and its response can be read`(
        version: Version, status: Int
    ) async throws {
        let wire = try await Wire(
            version,
            [
                .awaitContent(10),
                .send("HTTP/1.1 \(status) x\r\nContent-Length: 2\r\n\r\nno"), .stopReading, .stall,
            ])
        try await wire.session.withDuplex(for: wire.request()) { duplex in
            try await duplex.writer.write(Self.message)
            let (error, _) = await Self.flood(duplex.writer)
            #expect(error?.code == .requestBodyEnded)
            #expect(
                error?.response?.status.code == status || version == .http2,
                "\(String(describing: error))")
            let response = try await duplex.response
            #expect(response.status.code == status)
            #expect(try await response.text() == "no")
        }
    }

    @Test(arguments: [true, false])
    func `a refusal ends the writes before its response is read`(asksFirst: Bool) async throws {
        // Longer than what is received without a reader.
        let length = 4 << 20
        let wire = try await Wire(
            .http1,
            (asksFirst ? [] : [.awaitContent(10)]) + [
                .send("HTTP/1.1 413 x\r\nContent-Length: \(length)\r\n\r\n"),
                .generate(length), .stall,
            ])
        var request = try wire.request()
        if asksFirst { request[ExpectContinue.self] = .seconds(60) }
        try await wire.session.withDuplex(for: request) { duplex in
            let (error, _) = await Self.flood(duplex.writer)
            #expect(error?.code == .requestBodyEnded)
            #expect(error?.response?.status.code == 413, "\(String(describing: error))")
            let response = try await duplex.response
            let count = try await response.data(upTo: length).count
            #expect(count == length)
        }
    }

    @Test func `the error of another exchange is the error of the call at once`() async throws {
        let wire = try await Wire(.http1, [.awaitContentEnd, .respond(.ok("done"))])
        let (_, other) = HTTPBody.makeWritable(length: 1)
        other.fail(CancellationError())
        let request = try wire.request()
        let error = await #expect(throws: HTTPError.self) {
            try await wire.session.withDuplex(for: request) { _ in try await other.write("x") }
        }
        #expect(error?.code == .requestBodyEnded)
    }

    @Test func `a server that closes after its response ends the writes`() async throws {
        let wire = try await Wire(
            .http1,
            [
                .awaitContent(10),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"),
                .close,
            ])
        try await wire.session.withDuplex(for: wire.request()) { duplex in
            try await duplex.writer.write(Self.message)
            #expect(try await duplex.response.text() == "ok")
            #expect(await Self.flood(duplex.writer).error?.code == .requestBodyEnded)
        }
    }

    @Test(arguments: [true, false])
    func `a reset ends the writes with the error of the exchange`(hasHead: Bool) async throws {
        let wire = try await Wire(
            .http1,
            [.awaitContent(10)] + (hasHead ? [.send(Self.head + Self.chunk)] : [])
                + [.awaitContent(100_000), .reset])
        let seen = Locked<HTTPError?>(nil)
        let thrown = await #expect(throws: HTTPError.self) {
            try await wire.session.withDuplex(for: wire.request()) { duplex in
                try await duplex.writer.write(Self.message)
                if hasHead { _ = try await duplex.response }
                let (error, _) = await Self.flood(duplex.writer)
                seen.withLock { $0 = error }
                if let error { throw error }
            }
        }
        let error = seen.withLock { $0 }
        #expect(error?.code == .requestBodyEnded)
        let cause = error?.underlyingError as? HTTPError
        #expect(cause?.code == (hasHead ? .bodyIncomplete : .connectionLost))
        #expect(thrown?.code == (hasHead ? .requestBodyEnded : .connectionLost))
    }

    // MARK: Waits

    @Test(arguments: Version.available)
    func `a server that does not read lets the writer wait, until the idle limit`(
        version: Version
    ) async throws {
        let wire = try await Wire(version, [.awaitContent(1), .stopReading, .stall])
        var request = try wire.request()
        request.timeouts.idle = .seconds(2)
        let count = Locked(0)
        let error = await #expect(throws: HTTPError.self) {
            try await wire.session.withDuplex(for: request) { duplex in
                let flood = await Self.flood(duplex.writer)
                count.withLock { $0 = flood.count }
                if let error = flood.error { throw error }
            }
        }
        #expect(error?.code == .timedOut)
        #expect(count.withLock { $0 } < 64 << 20, "buffers of the system, and 576 KiB")
    }

    @Test(arguments: Version.available)
    func `cancelling the call ends a write that waits`(version: Version) async throws {
        let wire = try await Wire(version, [.awaitContent(1), .stopReading, .stall])
        let request = try wire.request()
        let (session, writers) = (wire.session, Record<HTTPBodyWriter>())
        let call = Task {
            try await session.withDuplex(for: request) { duplex in
                writers.add(duplex.writer)
                while true { try await duplex.writer.write(Self.piece) }
            }
        }
        try await writers.wait(for: 1)
        let writer = writers.entries[0]
        while writer.waitingCount == 0 { await Task.yield() }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        let error = await #expect(throws: HTTPError.self) { try await writer.write("x") }
        #expect(error?.code == .requestBodyEnded)
        await session.close()
    }

    @Test func `closing the transport ends a write that waits`() async throws {
        let wire = try await Wire(.http1, [.awaitContent(1), .stopReading, .stall])
        let request = try wire.request()
        let (session, writers) = (wire.session, Record<HTTPBodyWriter>())
        let call = Task {
            try await session.withDuplex(for: request) { duplex in
                writers.add(duplex.writer)
                while true { try await duplex.writer.write(Self.piece) }
            }
        }
        try await writers.wait(for: 1)
        let writer = writers.entries[0]
        while writer.waitingCount == 0 { await Task.yield() }
        await session.close(grace: .zero)
        let error = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(error?.code == .sessionClosed)
    }

    // MARK: Writers without a scope

    @Test(arguments: Version.available)
    func `a released writer ends the exchange, and the server gets no complete body`(
        version: Version
    ) async throws {
        let wire = try await Wire(version, [.awaitContentEnd, .respond(.ok("complete"))])
        var (body, writer): (HTTPBody, HTTPBodyWriter?) = HTTPBody.makeWritable()
        let request = try wire.request().body(body)
        body = .empty
        let exchange = Task { [session = wire.session] in
            try await session.response(for: request).text()
        }
        try await writer?.write("half")
        writer = nil
        let error = await #expect(throws: HTTPError.self) { try await exchange.value }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.message == "the writer of the body was released before finish()")
    }

    @Test func `a declared length is sent, and trailers follow a body without one`() async throws {
        let wire = try await Wire(.http1, [.awaitContentEnd, .respond(.ok("done"))])
        try await wire.session.withDuplex(for: wire.request(), length: 10) { duplex in
            try await duplex.writer.write("01234")
            try await duplex.writer.write("56789")
            try duplex.writer.finish()
            #expect(try await duplex.response.text() == "done")
        }
        #expect(try await wire.server.nextRequest()["Content-Length"] == "10")
        var request = try wire.request()
        let count = Locked(0)
        request[RequestTrailers.self] = RequestTrailers(["X-Count"]) {
            ["X-Count": "\(count.withLock { $0 })"]
        }
        try await wire.session.withDuplex(for: request) { duplex in
            for _ in 0..<3 {
                try await duplex.writer.write(Self.message)
                count.withLock { $0 += 10 }
            }
        }
        let sent = try await wire.server.nextRequest()
        #expect(sent.contentCount == 30)
        #expect(sent.trailers.map(\.value) == ["30"])
    }
}
