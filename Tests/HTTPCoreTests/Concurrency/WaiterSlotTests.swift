import Dispatch
import HTTPCore
import HTTPTesting
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite(.timeLimit(.minutes(5))) struct WaiterSlotTests {
    private struct Failure: Error, Equatable {}

    /// An owner of a slot: a queue of numbers with one reader.
    private final class Queue: Sendable {
        private struct State {
            var slot = WaiterSlot<Int>()
            var numbers: [Int] = []
            var isCancelled = false
        }

        private let state = Locked(State())
        /// An entry for each task that has begun to wait, or was refused.
        let waits = Record<Void>()

        func next() async throws -> Int {
            try await WaiterSlot.value(whenCancelled: { cancel() }) { place in
                defer { waits.add(()) }
                return state.withLock { state in
                    if state.isCancelled { return .failure(CancellationError()) }
                    return state.numbers.isEmpty
                        ? state.slot.hold(place) : .success(state.numbers.removeFirst())
                }
            }
        }

        /// Returns `true` if a task waited for the number.
        @discardableResult
        func add(_ number: Int) -> Bool {
            let resumption = state.withLock { state in
                let resumption = state.slot.end(with: .success(number))
                if resumption == nil { state.numbers.append(number) }
                return resumption
            }
            resumption?()
            return resumption != nil
        }

        func fail(_ error: any Error) { state.withLock { $0.slot.end(with: .failure(error)) }?() }

        private func cancel() {
            let resumption = state.withLock { state in
                state.isCancelled = true
                return state.slot.end(with: .failure(CancellationError()))
            }
            resumption?()
        }

        var isAwaited: Bool { state.withLock { $0.slot.isHeld } }
        var numbers: [Int] { state.withLock { $0.numbers } }
    }

    @Test func `an outcome that comes first ends the wait before it begins`() async throws {
        let queue = Queue()
        #expect(!queue.add(1))
        #expect(try await queue.next() == 1)
        #expect(!queue.isAwaited)
    }

    /// The runtime then goes on at once, without suspending the task. The load is relaxed, so that
    /// only the wait itself can order what the two threads do: see Decision 0040.
    @Test func `a wait ends on another thread before its task is suspended`() async throws {
        let slot = Locked(WaiterSlot<[Int]>())
        let thread = DispatchQueue(label: "ending")
        let hasEnded = Atomic(0)
        for number in 1...TestCounts.scaled(100) {
            let answer = try await WaiterSlot.value { place in
                let outcome = slot.withLock { $0.hold(place) }
                thread.async {
                    slot.withLock { $0.end(with: .success([number])) }?()
                    hasEnded.store(number, ordering: .relaxed)
                }
                while hasEnded.load(ordering: .relaxed) < number { sched_yield() }
                return outcome
            }
            #expect(answer == [number])
        }
    }

    @Test func `one slot serves one wait after the other`() async throws {
        let queue = Queue()
        let reader = Task {
            var sum = 0
            for _ in 0..<100 { sum += try await queue.next() }
            return sum
        }
        for number in 1...100 {
            try await queue.waits.wait(for: number)
            #expect(queue.add(number))
        }
        #expect(try await reader.value == 5050)
        #expect(!queue.isAwaited)
    }

    @Test func `a wait takes the first outcome, and the second finds no wait`() async throws {
        let queue = Queue()
        let reader = Task { try await queue.next() }
        try await queue.waits.wait(for: 1)
        #expect(queue.isAwaited)
        #expect(queue.add(1))
        #expect(!queue.add(2))
        #expect(try await reader.value == 1)
        #expect(queue.numbers == [2])
    }

    @Test func `an error ends the wait, too`() async throws {
        let queue = Queue()
        let reader = Task { try await queue.next() }
        try await queue.waits.wait(for: 1)
        queue.fail(Failure())
        await #expect(throws: Failure()) { try await reader.value }
        #expect(!queue.isAwaited)
    }

    @Test(arguments: [true, false])
    func `cancelling ends the wait at once, before it begins and while it lasts`(
        isEarly: Bool
    ) async throws {
        let queue = Queue()
        let gate = Gate()
        let reader = Task {
            if isEarly { await gate.waitIgnoringCancellation() }
            return try await queue.next()
        }
        if !isEarly { try await queue.waits.wait(for: 1) }
        reader.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(!queue.isAwaited)
        #expect(!queue.add(1))
    }

    @Test func `a wait for the outcome does not heed cancellation`() async throws {
        let state = Locked(WaiterSlot<Void>())
        let waits = Record<Void>()
        let reader = Task {
            await WaiterSlot<Void>.outcome { place in
                defer { waits.add(()) }
                return state.withLock { $0.hold(place) }
            }
        }
        try await waits.wait(for: 1)
        reader.cancel()
        #expect(state.withLock { $0.isHeld })
        let resumption = state.withLock { $0.end() }
        resumption?()
        try await reader.value.get()
        #expect(resumption != nil)
    }

    @Test func `a second task that waits at the same time is refused, and the first waits on`()
        async throws
    {
        let queue = Queue()
        let first = Task { try await queue.next() }
        try await queue.waits.wait(for: 1)
        await #expect(throws: CancellationError.self) { try await queue.next() }
        #expect(queue.add(1))
        #expect(try await first.value == 1)
    }

    @Test func `each of many races between an outcome and a cancellation ends once`() async {
        let count = TestCounts.scaled(20_000)
        var results = 0
        var cancellations = 0
        for _ in 0..<count {
            let queue = Queue()
            let reader = Task { try await queue.next() }
            async let wasAwaited = Task.detached { queue.add(1) }.value
            async let cancelled: Void = Task.detached { reader.cancel() }.value
            let outcome = await reader.result
            let isTaken = await wasAwaited
            await cancelled
            switch outcome {
            case .success: results += 1
            case .failure: cancellations += 1
            }
            // A number that no task waited for was found in the queue, or stays there.
            #expect(isTaken == ((try? outcome.get()) == 1 && queue.numbers.isEmpty) || !isTaken)
            #expect(queue.numbers.count == ((try? outcome.get()) == nil && !isTaken ? 1 : 0))
            #expect(!queue.isAwaited)
        }
        #expect(results + cancellations == count)
    }
}
