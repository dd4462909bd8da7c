import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// The frames of an HTTP/2 server about requests that it does not answer.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
struct CurlTransportHTTP2RefusalTests {
    /// The server's action when it has received a request's head.
    enum Act: Sendable, CaseIterable {
        case answer, refuse, goAway, cancel, close, emptyData
        /// Sends nothing yet.
        case wait
        /// Lets the request finish, and then breaks the protocol.
        case goAwayAndBreak

        func frames(_ stream: [UInt8]) -> [UInt8] {
            switch self {
            case .answer: Self.frame(1, flags: 5, stream, [0x88])
            case .refuse: Self.frame(3, stream, [0, 0, 0, 7])
            // No error, and no stream was looked at.
            case .goAway: Self.frame(7, [0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0])
            case .cancel: Self.frame(3, stream, [0, 0, 0, 8])
            case .close, .wait: []
            case .goAwayAndBreak:
                Self.frame(7, [0, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
                    // A window that grows by nothing.
                    + Self.frame(8, stream, [0, 0, 0, 0])
            case .emptyData: Self.frame(1, flags: 4, stream, [0x88])
            }
        }

        static func frame(
            _ type: UInt8, flags: UInt8 = 0, _ stream: [UInt8], _ payload: [UInt8] = []
        ) -> [UInt8] {
            [0, 0, UInt8(payload.count), type, flags] + stream + payload
        }
    }

    /// A server behind TLS that does with each connection's first request what is its turn, and how
    /// many it has seen.
    private final class Server: Sendable {
        private let listener: RawListener
        private let front: TLSFront
        let url: String
        /// Open once a request has come.
        let hasHead = Gate()
        private let heads: Count

        var headCount: Int { heads.number.withLock { $0 } }

        private final class Count: Sendable {
            let number = Locked(0)
        }

        init(_ acts: [Act]) async throws {
            let heads = Count()
            self.heads = heads
            let hasHead = hasHead
            listener = try RawListener { connection in
                // Streams that are answered when their body has come.
                var answers: Set<[UInt8]> = []
                while case let head = connection.read(9), head.count == 9 {
                    if head.starts(with: "PRI * HTT".utf8) {
                        _ = connection.read(24 - 9)
                        connection.write(Act.frame(4, [0, 0, 0, 0]))
                        continue
                    }
                    _ = connection.read(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
                    let hasEnded = head[4] & 1 == 1
                    if head[3] == 0, hasEnded, answers.remove(Array(head[5..<9])) != nil {
                        connection.write(Act.answer.frames(Array(head[5..<9])))
                    }
                    guard head[3] == 1 else { continue }
                    let number = heads.number.withLock { number in
                        number += 1
                        return number - 1
                    }
                    let act = acts[min(number, acts.count - 1)]
                    let stream = Array(head[5..<9])
                    hasHead.open()
                    if act == .answer, !hasEnded {
                        answers.insert(stream)
                        continue
                    }
                    connection.write(act.frames(stream))
                    if act == .close { return }
                    if act == .emptyData {
                        let piece = Act.frame(0, stream)
                        let flood = Array(repeatElement(piece, count: 7000).joined())
                        for _ in 0..<2000 { connection.write(flood) }
                    }
                }
            }
            front = try await TLSFront.start(
                TestAuthority.shared.server, before: listener.port, connections: 64,
                ["-alpn", "h2"])
            url = "https://127.0.0.1:\(front.port)/"
        }
    }

    private static func request(_ method: HTTPMethod, _ server: Server) throws -> HTTPRequest {
        var request = try HTTPRequest(
            method, server.url, body: method == .post ? HTTPBody("once") : .empty)
        request.version = .http2
        return request
    }

    private static func failure(_ method: HTTPMethod, _ acts: [Act]) async throws -> HTTPError {
        let server = try await Server(acts)
        let request = try request(method, server)
        let session = try CurlTransport(try await TestAuthority.trusting())
        return try #require(
            await #expect(throws: HTTPError.self) {
                try await session.response(for: request).data()
            })
    }

    private static func code(
        _ request: HTTPRequest, _ session: CurlTransport
    ) async throws -> HTTPError.Code? {
        do {
            _ = try await session.response(for: request).data()
            return nil
        } catch let error as HTTPError {
            return error.code
        }
    }

    // MARK: RFC 9113 §8.7

    @Test(arguments: [HTTPMethod.get, .post], [Act.refuse, .goAway])
    func `what was refused unprocessed is sent again on a new connection`(
        method: HTTPMethod, refusal: Act
    ) async throws {
        let server = try await Server([refusal, .answer])
        let session = try CurlTransport(try await TestAuthority.trusting())
        let response = try await session.response(for: Self.request(method, server))
        #expect(response.status == .ok)
        _ = try await response.data()
        #expect(server.headCount == 2)
        #expect(response.timeline.exchanges.first?.silentResends == 1)
    }

    @Test(arguments: [HTTPMethod.get, .post], [Act.refuse, .goAway])
    func `what is refused again and again ends at its deadline`(
        method: HTTPMethod, refusal: Act
    ) async throws {
        // A slow machine needs the longer ones to send more than once.
        var heads = 0
        for deadline in [Duration.milliseconds(300), .seconds(3), .seconds(30)] where heads < 2 {
            let server = try await Server([refusal])
            let request = try Self.request(method, server).deadline(in: deadline)
            let session = try CurlTransport(try await TestAuthority.trusting())
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: request).data()
            }
            #expect(error?.code == .timedOut)
            heads = server.headCount
        }
        #expect(heads > 1)
    }

    @Test(arguments: [HTTPMethod.get, .post], [Act.refuse, .goAway])
    func `what is refused is sent again as often as it takes`(
        method: HTTPMethod, refusal: Act
    ) async throws {
        let server = try await Server(Array(repeating: refusal, count: 7) + [.answer])
        let session = try CurlTransport(try await TestAuthority.trusting())
        let response = try await session.response(for: Self.request(method, server))
        #expect(response.status == .ok)
        #expect(server.headCount == 8)
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `what a GOAWAY leaves unprocessed on a kept connection is sent again`(
        method: HTTPMethod
    ) async throws {
        let server = try await Server([.answer, .goAway, .answer])
        let session = try CurlTransport(try await TestAuthority.trusting())
        _ = try await session.response(for: Self.request(.get, server)).data()
        let request = try Self.request(method, server)
        #expect(try await session.response(for: request).status == .ok)
        #expect(server.headCount == 3)
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `a GOAWAY leaves all streams above its last one unprocessed`(
        method: HTTPMethod
    ) async throws {
        let server = try await Server([.wait, .goAway, .answer])
        var configuration = try await TestAuthority.trusting()
        // The server has one connection at a time.
        (configuration.eventLoops, configuration.maximumConnections) = (1, 1)
        let session = try CurlTransport(configuration)
        let request = try Self.request(method, server)
        async let first = session.response(for: request)
        try await server.hasHead.wait()
        #expect(try await session.response(for: request).status == .ok)
        #expect(try await first.status == .ok)
        #expect(server.headCount == 4)
    }

    /// libcurl reports a refusal with the same code as a failure after a GOAWAY that refuses
    /// nothing.
    @Test(arguments: [HTTPMethod.get, .post])
    func `what fails after a GOAWAY that spares it may have been processed`(
        method: HTTPMethod
    ) async throws {
        let server = try await Server([.goAwayAndBreak, .answer])
        let session = try CurlTransport(try await TestAuthority.trusting())
        let request = try Self.request(method, server)
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request).data()
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.mayHaveReachedServer == true)
        #expect(server.headCount == 1)
    }

    private static func differs(_ name: String) -> Bool {
        guard let library = try? CurlLibrary.loaded.get() else { return false }
        return LibcurlDifference.reasons(.refusal, in: library.number)[name] != nil
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `what was reset for another reason may have been processed`(
        method: HTTPMethod
    ) async throws {
        let error = try await Self.failure(method, [.cancel])
        #expect(error.code == .connectionLost)
        #expect(error.mayHaveReachedServer)
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `a connection closed before any head has lost a response, and cut no body`(
        method: HTTPMethod
    ) async throws {
        let error = try await Self.failure(method, [.close])
        #expect(error.code == .connectionLost)
        #expect(error.mayHaveReachedServer)
    }

    // MARK: Floods

    @Test func `a flood of empty frames ends by its deadline, and those of others hold`()
        async throws
    {
        let server = try await Server([.emptyData])
        let session = try CurlTransport(try await TestAuthority.trusting())
        let silent = try LoopbackServer { _ in [.stall] }
        let flooded = try Self.request(.get, server).deadline(in: .seconds(1))
        let waiting = try HTTPRequest(.get, silent.url).deadline(in: .seconds(1))
        let start = ContinuousClock.now
        async let first = Self.code(flooded, session)
        async let second = Self.code(waiting, session)
        let codes = try await (first, second)
        let isFull = ProcessInfo.processInfo.environment["HTTP_TEST_COUNTS"] == "full"
        let bound = isFull ? Duration.milliseconds(100) : .seconds(20)
        let late = .now - start - .seconds(1)
        let endsEarly = Self.differs("a flood of empty frames")
        #expect(codes.0 == (endsEarly ? .connectionLost : .timedOut))
        #expect(codes.1 == .timedOut)
        #expect(late < bound)
        print(
            "FIGURE | deadlines beside a flood of empty DATA frames, late by | "
                + "\(late) | \(bound) | \(late < bound ? "pass" : "fail")")
    }
}
