import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation
import PortableLibc

/// Very many requests of every kind through one session, in a process of its own. The process must
/// use no more memory at the end than near the beginning. `Scripts/verify` runs it at full count.
///
/// The resident size includes memory that the C library keeps free: as much as for all bodies that
/// were ever read at once, which is a matter of chance. The test disables this for large blocks,
/// and returns the rest to the system before it measures.
@Suite(
    .timeLimit(.minutes(60)),
    .enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"))
struct CurlTransportSoakTests {
    @Test func `a session does not grow with what it has done`() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                alarm(3600)
                OwnProcess.speakAsItsParent()
                OwnProcess.keepNoLargeBlocks()
                do {
                    try await Soak().run()
                } catch {
                    Issue.record(error)
                }
            })
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        let line = try #require(output.split(separator: "\n").first { $0.contains("FIGURE") })
        print(line)
        fflush(nil)
        #expect(line.hasSuffix("| pass"), "\(line)")
    }
}

private struct Soak: Sendable {
    struct Failure: Error { var description: String }

    private enum Kind: Sendable {
        case get, getOverHTTP1, getOverSocket, missing, refused, post, stream, upload, download
        case broken, cancelled

        /// Mostly small ones; of 128, one each of those that move much or open a connection.
        init(of number: Int) {
            switch number % 128 {
            case 0: self = .upload
            case 1: self = .download
            case 2: self = .broken
            case 3, 67: self = .refused
            case let rest where rest % 16 == 4: self = .cancelled
            case let rest where rest % 16 == 5: self = .stream
            default:
                switch number % 5 {
                case 0: self = .get
                case 1: self = .getOverHTTP1
                case 2: self = .getOverSocket
                case 3: self = .missing
                default: self = .post
                }
            }
        }
    }

    private let server: NginxServer
    private let session: CurlTransport
    private let nobody: RefusingPort

    init() async throws {
        server = try await NginxServer.start()
        nobody = try RefusingPort()
        session = try CurlTransport(try await TestAuthority.trusting())
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let isFull = environment["HTTP_TEST_COUNTS"] == "full"
        // With a sanitizer, the memory use is not ours.
        let isSanitized = environment["HTTP_TEST_SANITIZER"] != nil
        let count =
            environment["HTTP_SOAK_COUNT"].flatMap { Int($0) }
            ?? (isFull ? isSanitized ? 100_000 : 1_000_000 : isSanitized ? 1000 : 4000)
        // Few requests do not fill the caches of all that is below: half of them are the beginning.
        let beginning = isFull ? count / 20 : count / 2
        let start = ContinuousClock.now
        try await send(0..<beginning)
        let first = Self.held()
        try await send(beginning..<count)
        let last = Self.held()
        let seconds = (ContinuousClock.now - start) / .seconds(1)

        let statistics = await session.statistics()
        guard statistics.total.active == 0, statistics.total.waiting == 0 else {
            throw Failure(description: "\(statistics.total)")
        }
        await session.close()
        guard CurlTransport.liveHandles == 0 else { throw Failure(description: "handles left") }
        let bound = isFull ? 110 : 200
        let isMet = isSanitized || last * 100 <= first * bound
        print(
            "\nFIGURE | resident size, what is free given back, after \(count) requests of every "
                + "kind, \(Int(Double(count) / seconds)) a second"
                + " | \(last) KiB, after the first \(beginning): \(first) KiB"
                + " | at most \(bound) % of that | \(isMet ? "pass" : "fail")")
        fflush(nil)
    }

    private static func held() -> Int {
        OwnProcess.giveBack()
        return OwnProcess.resident
    }

    /// Sends all of them, 32 at a time. Each task takes the next number when it is ready. With
    /// fixed numbers, some tasks would only cancel, which takes no time, and be ahead by thousands
    /// of requests.
    private func send(_ numbers: Range<Int>) async throws {
        let rest = Numbers(numbers)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    while let number = rest.next() {
                        try await send(number)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func send(_ number: Int) async throws {
        let kind = Kind(of: number)
        switch kind {
        case .get: try await expect("hello", HTTPRequest(.get, server.url()))
        case .getOverHTTP1:
            var request = try HTTPRequest(.get, server.url())
            request.version = .http1_1
            try await expect("hello", request)
        case .getOverSocket:
            let origin = try HTTPOrigin("http://inner.test")
            var request = try HTTPRequest(
                .post, "http://inner.test/", body: HTTPBody(Data(count: number % 1000 + 1)))
            request[UnixSocket.self] = try UnixSocket(server.socketPath, for: origin)
            try await expect("\(number % 1000 + 1)", request)
        case .missing:
            let response = try await session.response(for: server.url("/missing"))
            guard response.status == .notFound else { throw Failure(description: "no 404") }
            await response.discard()
        case .refused:
            do {
                _ = try await session.response(for: nobody.url)
                throw Failure(description: "a refused connection was answered")
            } catch let error as HTTPError where error.code == .cannotConnect {}
        case .post:
            let body = HTTPBody("some text")
            try await expect("9", HTTPRequest(.post, server.url("/up"), body: body))
        case .stream:
            let pieces = AsyncStream<Data> { continuation in
                for _ in 0..<3 { continuation.yield(Data(count: 1000)) }
                continuation.finish()
            }
            try await expect("3000", HTTPRequest(.put, server.url("/up"), body: HTTPBody(pieces)))
        case .upload:
            let body = HTTPBody(Data(count: 200_000))
            try await expect("200000", HTTPRequest(.put, server.url("/up"), body: body))
        case .download:
            let response = try await session.response(for: server.url("/big"))
            var count = 0
            // The body is read in turns piece by piece and as a whole. Once a large block was
            // freed, the C library keeps such blocks, megabytes for each of its arenas. That must
            // happen at the beginning.
            if number / 128 % 2 == 0 {
                for try await piece in response.body { count += piece.count }
            } else {
                count = try await response.data().count
            }
            guard count == 1 << 20 else { throw Failure(description: "\(count) bytes") }
        case .broken:
            for try await _ in try await session.response(for: server.url("/huge")).body { break }
        case .cancelled:
            let task = Task { try await session.response(for: server.url("/big")).data() }
            await Task.yield()
            task.cancel()
            do { _ = try await task.value } catch is CancellationError {}
        }
    }

    private func expect(_ text: String, _ request: HTTPRequest) async throws {
        let answer = try await session.response(for: request).text()
        guard answer == text else { throw Failure(description: "\(answer) instead of \(text)") }
    }
}

private final class Numbers: Sendable {
    private let rest: Locked<Range<Int>>

    init(_ numbers: Range<Int>) { rest = Locked(numbers) }

    func next() -> Int? { rest.withLock { $0.popFirst() } }
}
