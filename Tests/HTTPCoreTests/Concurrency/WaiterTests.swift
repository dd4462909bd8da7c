import HTTPCore
import HTTPTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct WaiterTests {
    private struct Failure: Error, Equatable {
        var number = 0
    }

    @Test func `a result that comes first is what the wait ends with`() async throws {
        let waiter = Waiter<Int>()
        #expect(waiter.resume(with: .success(1)))
        #expect(try await waiter.value() == 1)
    }

    @Test func `a wait ends with the first result, and the second changes nothing`() async throws {
        let waiter = Waiter<Int>()
        async let value = waiter.value()
        await Task.yield()
        #expect(waiter.resume(with: .success(1)))
        #expect(!waiter.resume(with: .success(2)))
        #expect(!waiter.resume(with: .failure(Failure())))
        #expect(try await value == 1)
        #expect(try await waiter.value() == 1)  // also later
    }

    @Test func `an error ends the wait, too`() async {
        let waiter = Waiter<Int>()
        waiter.resume(with: .failure(Failure(number: 3)))
        await #expect(throws: Failure(number: 3)) { try await waiter.value() }
    }

    @Test(arguments: [true, false])
    func `cancelling ends the wait at once, before it begins and while it lasts`(
        isEarly: Bool
    ) async {
        let waiter = Waiter<Void>()
        let gate = Gate()
        let task = Task {
            if isEarly { await gate.waitIgnoringCancellation() }
            try await waiter.value()
        }
        if !isEarly { await Task.yield() }
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!waiter.resume(with: .success(())))
    }

    @Test func `a wait for the outcome does not heed cancellation`() async throws {
        let waiter = Waiter<Int>()
        let task = Task { await waiter.outcome() }
        task.cancel()
        await Task.yield()
        #expect(waiter.resume(with: .success(7)))
        #expect(try await task.value.get() == 7)
    }

    @Test func `the owner of a list decides how a cancelled wait ends`() async throws {
        let waiter = Waiter<Int>()
        let task = Task { try await waiter.value { $0.resume(with: .success(9)) } }
        task.cancel()
        #expect(try await task.value == 9)
    }

    @Test func `a second task that waits at the same time does not push the first one out`()
        async throws
    {
        let waiter = Waiter<Int>()
        let first = Task { await waiter.outcome() }
        // Each of the two may be the one that waits.
        let second = Task { await waiter.outcome() }
        let refused = await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await first.value.get()) == nil }
            group.addTask { (try? await second.value.get()) == nil }
            let isFirstRefused = await group.next()
            waiter.resume(with: .success(1))
            let isOtherRefused = await group.next()
            return [isFirstRefused, isOtherRefused]
        }
        #expect(refused == [true, false])
    }

    @Test func `each of many races between a result and a cancellation ends once`() async {
        let count = TestCounts.scaled(20_000)
        var results = 0
        var cancellations = 0
        for _ in 0..<count {
            let waiter = Waiter<Int>()
            let task = Task { try await waiter.value() }
            async let isTaken = Task.detached { waiter.resume(with: .success(1)) }.value
            async let cancelled: Void = Task.detached { task.cancel() }.value
            let outcome = await task.result
            let wasTaken = await isTaken
            await cancelled
            switch outcome {
            case .success: results += 1
            case .failure: cancellations += 1
            }
            #expect(wasTaken == ((try? outcome.get()) == 1))
        }
        #expect(results + cancellations == count)
    }
}
