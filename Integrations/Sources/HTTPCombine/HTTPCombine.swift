// A bridge from HTTPClientKit to Combine, or to OpenCombine on Linux. This file can be copied into
// another program.

public import HTTPClientKit
import Synchronization

#if canImport(Combine)
    public import Combine
#else
    public import OpenCombine
#endif

/// A publisher of values that are made by asynchronous code, one for each demand.
///
/// Each subscription runs the code anew, in a task that begins with the first demand and is
/// cancelled with the subscription. Values are delivered in that task, one at a time. No value is
/// made before there is demand for it.
public struct HTTPPublisher<Output: Sendable>: Publisher {
    public typealias Failure = any Error
    fileprivate typealias Next = @Sendable () async throws -> (value: Output, isLast: Bool)?

    fileprivate let begin: @Sendable () -> Next

    /// Creates a publisher of one value, after which it finishes:
    /// `HTTPPublisher { try await client.get("users/1").json(User.self) }`.
    public init(_ value: @escaping @Sendable () async throws -> Output) {
        begin = { { (try await value(), true) } }
    }

    /// Creates a publisher of the elements of a sequence, such as `client.get("events").lines`:
    /// one iteration for each subscription.
    public init<S: AsyncSequence & Sendable>(_ elements: S) where S.Element == Output {
        begin = {
            let iterator = Iteration(elements.makeAsyncIterator())
            return { try await iterator.next().map { ($0, false) } }
        }
    }

    public func receive(subscriber: some Subscriber<Output, any Error>) {
        subscriber.receive(subscription: Deliveries(begin(), to: subscriber))
    }
}

extension HTTPPipeline {
    /// A publisher of the pipeline's value. Each subscription runs the pipeline once; cancelling
    /// the subscription cancels that run.
    public var publisher: HTTPPublisher<Output> { HTTPPublisher { try await self.value() } }
}

extension HTTPTask {
    /// A publisher of the task's value, which all subscriptions share. The first demand starts the
    /// task. Cancelling a subscription does not cancel the task: call `cancel()` for that.
    public var publisher: HTTPPublisher<Value> { HTTPPublisher { try await self.run().value } }
}

/// An iterator. Unchecked: only the task of its subscription uses it.
private final class Iteration<I: AsyncIteratorProtocol>: @unchecked Sendable {
    private var iterator: I

    init(_ iterator: sending I) { self.iterator = iterator }

    func next() async throws -> I.Element? { try await iterator.next() }
}

/// A subscription.
///
/// Unchecked, as is its state: a subscriber is not `Sendable`. It is called by the task alone, and
/// released under the lock.
private final class Deliveries<Value: Sendable>: Subscription, @unchecked Sendable {
    private struct Sink {
        let receive: (Value) -> Subscribers.Demand
        let complete: (Subscribers.Completion<any Error>) -> Void
    }

    private struct State: @unchecked Sendable {
        var sink: Sink?
        var demand = Subscribers.Demand.none
        var task: Task<Void, Never>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>
    private let next: HTTPPublisher<Value>.Next

    init(
        _ next: @escaping HTTPPublisher<Value>.Next,
        to subscriber: some Subscriber<Value, any Error>
    ) {
        let sink = Sink(receive: subscriber.receive, complete: subscriber.receive(completion:))
        state = Mutex(State(sink: sink))
        self.next = next
    }

    func request(_ demand: Subscribers.Demand) {
        let waiter = state.withLock { state in
            guard state.sink != nil, demand > .none else {
                return CheckedContinuation<Void, Never>?.none
            }
            state.demand += demand
            if state.task == nil { state.task = Task { await self.deliver() } }
            return state.waiter.take()
        }
        waiter?.resume()
    }

    func cancel() {
        let (task, waiter) = state.withLock { state in
            state.sink = nil
            return (state.task, state.waiter.take())
        }
        task?.cancel()
        waiter?.resume()
    }

    private func deliver() async {
        do {
            while await hasDemand(), let (value, isLast) = try await next() {
                guard let sink = state.withLock({ $0.sink }) else { return }
                let demand = sink.receive(value)
                state.withLock { $0.demand += demand }
                if isLast { break }
            }
            finish(.finished)
        } catch {
            finish(.failure(error))
        }
    }

    private func finish(_ completion: Subscribers.Completion<any Error>) {
        state.withLock { $0.sink.take() }?.complete(completion)
    }

    /// Waits for demand, and takes one of it. Returns `false` if the subscription was cancelled.
    private func hasDemand() async -> Bool {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.sink != nil, state.demand == .none { state.waiter = continuation }
                return state.waiter == nil
            }
            if isOver { continuation.resume() }
        }
        return state.withLock { state in
            guard state.sink != nil else { return false }
            if state.demand != .unlimited { state.demand -= 1 }
            return true
        }
    }
}
