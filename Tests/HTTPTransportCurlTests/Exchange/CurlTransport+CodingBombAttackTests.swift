import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing

@testable import HTTPTransportCurl

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Bodies whose decoding would block the loop, and with it the deadlines of other requests.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CurlTransportCodingBombAttackTests {
    private static let isFull = ProcessInfo.processInfo.environment["HTTP_TEST_COUNTS"] == "full"
    private static let size = 10_000_000_000
    /// The longest delay of a deadline. A machine that runs many tests at a time is late by itself.
    private static let bound = isFull ? Duration.milliseconds(100) : .seconds(20)

    private static func transport() throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.maximumExpansion = nil
        return try CurlTransport(configuration)
    }

    private static func server(_ bomb: CodingBomb) throws -> LoopbackServer {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(bomb.coding)\r\n\r\n"
        return try LoopbackServer { _ in [.send(head), .send(bomb.bytes), .stall] }
    }

    /// Reads a body and returns its error, if any, the time that it took and its count of bytes.
    private static func take(
        _ url: String, _ session: CurlTransport, deadline: Duration
    ) async throws -> (error: HTTPError?, time: Duration, count: Int) {
        let start = ContinuousClock.now
        var count = 0
        do {
            var request = try HTTPRequest(.get, url)
            request = request.deadline(in: deadline)
            for try await piece in try await session.response(for: request).body {
                count += piece.count
            }
            return (nil, .now - start, count)
        } catch let error as HTTPError {
            return (error, .now - start, count)
        }
    }

    @Test func `each bomb is what its coding says, as far as the library decodes it`() async throws
    {
        let library = try CurlLibrary.loaded.get()
        for bomb in CodingBomb.all(1 << 24) where !bomb.coding.contains(",") {
            guard library.acceptEncoding.contains(bomb.coding) else {
                print("SKIPPED: libcurl does not decode \(bomb.coding)")
                continue
            }
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(bomb.coding)\r\n\r\n"
            let server = try LoopbackServer { _ in [.send(head), .send(bomb.bytes), .close] }
            let result = try await Self.take(server.url, Self.transport(), deadline: .seconds(60))
            // Or more than that, where the slice has ended it in the last of its pieces.
            #expect(
                (result.error == nil && abs(result.count - 1 << 24) < 4096)
                    || result.error?.code == .contentDecodingFailed,
                "\(bomb.coding): \(result)")
        }
    }

    @Test(arguments: CodingBomb.all(size))
    func `a bomb ends by its own deadline, and those of others hold`(bomb: CodingBomb) async throws
    {
        let library = try CurlLibrary.loaded.get()
        let codings = bomb.coding.split(separator: ", ")
        guard codings.allSatisfy({ library.acceptEncoding.contains($0) }) else {
            print("SKIPPED: libcurl does not decode \(bomb.coding)")
            return
        }
        let session = try Self.transport()
        let bombs = try Self.server(bomb)
        let silent = try LoopbackServer { _ in [.stall] }
        let served = try LoopbackServer { _ in .ok("fine") }

        async let exploded = Self.take(bombs.url, session, deadline: .seconds(2))
        async let waited = Self.take(silent.url, session, deadline: .seconds(1))
        var slowest = Duration.zero
        for _ in 0..<200 {
            let answer = try await Self.take(served.url, session, deadline: .seconds(20))
            #expect(answer.error == nil)
            slowest = max(slowest, answer.time)
        }
        let (bombed, waiting) = try await (exploded, waited)

        #expect(bombed.error?.code == .contentDecodingFailed, "\(bombed)")
        #expect(bombed.time < .seconds(2) + Self.bound)
        #expect(waiting.error?.code == .timedOut)
        #expect(waiting.time < .seconds(1) + Self.bound)
        #expect(slowest < Self.bound)
        if codings.count > 1 { #expect(bombed.count == 0) }
        let late = max(waiting.time - .seconds(1), slowest)
        print(
            "FIGURE | 10 GB in \(bomb.bytes.count) bytes (\(bomb.coding)): ended after "
                + "\(bombed.time), others late by | \(late) | \(Self.bound) | "
                + "\(late < Self.bound ? "pass" : "fail")")
    }

    /// Newer libraries read ten times before they return. From a fast server, each read fills the
    /// buffer.
    @Test(arguments: CodingBomb.Match.allCases, [HTTPDelivery.streamed, .buffered(upTo: 1 << 30)])
    func `what compresses well is no bomb`(
        match: CodingBomb.Match, delivery: HTTPDelivery
    ) async throws {
        // The buffer for a whole body is copied when it grows, whatever its coding.
        let size = Self.isFull && delivery == .streamed ? 256 << 20 : 64 << 20
        let bytes = CodingBomb.harmless(size, match)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
        let server = try LoopbackServer { _ in [.send(head), .send(bytes), .close] }
        let served = try LoopbackServer { _ in .ok("fine") }
        var request = try HTTPRequest(.get, server.url)
        request.delivery = delivery
        let session = CurlTransport()
        let isOver = Locked(false)
        async let others = {
            var slowest = Duration.zero
            while !isOver.withLock(\.self) {
                let answer = try await Self.take(served.url, session, deadline: .seconds(20))
                slowest = max(slowest, answer.time)
            }
            return slowest
        }()
        defer { isOver.withLock { $0 = true } }
        var count = 0
        for try await piece in try await session.response(for: request).body {
            count += piece.count
        }
        isOver.withLock { $0 = true }
        let late = try await others
        #expect((size...size + 5000).contains(count))
        // It waits for several turns of the loop, each of which decodes a piece.
        let bound = Self.isFull ? Duration.milliseconds(500) : .seconds(20)
        #expect(late < bound)
        print(
            "FIGURE | others beside gzip of \(match.rawValue) to 1, \(delivery), late by | "
                + "\(late) | \(bound) | \(late < bound ? "pass" : "fail")")
    }

    @Test func `a reader that leaves while a body is decoded leaves nothing behind`() async throws {
        let bytes = CodingBomb.harmless(16 << 20, .long)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
        let server = try LoopbackServer { _ in [.send(head), .send(bytes), .close] }
        let session = CurlTransport()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for share in 0..<32 {
                group.addTask {
                    var count = 0
                    for try await piece in try await session.response(for: server.url).body {
                        count += piece.count
                        if count > share << 19 { break }
                    }
                }
            }
            try await group.waitForAll()
        }
        while await session.statistics().total.active > 0 { await Task.yield() }
        await session.close()
        #expect(await session.statistics().openSockets == 0)
    }

    @Test(arguments: [
        ["gzip, gzip"], ["gzip", "gzip"], ["x-gzip", "identity", "deflate"],
        ["gzip,gzip,gzip,gzip"], ["identity, br", "GZIP"], ["gzip, unknown"],
    ])
    func `more than one coding is refused before anything is decoded`(
        fields: [String]
    ) async throws {
        let lines = fields.map { "Content-Encoding: \($0)\r\n" }.joined()
        // Valid once: were it decoded, the error would be another one.
        let server = try LoopbackServer { _ in
            [
                .send("HTTP/1.1 200 OK\r\n\(lines)Content-Length: 1000\r\n\r\n"),
                .send(CodingBomb.stacked(1 << 24).bytes), .stall,
            ]
        }
        let result = try await Self.take(server.url, Self.transport(), deadline: .seconds(20))
        #expect(result.error?.code == .contentDecodingFailed)
        #expect(result.error?.message.contains("no more than one") == true)
        #expect(result.error?.isRetryable == false)
        #expect(result.count == 0)
    }

    @Test func `codings of interim responses count, since the library stacks them`() async throws {
        let server = try LoopbackServer { _ in
            [
                .send("HTTP/1.1 103 Early Hints\r\nContent-Encoding: gzip\r\n\r\n"),
                .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"),
                .send(CodingBomb.stacked(1 << 24).bytes), .stall,
            ]
        }
        let result = try await Self.take(server.url, Self.transport(), deadline: .seconds(20))
        #expect(result.error?.code == .contentDecodingFailed)
    }

    @Test func `a HEAD, and what is not decoded, may name as many codings as they like`()
        async throws
    {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nContent-Length: 2\r\n\r\n"
        let server = try LoopbackServer { request in
            request.method == "HEAD" ? [.send(head)] : [.send(head + "ab")]
        }
        let session = CurlTransport()
        let response = try await session.response(for: HTTPRequest(.head, server.url))
        #expect(response.headers[.contentEncoding] == "gzip, gzip")
        var request = try HTTPRequest(.get, server.url)
        request.headers[.acceptEncoding] = "gzip"
        #expect(try await session.response(for: request).data() == Data("ab".utf8))
    }
}
