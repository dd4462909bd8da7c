import Dispatch
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPClientKit

@Suite(.timeLimit(.minutes(5))) struct HTTPTaskBlockingTests {
    private let request: HTTPRequest

    init() throws { request = try HTTPRequest(.get, "https://h/") }

    /// Returns the result of `body` on a thread outside any task.
    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "blocking").async {
                continuation.resume(with: Result { try body() })
            }
        }
    }

    @Test(.rows("S1-27"))
    func `a thread waits for its answer`() async throws {
        let session = MockSession { HTTPResponse(.ok, body: HTTPBody("[1]"), to: $0) }
        let request = request
        #expect(try await onThread { try request.runSync(in: session).status } == .ok)
        #expect(try await onThread { try request.runSync(String.self, in: session) } == "[1]")
        #expect(try await onThread { try request.runSync([Int].self, in: session) } == [1])
    }

    @Test(.rows("S1-27"))
    func `a waiting thread throws the error of the call`() async throws {
        let session = MockSession { _ in throw HTTPError(.timedOut, "too slow") }
        let request = request
        let error = await #expect(throws: HTTPError.self) {
            try await onThread { try request.runSync(in: session) }
        }
        #expect(error?.code == .timedOut)
    }

    @Test(.rows("S1-27"))
    func `cancelling the task frees the thread`() async throws {
        let session = HeldSession()
        let task = HTTPTask(for: request, in: session)
        let thread = Task { try await onThread { try task.waitUntilOver() } }
        try await session.asked.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await thread.value }
    }

    @Test(.rows("S1-27"))
    func `waiting for a finished task returns at once`() async throws {
        let task = request.run(String.self, in: HeldSession(.ok).opened)
        #expect(try await task.value == "done")
        #expect(try await onThread { try task.waitUntilOver() } == "done")
    }

    @Test(.rows("S1-27"))
    func `many threads wait at once without blocking the tasks that they wait for`()
        async throws
    {
        let session = HeldSession()
        let request = request
        let statuses = try await withThrowingTaskGroup(of: HTTPStatus.self) { group in
            for _ in 0..<16 {
                group.addTask { try await onThread { try request.runSync(in: session).status } }
            }
            try await session.asked.wait()
            session.answer.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: .ok, count: 16))
    }

    /// A function that is not `async`, called from a task, which the compiler cannot detect.
    private func unseen(_ session: any HTTPSession) throws -> HTTPResponse {
        try request.runSync(in: session)
    }

    @Test(.rows("S1-27"))
    func `within a task it is refused, and nothing is sent`() async throws {
        let session = MockSession { HTTPResponse(.ok, to: $0) }
        let error = #expect(throws: HTTPError.self) { try unseen(session) }
        #expect(error?.code == .blocksTask)
        #expect(session.requests.isEmpty)
    }
}

extension HeldSession {
    fileprivate var opened: HeldSession {
        answer.open()
        return self
    }
}
