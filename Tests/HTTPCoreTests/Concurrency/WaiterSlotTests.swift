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
            var slot = WaiterSlot()
            /// The end of a wait, until its task takes it.
            var outcome: Result<Int, any Error>?
            var numbers: [Int] = []
            var isCancelled = false
        }

        private let state = Locked(State())
        /// An entry for each task that has begun to wait, or was refused.
        let waits = Record<Void>()

        func next() async throws -> Int {
            await Suspension.wait(whenCancelled: { cancel() }) { place in
                defer { waits.add(()) }
                return state.withLock { state in
                    guard !state.slot.isHeld else { return false }
                    if state.isCancelled {
                        state.outcome = .failure(CancellationError())
                    } else if !state.numbers.isEmpty {
                        state.outcome = .success(state.numbers.removeFirst())
                    }
                    return state.outcome == nil && state.slot.hold(place)
                }
            }
            guard let outcome = state.withLock({ $0.outcome.take() }) else {
                throw CancellationError()
            }
            return try outcome.get()
        }

        /// Returns `true` if a task waited for the number.
        @discardableResult
        func add(_ number: Int) -> Bool {
            let suspension = state.withLock { state in
                guard let suspension = state.slot.end() else {
                    state.numbers.append(number)
                    return Suspension?.none
                }
                state.outcome = .success(number)
                return suspension
            }
            suspension?()
            return suspension != nil
        }

        func fail(_ error: any Error) {
            let suspension = state.withLock { state in
                if state.slot.isHeld { state.outcome = .failure(error) }
                return state.slot.end()
            }
            suspension?()
        }

        private func cancel() {
            let suspension = state.withLock { state in
                state.isCancelled = true
                if state.slot.isHeld { state.outcome = .failure(CancellationError()) }
                return state.slot.end()
            }
            suspension?()
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
        let state = Locked((slot: WaiterSlot(), numbers: [Int]()))
        let thread = DispatchQueue(label: "ending")
        let hasEnded = Atomic(0)
        for number in 1...TestCounts.scaled(100) {
            await Suspension.wait { place in
                let waits = state.withLock { $0.slot.hold(place) }
                thread.async {
                    let suspension = state.withLock { state in
                        state.numbers = [number]
                        return state.slot.end()
                    }
                    suspension?()
                    hasEnded.store(number, ordering: .relaxed)
                }
                while hasEnded.load(ordering: .relaxed) < number { sched_yield() }
                return waits
            }
            #expect(state.withLock { $0.numbers } == [number])
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
        let state = Locked(WaiterSlot())
        let waits = Record<Void>()
        let reader = Task {
            await Suspension.wait { place in
                defer { waits.add(()) }
                return state.withLock { $0.hold(place) }
            }
        }
        try await waits.wait(for: 1)
        reader.cancel()
        #expect(state.withLock { $0.isHeld })
        let suspension = state.withLock { $0.end() }
        suspension?()
        await reader.value
        #expect(suspension != nil)
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
