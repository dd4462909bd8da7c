import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation

/// The same as `CurlTransportLifetimeTests`, but over TLS and HTTP/2, where a body that ends early
/// must leave its connection to the others.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"))
struct CurlTransportTLSLifetimeTests {
    static let versions = [HTTPVersion.http1_1, .http2]
    private static let huge = 16 << 20

    private static func transport(places: Int = 128) async throws -> CurlTransport {
        var configuration = try await TestAuthority.trusting()
        configuration.maximumConnectionsPerOrigin = places
        return try CurlTransport(configuration)
    }

    private static func request(
        _ url: String, _ version: HTTPVersion, _ body: HTTPBody? = nil
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(body == nil ? .get : .post, url, body: body ?? .empty)
        request.version = version
        return request
    }

    /// Expects that no exchange is active and another request succeeds, over HTTP/2 on the same
    /// connection.
    private static func expectRest(
        _ session: CurlTransport, _ server: NginxServer, _ version: HTTPVersion
    ) async throws {
        let text = try await session.response(for: request(server.url(), version)).text()
        #expect(text == "hello")
        let statistics = await session.statistics()
        #expect(statistics.total.active == 0 && statistics.total.waiting == 0)
        if version == .http2 { #expect(statistics.openSockets == 1) }
    }

    private static func count(_ body: HTTPBody) async throws -> Int {
        var count = 0
        for try await piece in body { count += piece.count }
        return count
    }

    @Test(arguments: versions)
    func `a transport may be dropped while a call waits for its head`(
        version: HTTPVersion
    ) async throws {
        let server = try await NginxServer.start()
        let pieces = AsyncStream<Data>.makeStream()
        let task = Task {
            // Its only reference is the call's own.
            try await Self.transport().response(
                for: Self.request(server.url("/up"), version, HTTPBody(pieces.stream))
            ).text()
        }
        pieces.continuation.yield(Data("abc".utf8))
        pieces.continuation.finish()
        #expect(try await task.value == "3")
    }

    @Test(arguments: versions)
    func `a transport may be dropped while a body is still to come`(
        version: HTTPVersion
    ) async throws {
        let server = try await NginxServer.start()
        var session: CurlTransport? = try await Self.transport()
        let response = try #require(
            try await session?.response(for: Self.request(server.url("/huge"), version)))
        session = nil
        #expect(try await Self.count(response.body) == Self.huge)
    }

    @Test(arguments: versions)
    func `close fails what its grace does not wait for`(version: HTTPVersion) async throws {
        let server = try await NginxServer.start()
        let session = try await Self.transport()
        let response = try await session.response(
            for: Self.request(server.url("/huge"), version))
        await session.close(grace: .zero)
        let error = await #expect(throws: HTTPError.self) { try await Self.count(response.body) }
        #expect(error?.code == .sessionClosed)
    }

    enum Leaving: CaseIterable, Sendable { case unread, broken, abandoned, discarded }

    @Test(arguments: versions, Leaving.allCases)
    func `a body that is not read to its end is cut, and its place is free`(
        version: HTTPVersion, leaving: Leaving
    ) async throws {
        let server = try await NginxServer.start()
        let session = try await Self.transport(places: 1)
        let ends = AsyncStream<HTTPBodyEnd>.makeStream()
        for _ in 0..<20 {
            try await leave(session, server, version, leaving, ends.continuation)
            for await end in ends.stream {
                if case .abandoned = end { break }
                Issue.record("ended as \(end)")
                break
            }
            try await Self.expectRest(session, server, version)
        }
    }

    /// Leaves a body while it has the only reference to the response.
    private func leave(
        _ session: CurlTransport, _ server: NginxServer, _ version: HTTPVersion,
        _ leaving: Leaving, _ ends: AsyncStream<HTTPBodyEnd>.Continuation
    ) async throws {
        let response = try await session.response(
            for: Self.request(server.url("/huge"), version))
        response.body.whenEnded { ends.yield($0) }
        switch leaving {
        case .unread: break
        case .broken: for try await _ in response.body { break }
        case .abandoned: response.body.abandon()
        case .discarded: await response.discard()
        }
    }

    @Test(arguments: versions)
    func `a reader that stops does not delay the others, and then gets everything`(
        version: HTTPVersion
    ) async throws {
        let server = try await NginxServer.start()
        let session = try await Self.transport()
        // Several that stand still, and one that is read beside them.
        var stopped: [HTTPResponse] = []
        for _ in 0..<4 {
            stopped.append(
                try await session.response(for: Self.request(server.url("/huge"), version)))
        }
        for _ in 0..<10 {
            let response = try await session.response(
                for: Self.request(server.url("/big"), version))
            #expect(try await Self.count(response.body) == 1 << 20)
        }
        for response in stopped { #expect(try await Self.count(response.body) == Self.huge) }
        try await Self.expectRest(session, server, version)
    }

    @Test(arguments: versions, [0, 10, 500_000])
    func `a producer that throws fails its request alone`(
        version: HTTPVersion, count: Int
    ) async throws {
        let server = try await NginxServer.start()
        let session = try await Self.transport()
        try await Self.expectRest(session, server, version)
        for length in [nil, Int64(1_000_000)] {
            let producer = CurlTransportUploadTests.Producer(count, fails: true)
            let request = try Self.request(
                server.url("/up"), version, HTTPBody(source: producer, length: length))
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: request)
            }
            #expect(error?.code == .requestBodyFailed)
            #expect(error?.underlyingError is CurlTransportUploadTests.Producer.Failure)
            try await Self.expectRest(session, server, version)
        }
        if version == .http2 { #expect(Set(try server.log().map(\.connection)).count == 1) }
    }
}
