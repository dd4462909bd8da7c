import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// Bodies of a few bytes that become gigabytes. Their readers decode them, and no other task waits.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CurlTransportCodingBombAttackTests {
    private static let isFull = TestCounts.isFull
    private static let size = 10_000_000_000
    /// The longest delay of others. A machine that runs many tests at a time is late by itself.
    private static let bound = isFull ? Duration.milliseconds(5) : .seconds(20)
    /// The most that the memory of the process may grow, in KiB.
    private static let memoryBound = 64 << 10

    private static func transport(expansion: Int? = nil) throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.maximumExpansion = expansion
        return try CurlTransport(configuration)
    }

    private static func server(_ bomb: CodingBomb) throws -> LoopbackServer {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(bomb.coding)\r\n\r\n"
        return try LoopbackServer { _ in [.send(head), .send(bomb.bytes), .close] }
    }

    /// The memory of the process, in KiB.
    private static func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return Int(line?.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    /// Runs `work`, and returns the longest time of the requests to `url` meanwhile.
    private static func slowest<Result: Sendable>(
        _ url: String, _ session: CurlTransport,
        beside work: @escaping @Sendable () async throws -> Result
    ) async throws -> (slowest: Duration, result: Result) {
        let isOver = Locked(false)
        async let others = {
            var slowest = Duration.zero
            while !isOver.withLock(\.self) {
                let answer = try await take(url, session, deadline: .seconds(20))
                #expect(answer.error == nil)
                slowest = max(slowest, answer.time)
            }
            return slowest
        }()
        let result: Result
        do {
            defer { isOver.withLock { $0 = true } }
            result = try await work()
        }
        return (try await others, result)
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

    @Test func `each bomb is what its coding says`() async throws {
        for bomb in CodingBomb.all(1 << 24) where !bomb.coding.contains(",") {
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(bomb.coding)\r\n\r\n"
            let server = try LoopbackServer { _ in [.send(head), .send(bomb.bytes), .close] }
            let result = try await Self.take(server.url, Self.transport(), deadline: .seconds(60))
            // None of them says that it ends here.
            #expect(result.error?.message.contains("ends before its coding does") == true)
            #expect(abs(result.count - 1 << 24) < 4096, "\(bomb.coding): \(result)")
        }
    }

    /// A way to read a bomb, and the limit that ends it.
    enum Reading: CaseIterable {
        case streamed, buffered, collected

        func error(_ url: String, over limited: CurlTransport) async throws -> HTTPError? {
            var request = try HTTPRequest(.get, url)
            if self == .buffered { request.delivery = .buffered(upTo: 1 << 30) }
            // The default limits, or none but the reader's.
            let session = self == .collected ? try transport() : limited
            do {
                let body = try await session.response(for: request).body
                if self == .collected { _ = try await body.collect(upTo: 24 << 20) }
                for try await _ in body {}
                return nil
            } catch let error as HTTPError { return error }
        }
    }

    @Test(arguments: try CodingBomb.all(size) + [.threefold(size)], Reading.allCases)
    func `a bomb costs its reader what the limits say, and others nothing`(
        bomb: CodingBomb, reading: Reading
    ) async throws {
        let session = CurlTransport()
        let bombs = try Self.server(bomb)
        let served = try LoopbackServer { _ in .ok("fine") }
        _ = try await Self.take(served.url, session, deadline: .seconds(20))
        // The same bytes without a coding, and a task that computes for some time, keep the machine
        // as busy.
        let bytes = bomb.bytes
        let plain = try LoopbackServer { _ in
            LoopbackResponse(content: .bytes(bytes), framing: .untilClose)
        }
        var runs: [Run] = []
        for _ in 0..<(Self.isFull ? 9 : 1) {
            let usual = try await Self.slowest(served.url, session) {
                _ = try await Self.take(plain.url, session, deadline: .seconds(20))
                let end = ContinuousClock.now + .milliseconds(50)
                while ContinuousClock.now < end {}
            }.slowest
            let before = try Self.memory()
            let start = ContinuousClock.now
            let (slowest, error) = try await Self.slowest(served.url, session) {
                try await reading.error(bombs.url, over: session)
            }
            #expect(error?.code == .bodyTooLarge, "\(String(describing: error))")
            runs.append(
                Run(
                    usual: usual, slowest: slowest, time: .now - start,
                    growth: try Self.memory() - before))
        }
        // The system takes a processor away for some milliseconds now and then. Work that holds up
        // others does so in each run.
        let late = max(.zero, Self.median(runs.map(\.slowest)) - Self.median(runs.map(\.usual)))
        let growth = runs.map(\.growth).max() ?? 0
        #expect(late < Self.bound)
        if Self.isFull { #expect(growth < Self.memoryBound) }
        print(
            "FIGURE | 10 GB in \(bomb.bytes.count) bytes (\(bomb.coding), \(reading)): ended after "
                + "\(Self.median(runs.map(\.time))) with \(growth) KiB more at most, others later "
                + "by, in the median of \(runs.count) runs | \(late) | \(Self.bound) | "
                + "\(late < Self.bound ? "pass" : "fail")")
    }

    /// The measurement of one bomb.
    private struct Run {
        /// The longest time of the requests beside the same work without a coding.
        var usual: Duration
        /// The longest time of the requests beside the bomb.
        var slowest: Duration
        /// The time until the bomb's error.
        var time: Duration
        /// The growth of the memory of the process, in KiB.
        var growth: Int
    }

    private static func median(_ times: [Duration]) -> Duration { times.sorted()[times.count / 2] }

    @Test(arguments: CodingBomb.Ratio.allCases, [HTTPDelivery.streamed, .buffered(upTo: 1 << 30)])
    func `what compresses well is no bomb`(
        ratio: CodingBomb.Ratio, delivery: HTTPDelivery
    ) async throws {
        let size = Self.isFull ? 256 << 20 : 64 << 20
        let bytes = try CodingBomb.harmless(size, ratio)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
        let server = try LoopbackServer { _ in [.send(head), .send(bytes), .close] }
        var request = try HTTPRequest(.get, server.url)
        request.delivery = delivery
        var count = 0
        for try await piece in try await CurlTransport().response(for: request).body {
            count += piece.count
        }
        #expect((size...size + 5000).contains(count))
    }

    @Test func `a reader that leaves while a body is decoded leaves nothing behind`() async throws {
        let bytes = try CodingBomb.harmless(16 << 20, .high)
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
        ["gzip, gzip, gzip, gzip"], ["gzip", "gzip", "gzip, gzip"],
        ["x-gzip", "identity", "deflate, BR", "zstd"],
    ])
    func `more than three codings are refused before anything is decoded`(
        fields: [String]
    ) async throws {
        let lines = fields.map { "Content-Encoding: \($0)\r\n" }.joined()
        let server = try LoopbackServer { _ in
            [
                .send("HTTP/1.1 200 OK\r\n\(lines)Content-Length: 1000\r\n\r\n"),
                .send(CodingBomb.stacked(1 << 24).bytes), .stall,
            ]
        }
        let result = try await Self.take(server.url, Self.transport(), deadline: .seconds(20))
        #expect(result.error?.code == .contentDecodingFailed)
        #expect(result.error?.message.contains("no more than 3") == true)
        #expect(result.error?.isRetryable == false)
        #expect(result.count == 0)
    }

    @Test func `a coding of an interim response is none of the final one`() async throws {
        let server = try LoopbackServer { _ in
            [
                .send("HTTP/1.1 103 Early Hints\r\nContent-Encoding: gzip\r\n\r\n"),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"),
            ]
        }
        let result = try await Self.take(server.url, Self.transport(), deadline: .seconds(20))
        #expect(result.error == nil && result.count == 4)
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
