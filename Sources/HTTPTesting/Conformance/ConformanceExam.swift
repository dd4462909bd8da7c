import HTTPCore
import HTTPFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a case works with: the session, servers, and ways to say what was to be.
struct ConformanceExam: Sendable {
    /// What a case found wrong.
    struct Finding: Error {
        let reason: String
    }

    /// What a case needs and this machine does not have.
    struct Unavailable: Error {
        let reason: String
    }

    /// A limit passed before the moment that it was meant for: the machine is slow.
    struct TooSoon: Error {}

    let session: any HTTPSession

    // MARK: Servers

    /// Lends a server that answers "fine" to what nothing is enqueued for.
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

    /// Lends a server whose scripts begin at the head of a request, before its content.
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

    /// What the server received of one request that is answered and read.
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

    /// That the session is as good as before: whatever came before this has left nothing behind.
    func expectFine(_ server: LoopbackServer) async throws {
        let text = try await get(server, "/fine").text()
        try expect(text, is: "fine", "the next answer")
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

    /// The error of `work`, which has to be an `HTTPError` of this code.
    @discardableResult
    func expectError(
        _ code: HTTPError.Code, _ work: () async throws -> Void
    ) async throws -> HTTPError {
        try await expectError([code], work)
    }

    /// - Parameter codes: any of these.
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
        throw Finding(reason: "no error came instead of \(code)")
    }

    /// That `work` is refused with this code, in words that say so, before anything is sent.
    func expectRefusal(
        _ code: HTTPError.Code, by server: LoopbackServer, _ work: () async throws -> Void
    ) async throws {
        let error = try await expectError(code, work)
        try expect(!error.mayHaveReachedServer, "the error says that the server may know of it")
        try await expectFine(server)
        let seen = server.log.compactMap { $0.request?.path }
        try expect(seen, is: ["/fine"], "what the server was asked")
    }

    /// That `work` throws a `CancellationError` and nothing else.
    func expectCancellation(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch is CancellationError {
            return
        } catch {
            throw Finding(
                reason: "\(type(of: error)) was thrown instead of CancellationError: \(error)")
        }
        throw Finding(reason: "no CancellationError came")
    }

    /// That the server saw the client leave its first connection.
    func expectDeparture(_ server: LoopbackServer) async throws {
        try await server.waitUntil { $0.log.first?.ending != nil }
        let ending = server.log.first?.ending
        try expect(
            ending == .clientClosed || ending == .clientReset,
            "the connection ended as \(ending.map { "\($0)" } ?? "nothing")")
    }

    /// Runs `attempt` with a limit of time that doubles for as long as the machine is too slow for it.
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
    /// The first bytes of the pattern, in memory.
    static func pattern(_ count: Int) -> HTTPBody {
        HTTPBody(Data(LoopbackPattern.copy(0..<count)))
    }
}

extension LoopbackPattern {
    /// As ``bytes(_:)``, in large pieces: byte by byte would take seconds in a debug build.
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
    /// That `bytes` are the first `count` of the pattern.
    func expectPattern(_ bytes: [UInt8], _ count: Int) throws(Finding) {
        try expect(bytes.count, is: count, "bytes")
        guard bytes != LoopbackPattern.copy(0..<count) else { return }
        let offset = LoopbackPattern.firstMismatch(in: bytes)
        throw Finding(reason: "the first wrong byte is at \(offset ?? count)")
    }
}

// MARK: - Cases by their answer

extension TransportConformance.Case {
    static let bothDeliveries: [HTTPDelivery] = [.streamed, .buffered(upTo: 8 << 20)]

    /// The server plays `script`, and `check` sees what comes of it, under both kinds of delivery; the
    /// session then goes on.
    static func answer(
        _ family: TransportConformance.Family, _ name: String, method: HTTPMethod = .get,
        headers: HTTPHeaders = [:], to script: LoopbackScript,
        check: @escaping @Sendable (ConformanceExam, HTTPResponse, [UInt8]) throws -> Void
    ) -> Self {
        Self(family, name) { exam in
            for delivery in bothDeliveries {
                try await exam.serve { server in
                    server.enqueue(script)
                    let response = try await exam.send(
                        method, to: server, headers: headers, delivery: delivery)
                    let bytes = try await response.data()
                    try check(exam, response, Array(bytes))
                    try await exam.expectFine(server)
                }
            }
        }
    }

    /// The server plays `script`, which is no answer: an error of this code, under both kinds of
    /// delivery; the session then goes on.
    static func refusal(
        _ family: TransportConformance.Family, _ name: String, _ code: HTTPError.Code,
        of script: LoopbackScript
    ) -> Self {
        Self(family, name) { exam in
            for delivery in bothDeliveries {
                try await exam.serve { server in
                    server.enqueue(script)
                    let error = try await exam.expectError(code) {
                        _ = try await exam.get(server, delivery: delivery).data()
                    }
                    try exam.expect(
                        error.mayHaveReachedServer,
                        "the error says that the server knows nothing of the request")
                    try await exam.expectFine(server)
                }
            }
        }
    }
}
