import Foundation
import HTTPCore
import Synchronization

/// The actor on which the whole simulation runs, so that the same seed gives the same run.
@globalActor actor Simulation {
    static let shared = Simulation()
}

/// A clock whose time advances only while all tasks sleep: the last task to sleep wakes the next
/// sleeper.
final class SimulationClock: HTTPClock {
    private struct Sleeper {
        var due: Double
        var number: Int
        var continuation: CheckedContinuation<Void, Never>

        func isBefore(_ other: Sleeper) -> Bool { (due, number) < (other.due, other.number) }
    }

    private struct State {
        var now = 0.0
        /// The sleepers as a binary heap, the next one to wake first.
        var sleepers: [Sleeper] = []
        var lastNumber = 0
        var awake: Int
        var isOver = false

        mutating func wakeNext(before end: Double) -> CheckedContinuation<Void, Never>? {
            guard awake == 0, let next = pop() else { return nil }
            now = max(now, next.due)
            isOver = now >= end
            awake += 1
            return next.continuation
        }

        mutating func push(_ sleeper: Sleeper) {
            var index = sleepers.count
            sleepers.append(sleeper)
            while index > 0 {
                let parent = (index - 1) / 2
                guard sleepers[index].isBefore(sleepers[parent]) else { return }
                sleepers.swapAt(index, parent)
                index = parent
            }
        }

        private mutating func pop() -> Sleeper? {
            guard let first = sleepers.first else { return nil }
            let last = sleepers.removeLast()
            guard !sleepers.isEmpty else { return first }
            sleepers[0] = last
            var index = 0
            while true {
                var least = index
                for child in [2 * index + 1, 2 * index + 2]
                where child < sleepers.count && sleepers[child].isBefore(sleepers[least]) {
                    least = child
                }
                if least == index { return first }
                sleepers.swapAt(index, least)
                index = least
            }
        }
    }

    private let state: Mutex<State>
    private let end: Double

    /// - Parameter awake: The number of tasks that will sleep.
    init(awake: Int, end: Double) {
        state = Mutex(State(awake: awake))
        self.end = end
    }

    var seconds: Double { state.withLock { $0.now } }
    /// `true` after the end. All tasks then leave.
    var isOver: Bool { state.withLock { $0.isOver } }

    var now: HTTPInstant { HTTPInstant(sinceStart: .seconds(seconds)) }
    var date: Date { Date(timeIntervalSince1970: 784_111_777 + seconds) }

    func sleep(until deadline: HTTPInstant) async throws {
        await sleep(untilSecond: deadline.sinceStart / .seconds(1))
    }

    func sleep(for seconds: Double) async { await sleep(untilSecond: self.seconds + seconds) }

    private func sleep(untilSecond due: Double) async {
        await withCheckedContinuation { continuation in
            let next = state.withLock { state in
                state.lastNumber += 1
                state.push(
                    Sleeper(due: due, number: state.lastNumber, continuation: continuation))
                state.awake -= 1
                return state.wakeNext(before: end)
            }
            next?.resume()
        }
    }

    /// Removes a task that will not sleep again.
    func leave() {
        let next = state.withLock { state in
            state.awake -= 1
            return state.wakeNext(before: end)
        }
        next?.resume()
    }
}
