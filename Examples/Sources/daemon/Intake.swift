import Dispatch
import Synchronization

/// The source of deliveries. It is asked for one at a time, so that other deliveries wait outside
/// the process.
final class Intake: Sendable {
    enum Source {
        case standardInput
        case generated(Int, to: [String])
    }

    private struct State {
        var count = 0
        var isStopped = false
        /// The caller that waits for the next line.
        var waiter: CheckedContinuation<String?, Never>?

        mutating func takeWaiter() -> CheckedContinuation<String?, Never>? {
            defer { waiter = nil }
            return waiter
        }

        mutating func nextNumber(upTo limit: Int = .max) -> Int? {
            guard !isStopped, count < limit else { return nil }
            count += 1
            return count
        }
    }

    private let source: Source
    private let state = Mutex(State())
    /// Reading a line blocks, so it must not run on the threads that tasks share.
    private let reader = DispatchQueue(label: "standard input")

    init(_ source: Source) { self.source = source }

    /// Returns the next delivery; `nil` at the end and after ``stop()``. Only one caller may wait
    /// at a time.
    func next() async -> Delivery? {
        switch source {
        case .generated(let limit, let urls):
            return state.withLock { $0.nextNumber(upTo: limit) }.map { number in
                Delivery(number, to: urls[number % urls.count], body: "{\"number\":\(number)}")
            }
        case .standardInput:
            guard let line = await line() else { return nil }
            return state.withLock { $0.nextNumber() }.map { Delivery($0, line: line) }
        }
    }

    /// Stops the intake. A line that is being read is lost.
    ///
    /// - Returns: `false` if it was stopped before.
    func stop() -> Bool {
        let (isFirst, waiter) = state.withLock { state in
            defer { state.isStopped = true }
            return (!state.isStopped, state.takeWaiter())
        }
        waiter?.resume(returning: nil)
        return isFirst
    }

    private func line() async -> String? {
        await withCheckedContinuation { continuation in
            let isStopped = state.withLock { state in
                if !state.isStopped { state.waiter = continuation }
                return state.isStopped
            }
            if isStopped { return continuation.resume(returning: nil) }
            reader.async { [self] in
                let line = readLine()
                state.withLock { $0.takeWaiter() }?.resume(returning: line)
            }
        }
    }
}
