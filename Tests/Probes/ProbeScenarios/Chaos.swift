import HTTPCore
import HTTPFormats
import HTTPTesting
import PortableFoundation

extension Probe {
    /// Serves the standard routes behind a relay that delays, cuts, resets and stalls, with another
    /// such relay before `echo`, until standard input ends. Then prints how many POST requests
    /// arrived more than once.
    ///
    /// - Parameter echo: The port of a server of HTTP/2 over TLS that returns each request's body,
    ///   if there is one.
    func chaosServer(seed: UInt64, echo: UInt16?) throws {
        let seen = Locked<[String: Int]>([:])
        let server = try LoopbackServer(script: { request in
            if request.method == "POST", let id = request["X-Request"] {
                seen.withLock { $0[id, default: 0] += 1 }
            }
            return LoopbackRoutes.standard(request)
        })
        let plain = try FaultRelay(to: server.port) { Self.plan(seed, $0) }
        let secure = try echo.map { port in try FaultRelay(to: port) { Self.plan(seed + 1, $0) } }
        print("\(plain.port) \(secure.map { "\($0.port)" } ?? "none")")
        flushOutput()
        while readLine() != nil {}
        plain.stop()
        secure?.stop()
        server.stop()
        print("repeated=\(seen.withLock { $0.values.filter { $0 > 1 }.count })")
    }

    /// Sends requests of every kind to a `chaosServer` at `host` for `seconds`, over a network that
    /// the caller has made lossy, and prints their outcomes. Each request has a deadline.
    func chaos(
        seconds: Int, seed: UInt64, host: String, plain: UInt16, secure: UInt16?
    ) async throws {
        let session = try makeSession()
        let end = ContinuousClock.now + .seconds(seconds)
        let tally = try await withThrowingTaskGroup(of: ChaosTally.self) { group in
            for worker in 0..<32 {
                group.addTask {
                    var random = SeededRandom(seed &+ UInt64(worker))
                    var tally = ChaosTally()
                    while ContinuousClock.now < end {
                        let isSecure = tally.requests % 3 == 0
                        let exchange = ChaosExchange(
                            id: "\(worker)-\(tally.requests)", host: host, plain: plain,
                            secure: isSecure ? secure : nil, choice: random.next())
                        await tally.note(exchange, session)
                    }
                    return tally
                }
            }
            return try await group.reduce(into: ChaosTally()) { $0 += $1 }
        }
        // Waits here for requests that have not ended by themselves.
        await close(session)
        print("requests=\(tally.requests)")
        print("answered=\(tally.answered)")
        print("answered_http2=\(tally.answeredOverHTTP2)")
        print("failed=\(tally.failures.values.reduce(0, +))")
        print("wrong=\(tally.wrong.count)")
        print("first_wrong=\(tally.wrong.first ?? "")")
        print("latest_milliseconds=\(Int(tally.latest / .milliseconds(1)))")
        print("leaked_handles=\(liveHandles())")
        let codes = tally.failures.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        print("codes=\(codes.joined(separator: ", "))")
    }

    /// Returns the plan of `RelayPlan.seeded`, except that one connection of twelve stalls.
    private static func plan(_ seed: UInt64, _ connection: Int) -> RelayPlan {
        var plan = RelayPlan.seeded(seed, connection: connection)
        if connection % 12 == 5 { plan.toClient.end = .init(.stall, after: connection * 37 % 5000) }
        return plan
    }

    /// Cancels requests whose host name is never resolved, and closes the session during another
    /// one, while other requests are answered.
    ///
    /// The machine's resolver is at 127.0.0.1, where a socket receives queries and answers none.
    func blackHole() async throws {
        let resolver = try SilentResolver()
        let server = try LoopbackServer { _ in .ok("here") }
        let session = try makeSession()
        for number in 0..<3 {
            let task = Task {
                try await session.response(
                    for: "http://nobody\(number).example/"  // prose: data
                ).text()
            }
            try await resolver.question()
            guard try await session.response(for: server.url).text() == "here" else {
                throw HTTPError(.internalFailure, "no answer beside a name that is not resolved")
            }
            task.cancel()
            do {
                _ = try await task.value
                print("outcome=answered")
            } catch {
                print("outcome=\(error is CancellationError ? "cancelled" : "\(error)")")
            }
        }
        // One name is still being resolved when the session closes.
        let task = Task { try await session.response(for: "http://last.example/").text() }
        try await resolver.question()
        async let closing: Void = close(session)
        task.cancel()
        _ = await task.result
        await closing
        print("leaked_handles=\(liveHandles())")
    }
}

/// One exchange of the chaos scenario: its request and its expected response.
private struct ChaosExchange: Sendable {
    static let deadline = Duration.seconds(5)

    let id: String
    let host: String
    let plain: UInt16
    let secure: UInt16?
    let choice: UInt64

    private var url: String { "http://\(host):\(plain)" }

    private func request(_ method: HTTPMethod, _ url: String, _ body: HTTPBody = .empty) throws
        -> HTTPRequest
    {
        var request = try HTTPRequest(method, url, body: body)
        try request.headers.set("X-Request", id)
        return request.deadline(in: Self.deadline)
    }

    /// - Returns: Whether the response belongs to this request, and its HTTP version.
    func run(_ session: any HTTPSession) async throws -> (isRight: Bool, version: HTTPVersion?) {
        let size = Int(choice >> 8 % 50_000)
        var request: HTTPRequest
        var expected: Data
        if let secure {
            expected = Data("\(id) \(String(repeating: "x", count: size))".utf8)
            request = try self.request(.post, "https://\(host):\(secure)/", HTTPBody(expected))
            // The server speaks nothing else, and the library may prefer HTTP/1.1 for bodies.
            request.version = .http2
        } else {
            switch choice % 4 {
            case 0:
                expected = Data(LoopbackPattern.bytes(0..<size))
                request = try self.request(.get, "\(url)/bytes/\(size)")
            case 1:
                expected = Data(LoopbackPattern.bytes(0..<200))
                request = try self.request(.get, "\(url)/drip?pieces=20&every=5&size=10")
            case 2:
                expected = Data(id.utf8)
                request = try self.request(.post, "\(url)/echo", HTTPBody(id))
            default:
                expected = Data("\(id) \(String(repeating: "y", count: 4 * size))".utf8)
                request = try self.request(.put, "\(url)/echo", HTTPBody(expected))
            }
        }
        let response = try await session.response(for: request)
        var bytes = Data()
        for try await piece in response.body { bytes += piece }
        return (bytes == expected, response.head.version)
    }
}

private struct ChaosTally: Sendable {
    var requests = 0
    var answered = 0
    var answeredOverHTTP2 = 0
    /// The number of failures for each error code.
    var failures: [String: Int] = [:]
    /// The outcomes that are not promised.
    var wrong: [String] = []
    /// The longest time that an exchange took.
    var latest = Duration.zero

    mutating func note(_ exchange: ChaosExchange, _ session: any HTTPSession) async {
        requests += 1
        let start = ContinuousClock.now
        do {
            let (isRight, version) = try await exchange.run(session)
            answered += 1
            if version == .http2 { answeredOverHTTP2 += 1 }
            if !isRight { wrong.append("\(exchange.id): an answer that is not its own") }
        } catch let error as HTTPError where error.code != .internalFailure {
            failures[error.code.rawValue, default: 0] += 1
        } catch {
            failures["other", default: 0] += 1
            wrong.append("\(exchange.id): \(error)")
        }
        latest = max(latest, ContinuousClock.now - start)
    }

    static func += (tally: inout Self, more: Self) {
        tally.requests += more.requests
        tally.answered += more.answered
        tally.answeredOverHTTP2 += more.answeredOverHTTP2
        tally.failures.merge(more.failures, uniquingKeysWith: +)
        tally.wrong += more.wrong
        tally.latest = max(tally.latest, more.latest)
    }
}
