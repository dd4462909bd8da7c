import HTTPCore
import HTTPFormats
import PortableFoundation

/// The tools of a case: the session, servers, and expectations.
struct ConformanceExam: Sendable {
    /// A defect that a case has found.
    struct Finding: Error {
        let reason: String
    }

    /// A requirement of a case that this machine does not meet.
    struct Unavailable: Error {
        let reason: String
    }

    /// An error that means that a limit passed too early, because the machine is slow.
    struct TooSoon: Error {}

    let session: any HTTPSession

    // MARK: Servers

    /// Runs `work` with a server that responds "fine" if nothing is enqueued.
    func serve<Result>(
        _ options: LoopbackOptions = LoopbackOptions(),
        _ work: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        try await serve(options, by: { LoopbackResponse.ok("fine").script(answering: $0) }, work)
    }

    func serve<Result>(
        _ options: LoopbackOptions = LoopbackOptions(),
        by script: @escaping @Sendable (LoopbackRequest) -> LoopbackScript,
        _ work: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let server = try LoopbackServer(options, script: script)
        defer { server.stop() }
        return try await work(server)
    }

    /// Runs `work` with a server whose scripts begin at the head of a request, before its content.
    func serveEarly<Result>(
        _ script: LoopbackScript, _ work: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        var options = LoopbackOptions()
        options.waitsForContent = false
        return try await serve(options, by: { $0.path == "/fine" ? Self.fine : script }, work)
    }

    private static let fine: LoopbackScript = [.respond(.ok("fine"))]

    // MARK: Exchanges

    func get(
        _ server: LoopbackServer, _ target: String = "/", delivery: HTTPDelivery = .streamed
    ) async throws -> HTTPResponse {
        try await send(.get, to: server, target, delivery: delivery)
    }

    func send(
        _ method: HTTPMethod, to server: LoopbackServer, _ target: String = "/",
        headers: HTTPHeaders = [:], body: HTTPBody = .empty, delivery: HTTPDelivery = .streamed
    ) async throws -> HTTPResponse {
        var request = try HTTPRequest(method, server.url(target), headers: headers, body: body)
        request.delivery = delivery
        return try await session.response(for: request)
    }

    /// Sends a request, reads the response, and returns the request as the server received it.
    func received(
        _ method: HTTPMethod = .get, _ target: String = "/", headers: HTTPHeaders = [:],
        body: HTTPBody = .empty
    ) async throws -> LoopbackRequest {
        try await serve { server in
            let response = try await send(
                method, to: server, target, headers: headers, body: body)
            _ = try await response.data()
            return try await server.nextRequest()
        }
    }

    /// Checks that the session still works after earlier exchanges.
    func expectFine(_ server: LoopbackServer) async throws {
        let text = try await get(server, "/fine").text()
        try expect(text, is: "fine", "the next response")
    }

    // MARK: Verdicts

    func expect(_ holds: Bool, _ reason: @autoclosure () -> String) throws(Finding) {
        guard holds else { throw Finding(reason: reason()) }
    }

    func expect<Value: Equatable>(
        _ value: Value, is expected: Value, _ subject: String
    ) throws(Finding) {
        guard value == expected else {
            throw Finding(
                reason: "\(subject): \(Self.short(value)) instead of \(Self.short(expected))")
        }
    }

    private static func short(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        let isOptional = mirror.displayStyle == .optional
        let text = isOptional ? mirror.children.first.map { "\($0.value)" } ?? "none" : "\(value)"
        return text.isEmpty
            ? "nothing" : text.count <= 200 ? text : "\(text.prefix(200))… (\(text.count))"
    }

    func some<Value>(_ value: Value?, _ subject: String) throws(Finding) -> Value {
        guard let value else { throw Finding(reason: "\(subject) is missing") }
        return value
    }

    /// Returns the error of `work`, which has to be an `HTTPError` with this code.
    @discardableResult
    func expectError(
        _ code: HTTPError.Code, _ work: () async throws -> Void
    ) async throws -> HTTPError {
        try await expectError([code], work)
    }

    /// - Parameter codes: the codes to accept.
    @discardableResult
    func expectError(
        _ codes: [HTTPError.Code], _ work: () async throws -> Void
    ) async throws -> HTTPError {
        let code = codes.map(\.rawValue).joined(separator: " or ")
        do {
            try await work()
        } catch let error as HTTPError {
            try expect(codes.contains(error.code), "the error's code is not \(code): \(error)")
            return error
        } catch let finding as Finding {
            throw finding
        } catch {
            throw Finding(reason: "\(type(of: error)) was thrown instead of \(code): \(error)")
        }
        throw Finding(reason: "no error was thrown instead of \(code)")
    }

    /// Checks that `work` is refused with this code before anything is sent, and that the error
    /// says so.
    func expectRefusal(
        _ code: HTTPError.Code, by server: LoopbackServer, _ work: () async throws -> Void
    ) async throws {
        let error = try await expectError(code, work)
        try expect(!error.mayHaveReachedServer, "mayHaveReachedServer is true")
        try await expectFine(server)
        let seen = server.log.compactMap { $0.request?.path }
        try expect(seen, is: ["/fine"], "the paths received")
    }

    /// Checks that `work` throws a `CancellationError` and nothing else.
    func expectCancellation(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch is CancellationError {
            return
        } catch {
            throw Finding(
                reason: "\(type(of: error)) was thrown instead of CancellationError: \(error)")
        }
        throw Finding(reason: "no CancellationError was thrown")
    }

    /// Checks that the server sees the client leave its first connection.
    func expectDeparture(_ server: LoopbackServer) async throws {
        try await server.waitUntil { $0.log.first?.ending != nil }
        let ending = server.log.first?.ending
        try expect(
            ending == .clientClosed || ending == .clientReset,
            "the connection ended as \(ending.map { "\($0)" } ?? "nothing")")
    }

    /// Runs `attempt` with a time limit that doubles while the machine is too slow for it.
    func patiently(_ attempt: (Duration) async throws -> Void) async throws {
        var limit = Duration.milliseconds(150)
        while limit < .seconds(5) {
            do {
                return try await attempt(limit)
            } catch is TooSoon {
                limit *= 2
            }
        }
        try await attempt(limit)
    }
}

extension HTTPBody {
    /// Returns a body with the first bytes of the pattern, in memory.
    static func pattern(_ count: Int) -> HTTPBody {
        HTTPBody(Data(LoopbackPattern.copy(0..<count)))
    }
}

extension LoopbackScript {
    /// A head that announces nine bytes, and four of them.
    static let half: Self = [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")]
}

extension LoopbackPattern {
    /// Returns the same as ``bytes(_:)``, copied in large pieces. Byte by byte would take seconds
    /// in a debug build.
    static func copy(_ offsets: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(offsets.count)
        while bytes.count < offsets.count {
            let start = (offsets.lowerBound + bytes.count) % period
            bytes += table[start...].prefix(offsets.count - bytes.count)
        }
        return bytes
    }
}

extension ConformanceExam {
    /// Checks that `bytes` are the first `count` bytes of the pattern.
    func expectPattern(_ bytes: [UInt8], _ count: Int) throws(Finding) {
        try expect(bytes.count, is: count, "bytes")
        guard bytes != LoopbackPattern.copy(0..<count) else { return }
        let offset = LoopbackPattern.firstMismatch(in: bytes)
        throw Finding(reason: "the first wrong byte is at \(offset ?? count)")
    }
}

// MARK: - Cases by their response

extension TransportConformance.Case {
    static let bothDeliveries: [HTTPDelivery] = [.streamed, .buffered(upTo: 8 << 20)]

    /// Returns a case in which the server plays `script` and `check` examines the response, under
    /// both kinds of delivery. The session must work afterwards.
    static func answer(
        _ family: TransportConformance.Family, _ name: String, method: HTTPMethod = .get,
        headers: HTTPHeaders = [:], to script: LoopbackScript,
        check: @escaping @Sendable (ConformanceExam, HTTPResponse, [UInt8]) throws -> Void
    ) -> Self {
        Self(family, name) { exam, server, delivery in
            server.enqueue(script)
            let response = try await exam.send(
                method, to: server, headers: headers, delivery: delivery)
            let bytes = try await response.data()
            try check(exam, response, Array(bytes))
            try await exam.expectFine(server)
        }
    }

    /// Returns a case in which the server plays `script`, which is not a valid response. The
    /// session must throw an error with this code, under both kinds of delivery, and must work
    /// afterwards.
    static func refusal(
        _ family: TransportConformance.Family, _ name: String, _ code: HTTPError.Code,
        of script: LoopbackScript
    ) -> Self {
        Self(family, name) { exam, server, delivery in
            server.enqueue(script)
            let error = try await exam.expectError(code) {
                _ = try await exam.get(server, delivery: delivery).data()
            }
            try exam.expect(error.mayHaveReachedServer, "mayHaveReachedServer is false")
            try await exam.expectFine(server)
        }
    }
}
