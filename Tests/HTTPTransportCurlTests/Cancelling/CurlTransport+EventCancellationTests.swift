import HTTPCore
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation

/// Cancellation from within each event of a transfer, over TLS with HTTP/1.1 and HTTP/2. Whatever
/// the loop is doing at that moment, the task ends, nothing of the exchange is left, and the next
/// request succeeds. `CurlTransportCancellationTests` covers the moments that a server decides.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"))
struct CurlTransportEventCancellationTests {
    static let versions = [HTTPVersion.http1_1, .http2]

    /// A task to be cancelled from elsewhere, once it is known there.
    private final class Target: Sendable {
        private let task = Locked<Task<Int, any Error>?>(nil)
        private let isKnown = Gate()

        /// Starts `body`, which can cancel itself by ``cancel()`` from its beginning.
        func start(_ body: @escaping @Sendable () async throws -> Int) -> Task<Int, any Error> {
            let task = Task { [isKnown] in
                try await isKnown.wait()
                return try await body()
            }
            self.task.withLock { $0 = task }
            isKnown.open()
            return task
        }

        func cancel() { task.withLock { $0 }?.cancel() }
    }

    /// Cancels at one kind of event, on the thread that reports it: mostly the loop's own.
    private struct CancellingObserver: HTTPObserver {
        let moment: Moment
        let target: Target
        let wasReached = Gate()

        func observe(_ event: HTTPEvent) {
            guard moment.isReached(by: event.kind) else { return }
            wasReached.open()
            target.cancel()
        }
    }

    enum Moment: CaseIterable, Sendable {
        case queued, sending, sent, head, ended

        func isReached(by event: HTTPEvent.Kind) -> Bool {
            switch (self, event) {
            case (.queued, .queued), (.sending, .sending), (.sent, .sent), (.head, .head),
                (.ended, .ended):
                true
            default: false
            }
        }
    }

    /// A session that trusts the test's authority, and what it is asked.
    private struct Client: Sendable {
        let session: CurlTransport
        let version: HTTPVersion
        let server: NginxServer

        init(_ version: HTTPVersion, _ server: NginxServer, connections: Int? = nil) async throws {
            var configuration = try await TestAuthority.trusting()
            if let connections { configuration.maximumConnectionsPerOrigin = connections }
            session = try CurlTransport(configuration)
            (self.version, self.server) = (version, server)
        }

        func request(
            _ target: String, _ body: HTTPBody? = nil, port: UInt16? = nil
        ) throws -> HTTPRequest {
            let url = port.map { "https://127.0.0.1:\($0)\(target)" } ?? server.url(target)
            var request = try HTTPRequest(body == nil ? .get : .post, url, body: body ?? .empty)
            request.version = version
            return request
        }

        /// Reads the whole body in pieces. `then` receives the number of pieces so far.
        func read(
            _ request: HTTPRequest, _ then: @Sendable (Int) -> Void = { _ in }
        ) async throws -> Int {
            let response = try await session.response(for: request)
            var count = 0
            var pieces = 0
            for try await piece in response.body {
                count += piece.count
                pieces += 1
                then(pieces)
            }
            return count
        }

        /// Expects that no exchange is active or waits, and that another request succeeds.
        func expectRest(_ when: String) async throws {
            #expect(try await read(request("/")) == 5, "\(when)")
            let total = await session.statistics().total
            #expect(total.active == 0 && total.waiting == 0, "\(when)")
        }
    }

    /// - Returns: whether it was cancelled in time.
    @discardableResult
    private func expectCancelledOrWhole(
        _ task: Task<Int, any Error>, whole: Int, _ when: String
    ) async -> Bool {
        switch await task.result {
        case .success(let count):
            #expect(count == whole, "\(when)")
            return false
        case .failure(let error):
            #expect(error is CancellationError, "\(when): \(error)")
            return true
        }
    }

    @Test(arguments: versions, [false, true])
    func `at each event that an observer sees`(version: HTTPVersion, isWarm: Bool) async throws {
        let server = try await NginxServer.start()
        for moment in Moment.allCases {
            for target in ["/", "/big", "/up"] {
                let client = try await Client(version, server)
                if isWarm { try await client.expectRest("before") }
                let when = "\(moment) of \(target)"
                let cancelled = Target()
                let observer = CancellingObserver(moment: moment, target: cancelled)
                let body = target == "/up" ? HTTPBody(Data(count: 100_000)) : nil
                let request = try client.request(target, body).beginningCall(observer: observer)
                let task = cancelled.start { try await client.read(request) }
                let whole = ["/": 5, "/big": 1 << 20, "/up": 6][target] ?? 0
                let wasInTime = await expectCancelledOrWhole(task, whole: whole, when)
                #expect(observer.wasReached.isOpen, "\(when)")
                // All else of a short exchange may happen in one turn of the loop.
                #expect(wasInTime || moment != .queued, "\(when)")
                try await client.expectRest(when)
            }
        }
    }

    /// The others wait only for the server's settings over HTTP/2.
    @Test(arguments: versions.filter { $0 == .http1_1 })
    func `while it waits for its turn`(version: HTTPVersion) async throws {
        let server = try await NginxServer.start()
        let client = try await Client(version, server, connections: 1)
        // The response follows the whole request. Until then, the version of the origin is unknown,
        // and the other requests wait.
        let rest = Gate()
        let first = Task { try await client.read(client.request("/up", GatedPieces.body(rest))) }
        try await waitUntil(client) { $0.active == 1 }
        let second = Task { try await client.read(client.request("/")) }
        let third = Task { try await client.read(client.request("/")) }
        try await waitUntil(client) { $0.waiting == 2 }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        rest.open()
        #expect(try await first.value == 1)
        #expect(try await third.value == 5)
        try await client.expectRest("after its turn")
        #expect(try server.log().map(\.path).prefix(2) == ["/up", "/"])
    }

    @Test(arguments: versions)
    func `while it connects`(version: HTTPVersion) async throws {
        let server = try await NginxServer.start()
        let client = try await Client(version, server)
        let full = try FullListener()
        defer { full.close() }
        let task = Task { try await client.read(client.request("/", port: full.port)) }
        while await client.session.statistics().openSockets == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await client.expectRest("connecting")
    }

    @Test(arguments: versions)
    func `while TLS is agreed on`(version: HTTPVersion) async throws {
        let server = try await NginxServer.start()
        let client = try await Client(version, server)
        let (hello, closed) = (Gate(), Gate())
        let silent = try RawListener { connection in
            _ = connection.read(1)
            hello.open()
            while !connection.read(upTo: 4096).isEmpty {}
            closed.open()
        }
        let task = Task { try await client.read(client.request("/", port: silent.port)) }
        try await hello.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await closed.wait()
        try await client.expectRest("securing")
    }

    @Test(arguments: versions)
    func `at each piece of the response`(version: HTTPVersion) async throws {
        let server = try await NginxServer.start()
        let client = try await Client(version, server)
        for last in 1... {
            let cancelled = Target()
            let task = cancelled.start {
                try await client.read(client.request("/big")) { pieces in
                    if pieces == last { cancelled.cancel() }
                }
            }
            let when = "piece \(last)"
            let wasInTime = await expectCancelledOrWhole(task, whole: 1 << 20, when)
            try await client.expectRest(when)
            // Fewer pieces than that, or the end came with the last of them.
            if !wasInTime { break }
        }
        if version == .http2 { #expect(Set(try server.log().map(\.connection)).count == 1) }
    }

    @Test(arguments: versions)
    func `at each piece of the request`(version: HTTPVersion) async throws {
        let server = try await NginxServer.start()
        let client = try await Client(version, server)
        let count = 8
        for last in 1...count {
            let cancelled = Target()
            let body = HTTPBody(length: nil) {
                CountedPieces(count) { if $0 == last { cancelled.cancel() } }
            }
            let task = cancelled.start { try await client.read(client.request("/up", body)) }
            let when = "piece \(last) of the request"
            #expect(await expectCancelledOrWhole(task, whole: 0, when), "\(when)")
            try await client.expectRest(when)
        }
    }

    @Test(arguments: versions)
    func `while all of the request is sent but its end`(version: HTTPVersion) async throws {
        let server = try await NginxServer.start()
        let client = try await Client(version, server)
        let (never, quiet) = (Gate(), Gate())
        let task = Task {
            try await client.read(
                client.request("/up", GatedPieces.body(never, isWaiting: quiet)))
        }
        try await quiet.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await client.expectRest("the request's end")
    }

    @Test(arguments: versions)
    func `when it is over it changes nothing`(version: HTTPVersion) async throws {
        let server = try await NginxServer.start()
        let client = try await Client(version, server)
        let (isRead, never) = (Gate(), Gate())
        let task = Task {
            let count = try await client.read(client.request("/big"))
            isRead.open()
            try? await never.wait()  // until it is cancelled
            return count
        }
        try await isRead.wait()
        task.cancel()
        #expect(try await task.value == 1 << 20)
        try await client.expectRest("the end")
        #expect(Set(try server.log().map(\.connection)).count == 1)
    }

    @Test(arguments: versions, [false, true])
    func `while the session is torn down`(version: HTTPVersion, closes: Bool) async throws {
        let server = try await NginxServer.start()
        for _ in 0..<5 {
            var client: Client? = try await Client(version, server)
            let tasks = try (0..<20).map { number in
                let client = try #require(client)
                return Task {
                    try await client.read(client.request(number % 2 == 0 ? "/big" : "/"))
                }
            }
            if let session = client?.session, closes {
                async let closing: Void = session.close(grace: .zero)
                for task in tasks { task.cancel() }
                await closing
            } else {
                client = nil
                for task in tasks { task.cancel() }
            }
            for task in tasks {
                guard case .failure(let error) = await task.result else { continue }
                let isClosed = (error as? HTTPError)?.code == .sessionClosed
                #expect(error is CancellationError || (closes && isClosed), "\(error)")
            }
        }
    }

    private func waitUntil(
        _ client: Client, _ holds: (CurlStatistics.Counts) -> Bool
    ) async throws {
        while await !holds(client.session.statistics().total) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}

/// A sequence of one byte that ends when a gate is open.
private struct GatedPieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let end: Gate
    let isWaiting: Gate?
    private var hasBegun = false

    static func body(_ end: Gate, isWaiting: Gate? = nil) -> HTTPBody {
        HTTPBody(length: nil) { GatedPieces(end: end, isWaiting: isWaiting) }
    }

    private init(end: Gate, isWaiting: Gate?) { (self.end, self.isWaiting) = (end, isWaiting) }

    mutating func next() async throws -> Data? {
        guard hasBegun else {
            hasBegun = true
            return Data(count: 1)
        }
        isWaiting?.open()
        try await end.wait()
        return nil
    }

    func makeAsyncIterator() -> GatedPieces { self }
}

/// A sequence of a number of 64 KiB pieces, each announced.
private struct CountedPieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private var left: Int
    private let count: Int
    private let announce: @Sendable (Int) -> Void

    init(_ count: Int, _ announce: @escaping @Sendable (Int) -> Void) {
        (left, self.count, self.announce) = (count, count, announce)
    }

    mutating func next() async throws -> Data? {
        guard left > 0 else { return nil }
        left -= 1
        announce(count - left)
        return Data(count: 64 << 10)
    }

    func makeAsyncIterator() -> CountedPieces { self }
}
