import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// Servers that take few streams at a time, and refuse the others (RFC 9113 §5.1.2).
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
struct CurlTransportStreamLimitTests {
    typealias Frame = FrameServer.Frame

    private struct Counts {
        var processed = 0
        var refused = 0
    }

    private final class Record: Sendable {
        let counts = Locked(Counts())
    }

    /// Takes so many streams of a connection at a time, and answers them together once that many
    /// have come, or nothing more comes. Announces the limit when `announces` says so.
    private static func server(
        _ limit: Int, _ record: Record, refusing error: UInt32 = 7
    ) async throws -> FrameServer {
        try await FrameServer(settings: .settings(maximumStreams: UInt32(limit))) { connection in
            var open: Set<UInt32> = []
            while let frame = connection.next() {
                if frame.kind == .headers {
                    guard open.count < limit else {
                        record.counts.withLock { $0.refused += 1 }
                        connection.send(.reset(frame.stream, error))
                        continue
                    }
                    open.insert(frame.stream)
                    // What follows has been sent without knowledge of the answer.
                    connection.send(.ping)
                }
                if frame.kind == .ping, frame.flags & Frame.acknowledgement != 0 {
                    for stream in open {
                        record.counts.withLock { $0.processed += 1 }
                        connection.send(.ok(stream, length: 0, ends: true))
                    }
                    open = []
                }
            }
        }
    }

    @Test(arguments: [1, 2, 10, 32], [HTTPMethod.get, .post])
    func `all of many requests at once are answered, and processed once`(
        limit: Int, method: HTTPMethod
    ) async throws {
        let record = Record()
        let server = try await Self.server(limit, record)
        let session = try await TestAuthority.transport()
        var request = try HTTPRequest(
            method, server.url, body: method == .post ? HTTPBody("x") : .empty)
        request.version = .http2
        request.timeouts.total = .after(.seconds(120))
        let count = (TestCounts.isFull ? 400 : 60)
        let statuses = try await withThrowingTaskGroup(of: HTTPStatus.self) { [request] group in
            for _ in 0..<count {
                group.addTask { try await session.response(for: request).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count == count && statuses.allSatisfy { $0 == .ok })
        #expect(record.counts.withLock { $0.processed } == count)
    }

    /// A second request on a connection waits for the settings, so that it is not refused.
    @Test func `no request is refused that waits for the server's settings`() async throws {
        let record = Record()
        let server = try await Self.server(1, record)
        let session = try await TestAuthority.transport()
        var request = try HTTPRequest(.get, server.url)
        request.version = .http2
        try await withThrowingTaskGroup(of: Void.self) { [request] group in
            for _ in 0..<30 {
                group.addTask { _ = try await session.response(for: request) }
            }
            try await group.waitForAll()
        }
        #expect(record.counts.withLock { $0.refused } == 0)
    }

    @Test func `requests share a connection whose settings come late or never`() async throws {
        for isLate in [true, false] {
            let release = Gate()
            let server = try await FrameServer(settings: nil) { connection in
                var streams: Set<UInt32> = []
                guard let first = connection.nextRequest() else { return }
                streams.insert(first)
                release.open()
                if isLate { connection.send(.settings()) }
                while streams.count < 3, let next = connection.nextRequest() {
                    streams.insert(next)
                }
                if !isLate { connection.send(.settings()) }
                for stream in streams { connection.send(.ok(stream, length: 0, ends: true)) }
                connection.drain()
            }
            let session = try await TestAuthority.transport()
            var asking = try HTTPRequest(.get, server.url)
            asking.version = .http2
            let request = asking
            async let first = session.response(for: request).status
            try await release.wait()
            async let second = session.response(for: request).status
            async let third = session.response(for: request).status
            #expect(try await [first, second, third] == [.ok, .ok, .ok])
            #expect(server.connectionCount == 1)
        }
    }

    @Test func `what is refused again and again waits longer and longer, up to a second`() {
        var starts = FreshStarts()
        #expect(starts.rest == nil)
        var rests: [Int64?] = []
        for _ in 1...14 {
            _ = starts.begin(.refused)
            rests.append(starts.rest)
        }
        let milliseconds = rests.map { $0.map { $0 / 1_000_000 } }
        #expect(
            milliseconds == [nil, nil, nil, 10, 20, 40, 80, 160, 320, 640, 1000, 1000, 1000, 1000])
    }
}
