import HTTPCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct GateTests {
    @Test func `an open gate lets everyone pass, those before and those after`() async throws {
        let gate = Gate()
        let tasks = (0..<100).map { _ in Task { try await gate.wait() } }
        #expect(!gate.isOpen)
        gate.open()
        gate.open()
        for task in tasks { try await task.value }
        try await gate.wait()
        #expect(gate.isOpen)
    }

    @Test func `a cancelled task waits no longer, the others do`() async throws {
        let gate = Gate()
        let leaving = Task { try await gate.wait() }
        let staying = Task { try await gate.wait() }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        gate.open()
        try await staying.value
    }

    @Test func `a task can wait on although it is cancelled`() async {
        let gate = Gate()
        let task = Task {
            await gate.waitIgnoringCancellation()
            return gate.isOpen
        }
        task.cancel()
        await Task.yield()
        gate.open()
        #expect(await task.value)
    }
}
