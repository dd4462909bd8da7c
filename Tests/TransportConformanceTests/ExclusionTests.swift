import HTTPCore
import HTTPTesting
import Testing

/// Tests of the suite's exclusions, and of transports that hang.
@Suite(.timeLimit(.minutes(5))) struct ExclusionTests {
    private static let name = "the length is told before the body is read"

    private static func suite(
        _ exclusions: TransportConformance.Exclusion...,
        session: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse = { _ in
            throw HTTPError(.internalFailure, "never")
        }
    ) -> TransportConformance {
        TransportConformance("mock", excluding: exclusions) { MockSession(session) }
    }

    private var example: TransportConformance.Case {
        get throws {
            try #require(TransportConformance.allCases.first { $0.name == Self.name })
        }
    }

    @Test func `names of cases are all different`() {
        let names = TransportConformance.allCases.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func `every family has cases`() {
        let families = Set(TransportConformance.allCases.map(\.family))
        #expect(families == Set(TransportConformance.Family.allCases))
    }

    @Test func `a failure says which case and what was wrong`() async throws {
        let example = try example
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await Self.suite().run(example)
        }
        #expect(failure?.name == Self.name)
        #expect(failure?.reason.contains("internalFailure: never") == true)
    }

    @Test func `an excluded case that fails is reported with its reason`() async throws {
        let suite = Self.suite(.init(Self.name, because: "it is a mock"))
        let outcome = try await suite.run(try example)
        #expect(outcome == .excluded(reason: "it is a mock"))
        #expect("\(outcome)" == "excluded: it is a mock")
    }

    @Test func `an excluded case that passes is a failure`() async throws {
        let example = try example
        let suite = Self.suite(.init(Self.name, because: "wrongly")) { request in
            HTTPResponse(.ok, body: HTTPBody(String(repeating: "x", count: 200_000)), to: request)
        }
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await suite.run(example)
        }
        #expect(failure?.reason == "is excluded, but passes: remove its exclusion")
    }

    @Test func `what must not be attempted is not`() async throws {
        let suite = Self.suite(.init(Self.name, because: "it traps", isAttempted: false)) {
            request in
            Issue.record("it was attempted")
            return HTTPResponse(.ok, to: request)
        }
        #expect(try await suite.run(try example) == .excluded(reason: "it traps"))
    }

    @Test(arguments: [
        [TransportConformance.Exclusion("no such case", because: "x")],
        [.init(name, because: " ")],
        [.init(name, because: "x"), .init(name, because: "y")],
    ])
    func `an exclusion that means nothing fails every case`(
        exclusions: [TransportConformance.Exclusion]
    ) async throws {
        let suite = TransportConformance("mock", excluding: exclusions) {
            MockSession { HTTPResponse(.ok, to: $0) }
        }
        for example in suite.cases.prefix(3) {
            await #expect(throws: ConformanceFailure.self) { try await suite.run(example) }
        }
    }

    @Test func `a transport that hangs and cannot be cancelled is left to itself`() async throws {
        let example = try example
        let (stream, end) = AsyncStream<Void>.makeStream()
        defer { end.finish() }
        let suite = Self.suite { request in
            await Task { for await _ in stream {} }.value
            return HTTPResponse(.ok, to: request)
        }
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await suite.run(example, within: .milliseconds(100))
        }
        #expect(failure?.reason == "it did not end within 100 ms")
    }

    @Test func `a cancelled run ends at once`() async throws {
        let example = try example
        let (stream, end) = AsyncStream<Void>.makeStream()
        defer { end.finish() }
        let suite = Self.suite { request in
            await Task { for await _ in stream {} }.value
            return HTTPResponse(.ok, to: request)
        }
        let task = Task { try await suite.run(example, within: .seconds(1000)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
