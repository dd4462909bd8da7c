import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct ClosureValidatorTests {
    // MARK: Closures

    @Test(.rows("S1-36", "S3-10"))
    func `next leaves the response as it is`() async throws {
        let response = try await MockSession.answering(.accepted, "text").validated(
            by: ClosureValidator { _, _ in .next })
        #expect(response.status == .accepted)
        #expect(try await response.text() == "text")
    }

    @Test(.rows("S3-10"))
    func `invalid is a failure with the reason, head and body`() async throws {
        let error = try await failure {
            try await MockSession.answering(.ok, "text").validated(
                by: ClosureValidator(bodyLimit: 100) { response, _ in
                    try await response.text() == "text" ? .invalid("no text, please") : .next
                })
        }
        #expect(error.code == .validationFailed)
        #expect(error.message == "no text, please")
        #expect(error.response?.status == .ok)
        #expect(error.bodyPrefix == Data("text".utf8))
    }

    @Test(.rows("S3-10"))
    func `a failure passes without being judged`() async throws {
        let mock = MockSession { _ in throw HTTPError(.cannotConnect, "refused") }
        let error = try await failure {
            try await mock.validated(by: ClosureValidator { _, _ in .invalid("judged") })
        }
        #expect(error.code == .cannotConnect)
    }

    @Test func `a closure that reads is not asked about a stream, one that does not is`()
        async throws
    {
        let pieces = Pieces("a", "b")
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody(source: pieces), to: $0) }
        let response = try await mock.validated(
            by: ClosureValidator(bodyLimit: 100) { _, _ in .invalid("read") },
            ClosureValidator { response, _ in
                response.status == .ok ? .next : .invalid("by its head")
            }
        ) { $0 = $0.validatedByHead() }
        #expect(try await response.text() == "ab")
    }

    // MARK: Reading without a limit

    /// The ways to look at a body.
    private static let readings:
        [(name: String, read: @Sendable (HTTPResponse) async throws -> Void)] = [
            ("bytes", { _ = $0.body.bytes }),
            ("data", { _ = try await $0.data() }),
            ("text", { _ = try await $0.text() }),
            ("json", { _ = try await $0.json(Int.self) }),
            ("collect", { _ = try await $0.body.collect(upTo: 9) }),
            ("pieces", { for try await _ in $0.body {} }),
            ("lines", { for try await _ in $0.lines() {} }),
            ("descriptor", { _ = try await $0.body.write(toDescriptor: -1) }),
            (
                "twice",
                { response in
                    _ = try? await response.data()
                    _ = try await response.data()
                }
            ),
        ]

    /// A validator that reads, with or without looking at the errors of that.
    private static func reading(
        _ name: String, swallows: Bool, verdict: HTTPVerdict
    ) -> ClosureValidator {
        ClosureValidator { response, _ in
            guard let reading = readings.first(where: { $0.name == name }) else { throw NoError() }
            do { try await reading.read(response) } catch { if !swallows { throw error } }
            return verdict
        }
    }

    @Test(arguments: readings.map(\.name), [false, true])
    func `a closure that reads a stream without a limit fails the call, whatever its verdict`(
        name: String, swallows: Bool
    ) async throws {
        for verdict in [HTTPVerdict.next, .invalid("no"), .retry(.immediate)] {
            let pieces = Pieces("1")
            let mock = MockSession { HTTPResponse(.ok, body: HTTPBody(source: pieces), to: $0) }
            let error = try await failure {
                try await mock.validated(
                    by: Self.reading(name, swallows: swallows, verdict: verdict)
                ) { $0.maxRetries = 3 }
            }
            #expect(error.code == .validationFailed)
            #expect(error.message.contains("bodyLimit"), "\(error)")
            #expect(error.status == .ok && mock.hits == 1)
        }
    }

    @Test func `a cancelled call stays cancelled, also if its closure has read without a limit`()
        async throws
    {
        let pieces = Pieces("1")
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody(source: pieces), to: $0) }
        await #expect(throws: CancellationError.self) {
            try await mock.validated(
                by: ClosureValidator { response, _ in
                    _ = response.body.bytes
                    throw CancellationError()
                })
        }
    }

    @Test(arguments: readings.map(\.name))
    func `a closure without a limit may read what is in memory`(name: String) async throws {
        let closure = Self.reading(name, swallows: true, verdict: .next)
        let response = try await MockSession.answering(.ok, "1").validated(by: closure)
        #expect(try await response.text() == "1")
    }

    @Test func `the rule of the default validator reads nothing either`() async throws {
        let pieces = Pieces("1")
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody(source: pieces), to: $0) }
        let error = try await failure {
            try await mock.validated(
                by: HTTPDefaultValidator { outcome, _ in
                    try outcome.get().body.bytes == nil ? .next : nil
                })
        }
        #expect(error.message.contains("bodyLimit"))
    }

    @Test func `a closure that looks at the head leaves the stream to the caller`() async throws {
        let pieces = Pieces("a", "b")
        let ends = Journal<HTTPBodyEnd>()
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody(source: pieces), to: $0) }
        var strict = HTTPDefaultValidator { _, _ in nil }
        strict.allowsEmptyResponses = false
        let response = try await mock.validated(
            by: ClosureValidator { response, _ in
                response.body.whenEnded { ends.add($0) }
                return response.body.isEmpty || response.body.length == 3 ? .invalid("no") : .next
            }, strict,
            ClosureValidator { response, _ in
                // What wraps the stream reads it later.
                var wrapped = response
                wrapped.body = HTTPBody(response.body)
                return .nextWithResponse(wrapped)
            }, ClosureValidator { _, _ in .next })
        #expect(ends.count == 0)
        #expect(response.body.bytes == nil)
        #expect(try await response.text() == "ab")
        #expect(ends.count == 1)
    }

    // MARK: Validators as types

    private struct Even: HTTPValidator {
        var bodyLimit: Int? { 100 }
        func verdict(
            on outcome: HTTPOutcome, of attempt: RetryAttempt
        ) async throws -> HTTPVerdict {
            try await outcome.get().data().count.isMultiple(of: 2) ? .next : .invalid("odd")
        }
    }

    @Test(.rows("S3-12"))
    func `a type judges data and response`() async throws {
        try await MockSession.answering(.ok, "ab").validated(by: Even())
        let error = try await failure {
            try await MockSession.answering(.ok, "abc").validated(by: Even())
        }
        #expect(error.message == "odd")
    }
}
