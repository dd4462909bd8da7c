import CHTTPTransportCurl
import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// The bytes that a server may send over HTTP/2 to a reader that does not read (RFC 9113 §5.2).
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
struct CurlTransportStreamWindowTests {
    typealias Frame = FrameServer.Frame

    /// Counts what the client lets a server send.
    private struct Credit {
        var initial = 65_535
        var connection = 65_535
        var streams: [UInt32: Int] = [:]

        func left(_ stream: UInt32) -> Int {
            min(connection, initial + streams[stream, default: 0])
        }

        mutating func receive(_ frame: Frame) {
            func number(_ start: Int) -> Int {
                frame.payload[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            }
            switch frame.kind {
            case .settings where frame.flags & Frame.acknowledgement == 0:
                for start in stride(from: 0, to: frame.payload.count, by: 6)
                where frame.payload[start + 1] == 4 {
                    initial = number(start + 2)
                }
            case .windowUpdate where frame.stream == 0: connection += number(0)
            case .windowUpdate: streams[frame.stream, default: 0] += number(0)
            default: break
            }
        }

        mutating func send(_ count: Int, on stream: UInt32) {
            connection -= count
            streams[stream, default: 0] -= count
        }
    }

    private static let piece = String(repeating: "x", count: 16 << 10)

    /// Sends as much of an endless response as the client takes, up to `limit` bytes on each
    /// stream. Returns the bytes that were sent on each once nothing more is taken: libcurl may not
    /// even respond to a ping then. The client takes `sure` bytes on each in any case.
    private static func fill(
        _ connection: FrameServer.Connection, _ streams: [UInt32], _ credit: inout Credit,
        limit: Int, sure: Int = 0
    ) -> [Int] {
        var sent = [Int](repeating: 0, count: streams.count)
        var quiet = 0
        while quiet < 3 {
            quiet += 1
            // What a reader takes at once always comes. Beyond that, nothing may.
            func isSure() -> Bool { sent.contains { $0 < min(limit, sure) } }
            // The streams take turns, so that each gets what its reader takes.
            var hasSent = true
            while hasSent {
                hasSent = false
                for (index, stream) in streams.enumerated()
                where sent[index] < limit && credit.left(stream) >= piece.utf8.count {
                    guard connection.isWritable(within: isSure() ? -1 : 500) else { return sent }
                    connection.send(.data(stream, piece))
                    credit.send(piece.utf8.count, on: stream)
                    sent[index] += piece.utf8.count
                    (hasSent, quiet) = (true, 0)
                }
            }
            if sent.allSatisfy({ $0 >= limit }) { break }
            if isSure() { quiet = 0 }
            connection.limitWaits(milliseconds: isSure() ? 0 : 500)
            exchangePings(connection, &credit)
        }
        return sent
    }

    /// Returns when the client has handled everything that was sent.
    private static func exchangePings(
        _ connection: FrameServer.Connection, _ credit: inout Credit
    ) {
        connection.send(.ping)
        while let frame = connection.next() {
            credit.receive(frame)
            if frame.kind == .ping, frame.flags & Frame.acknowledgement != 0 { break }
        }
    }

    /// Reads requests until there are `count`.
    private static func requests(
        _ connection: FrameServer.Connection, _ count: Int, _ credit: inout Credit
    ) -> [UInt32] {
        var streams: [UInt32] = []
        while streams.count < count, let frame = connection.next() {
            credit.receive(frame)
            if frame.kind == .headers { streams.append(frame.stream) }
        }
        return streams
    }

    private static func request(_ server: FrameServer) throws -> HTTPRequest {
        var request = try HTTPRequest(.get, server.url)
        request.version = .http2
        request.timeouts.idle = .after(.seconds(120))
        return request
    }

    @Test(arguments: [1, 8]) func `a reader that does not read costs little more than its window`(
        count: Int
    ) async throws {
        let measured = Waiter<[Int]>()
        let server = try await FrameServer { connection in
            var credit = Credit()
            let streams = Self.requests(connection, count, &credit)
            guard streams.count == count else { return }
            for stream in streams { connection.send(.ok(stream)) }
            let sent = Self.fill(
                connection, streams, &credit, limit: 64 << 20,
                sure: CurlConfiguration().highWater)
            measured.resume(with: .success(sent))
            connection.drain()
        }
        let session = try await TestAuthority.transport()
        let request = try Self.request(server)
        try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            for _ in 0..<count { group.addTask { try await session.response(for: request) } }
            var responses: [HTTPResponse] = []
            for try await response in group { responses.append(response) }
            let sent = try await measured.value()
            // The bytes that wait for the reader, those in the window, and what TLS holds.
            let highWater = CurlConfiguration().highWater
            let window = StreamWindow.narrow + (chttp_limits_updates() == 1 ? 0 : 10 << 20)
            for bytes in sent { #expect(bytes <= window + 2 * highWater) }
            #expect(sent.allSatisfy { $0 >= highWater }, "the reader gets what it can take")
            withExtendedLifetime(responses) {}
        }
    }

    @Test func `a reader that keeps up gets a wide window, and no more when it stops`()
        async throws
    {
        let total = 24 << 20
        let measured = Waiter<(open: Int, stopped: Int)>()
        let server = try await FrameServer { connection in
            var credit = Credit()
            guard let stream = Self.requests(connection, 1, &credit).first else { return }
            connection.send(.ok(stream))
            let sent = Self.fill(connection, [stream], &credit, limit: total, sure: total)
            guard sent == [total] else { return }
            // The reader takes the rest meanwhile.
            for _ in 0..<10_000 where credit.left(stream) <= StreamWindow.narrow {
                Self.exchangePings(connection, &credit)
            }
            let open = credit.left(stream)
            let stopped = Self.fill(connection, [stream], &credit, limit: 64 << 20)[0]
            measured.resume(with: .success((open, stopped)))
            connection.drain()
        }
        let session = try await TestAuthority.transport()
        let response = try await session.response(for: try Self.request(server))
        var count = 0
        var iterator = response.body.makeAsyncIterator()
        while count < total, let piece = try await iterator.next() { count += piece.count }
        let (open, stopped) = try await measured.value()
        #expect(open > StreamWindow.narrow)
        #expect(stopped <= max(open, StreamWindow.wide) + 2 * CurlConfiguration().highWater)
    }
}
