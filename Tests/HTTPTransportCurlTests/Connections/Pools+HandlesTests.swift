import CHTTPTransportCurl
import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// A handle that stays as it is after a transfer must not carry anything of it into the next one.
@Suite(.timeLimit(.minutes(5))) struct PoolsHandlesTests {
    /// A random exchange: what is asked, how the server answers, and how the reader behaves.
    private struct Step: CustomStringConvertible {
        enum Content: CaseIterable { case none, small, large, stream, expected }
        enum Answer: String, CaseIterable {
            case fine, empty, chunked, coded, notModified, error, closing, broken, reset, tail
        }
        enum Reader: CaseIterable { case whole, pieces, slow, gone, cancelled, discarding }

        var method: String
        var content: Content
        var fields: [String]
        var answer: Answer
        var reader: Reader
        var connectLimit: Bool
        var isRestricted: Bool
        /// Another lane, whose connections end at the same server.
        var isElsewhere: Bool

        init(_ random: inout SeededRandom) {
            content = Content.allCases.randomElement(using: &random) ?? .none
            method =
                content == .none
                ? ["GET", "GET", "GET", "HEAD", "DELETE", "POST", "BREW"].randomElement(
                    using: &random)
                    ?? "GET"
                : ["POST", "PUT", "PATCH", "GET"].randomElement(using: &random) ?? "PUT"
            fields = [
                "Accept", "X-Empty", "Authorization", "Accept-Encoding", "Range", "Content-Type",
            ].filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
            answer =
                Bool.random(using: &random)
                ? .fine : Answer.allCases.randomElement(using: &random) ?? .fine
            reader =
                Bool.random(using: &random)
                ? .whole : Reader.allCases.randomElement(using: &random) ?? .whole
            connectLimit = Bool.random(using: &random)
            isRestricted = Int.random(in: 0..<4, using: &random) == 0
            isElsewhere = Int.random(in: 0..<4, using: &random) == 0
        }

        var description: String { "\(method) \(content) \(fields) \(answer) \(reader)" }

        func request(_ server: LoopbackServer, number: Int) throws -> HTTPRequest {
            var request = try HTTPRequest(
                HTTPMethod(method), server.url("/\(answer.rawValue)?number=\(number)"))
            for name in fields {
                request.headers[HTTPHeaderName(name)] =
                    switch name {
                    case "X-Empty": ""
                    case "Range": "bytes=0-"
                    case "Accept-Encoding": "identity"
                    default: "v\(number)"
                    }
            }
            switch content {
            case .none: break
            case .small: request.body = HTTPBody("small \(number)")
            case .large: request.body = HTTPBody(Data(repeating: 0x61, count: 200_000))
            case .stream:
                request.body = HTTPBody(
                    length: nil,
                    restarting: {
                        AsyncStream { pieces in
                            pieces.yield(Data("piece".utf8))
                            pieces.finish()
                        }
                    })
            case .expected:
                request.body = HTTPBody(Data(repeating: 0x62, count: 70_000))
                request[ExpectContinue.self] = .seconds(5)
            }
            if reader == .whole { request.delivery = .buffered(upTo: 1 << 20) }
            if connectLimit { request.timeouts.connect = .after(.seconds(Double(5 + number % 3))) }
            if isElsewhere {
                request[ConnectTarget.self] = try ConnectTarget("127.0.0.1:\(server.port)")
            }
            if isRestricted {
                var policy = AddressPolicy.any
                policy.ports = [Int(server.port)]
                request[AddressPolicy.self] = policy
            }
            return request
        }

        /// Sends the request and reads the answer. Errors are part of the sequence.
        func run(_ session: CurlTransport, _ request: HTTPRequest) async {
            guard reader != .cancelled else {
                let task = Task { try? await session.response(for: request).data() }
                await Task.yield()
                task.cancel()
                _ = await task.value
                return
            }
            guard let response = try? await session.response(for: request) else { return }
            switch reader {
            case .whole, .cancelled, .pieces: _ = try? await response.data()
            case .slow:
                do {
                    for try await _ in response.body { await Task.yield() }
                } catch {}
            case .gone: break
            case .discarding: await response.discard()
            }
        }
    }

    private static func script(_ request: LoopbackRequest) -> LoopbackScript {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
        let body: LoopbackScript =
            switch Step.Answer(rawValue: String(request.path.dropFirst())) {
            case .empty: [.respond(.status(204))]
            case .chunked: [.send(head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")]
            case .coded: [.send(head + "Content-Encoding: identity\r\nContent-Length: 2\r\n\r\nhi")]
            case .notModified: [.send("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n")]
            case .error: [.respond(.status(503, "later"))]
            case .closing:
                [.send(head + "Connection: close\r\nContent-Length: 2\r\n\r\nhi"), .close]
            case .broken: [.send("HTTP/1.1 200 OK\r\nno field\r\n\r\n"), .close]
            case .reset: [.send(head + "Content-Length: 9\r\n\r\nhalf"), .reset]
            case .tail:
                [.send(head + "Content-Length: 600000\r\n\r\n"), .generate(600_000)]
            case .fine, nil: [.respond(.ok("fine"))]
            }
        return [.continueIfExpected, .awaitContentEnd] + body
    }

    /// Returns what the server saw of the request, without what differs between two servers.
    private static func seen(_ server: LoopbackServer, number: Int) -> String? {
        server.log.last { $0.request?.query("number") == "\(number)" && $0.isRequestComplete }
            .map {
                String(decoding: $0.bytes, as: UTF8.self)
                    .replacing("Host: 127.0.0.1:\(server.port)\r\n", with: "Host\r\n")
            }
    }

    @Test(arguments: 0..<TestCounts.scaled(100))
    func `a request over a handle that was used before is that over a new one`(
        seed: Int
    ) async throws {
        var random = SeededRandom(UInt64(seed))
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        let used = try CurlTransport(configuration)
        let server = try LoopbackServer(script: Self.script)
        let reference = try LoopbackServer(script: Self.script)
        var compared = 0
        for number in 0..<30 {
            let step = Step(&random)
            await step.run(used, try step.request(server, number: number))
            let new = try CurlTransport(configuration)
            await step.run(new, try step.request(reference, number: number))
            await new.close(grace: .zero)
            guard let seen = Self.seen(server, number: number),
                let expected = Self.seen(reference, number: number)
            else { continue }
            #expect(seen == expected, "\(step)")
            compared += 1
        }
        // Some are cancelled before they are sent in full.
        #expect(compared >= 15)
        // What came before does not matter to a plain request.
        let request = try HTTPRequest(.get, server.url("/fine?number=100"))
        let text = try await used.response(for: request).data()
        #expect(text == Data("fine".utf8))
        await used.close(grace: .zero)
    }

    // MARK: Which handle is taken

    private struct Rig {
        let library: CurlLibrary
        var pool: Pools.Handles
        let purpose = CurlEasyHandle.Settings.Purpose(
            method: .get, hasFields: false, isRestricted: false, asksForAuthorities: false,
            series: 0)

        init() throws {
            library = try CurlLibrary.loaded.get()
            pool = Pools.Handles(library)
        }

        func lane(_ host: String) throws -> Lane {
            Lane(
                ConnectionRoute(origin: try HTTPOrigin("http://\(host)/")), limit: 1,
                waitingLimit: 1)
        }

        func warm(_ easy: CurlEasyHandle, _ lane: Lane) throws {
            let headers = try lane.headerList([:], HeaderList.Additions())
            easy.warm(
                CurlEasyHandle.Settings(
                    purpose: purpose, target: "/", maximumAge: 60, connectLimit: 1000,
                    headers: headers))
        }
    }

    private static let keepsHandles =
        (try? CurlLibrary.loaded.get().reusesHandles) ?? false

    @Test(.enabled(if: keepsHandles, "libcurl before 8.1 gets a new handle each time"))
    func `a clean handle is kept as it is for its lane and its purpose`() throws {
        var rig = try Rig()
        let (a, b) = (try rig.lane("a"), try rig.lane("b"))
        let easy = try rig.pool.take(for: a, rig.purpose)
        #expect(!easy.isWarm)
        try rig.warm(easy, a)
        rig.pool.giveBack(easy, of: a, isClean: true)
        let again = try rig.pool.take(for: a, rig.purpose)
        #expect(again === easy && again.isWarm)
        rig.pool.giveBack(again, of: a, isClean: true)
        let other = try rig.pool.take(for: b, rig.purpose)
        #expect(!other.isWarm, "another lane's handle is reset")
    }

    @Test func `a handle for another purpose is reset`() throws {
        let changes: [(inout CurlEasyHandle.Settings.Purpose) -> Void] = [
            { $0.method = .delete }, { $0.hasFields = true }, { $0.isRestricted = true },
            { $0.asksForAuthorities = true },
        ]
        for change in changes {
            var rig = try Rig()
            let lane = try rig.lane("a")
            let easy = try rig.pool.take(for: lane, rig.purpose)
            try rig.warm(easy, lane)
            rig.pool.giveBack(easy, of: lane, isClean: true)
            var other = rig.purpose
            change(&other)
            #expect(!(try rig.pool.take(for: lane, other).isWarm))
        }
    }

    @Test func `an option beyond the settings makes a handle cold`() throws {
        var rig = try Rig()
        let lane = try rig.lane("a")
        let easy = try rig.pool.take(for: lane, rig.purpose)
        try rig.warm(easy, lane)
        easy.set(CHTTP_OPT_FORBID_REUSE, true)
        #expect(!easy.isWarm)
        rig.pool.giveBack(easy, of: lane, isClean: true)
        #expect(!(try rig.pool.take(for: lane, rig.purpose).isWarm))
    }

    @Test func `a handle whose transfer failed is not kept as it is`() throws {
        var rig = try Rig()
        let lane = try rig.lane("a")
        let easy = try rig.pool.take(for: lane, rig.purpose)
        try rig.warm(easy, lane)
        rig.pool.giveBack(easy, of: lane, isClean: false)
        #expect(!(try rig.pool.take(for: lane, rig.purpose).isWarm))
    }

    @Test(.enabled(if: keepsHandles, "libcurl before 8.1 gets a new handle each time"))
    func `the handles of a forgotten lane are freed`() throws {
        var rig = try Rig()
        let lane = try rig.lane("a")
        let easy = try rig.pool.take(for: lane, rig.purpose)
        try rig.warm(easy, lane)
        rig.pool.giveBack(easy, of: lane, isClean: true)
        lane.isForgotten = true
        rig.pool.forget()
        #expect(try rig.pool.take(for: lane, rig.purpose) !== easy)
    }
}
