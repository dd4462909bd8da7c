package import HTTPClientKit
import Synchronization

/// An observer that keeps the last calls for readers: `$0.observer = dashboard`.
///
/// An event costs one lock. A reader has no queue: it is woken by a change, waits a moment for
/// more, and then gets all that has changed since its last update in one message.
package final class Dashboard: HTTPObserver {
    private struct State {
        var store: CallStore
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastReader = 0
    }

    private let state: Mutex<State>
    private let start: HTTPInstant
    private let readerLimit: Int
    private let clock = HTTPSystemClock()

    /// - Parameters:
    ///   - callLimit: The number of calls to keep.
    ///   - readerLimit: The number of readers at a time.
    package init(callLimit: Int = 200, readerLimit: Int = 20) {
        state = Mutex(State(store: CallStore(limit: callLimit)))
        start = clock.now
        self.readerLimit = readerLimit
    }

    package func began(_ call: HTTPCall) -> (any HTTPObserver)? {
        let at = call.clock.now - start
        change { $0.begin(call.id, call.method, call.url.logSafe, at: at) }
        return self
    }

    package func observe(_ event: HTTPEvent) {
        let at = event.instant - start
        change { $0.note(event.kind, exchange: event.exchange, of: event.callID, at: at) }
    }

    /// Notes the statistics of the transport.
    package func note(_ statistics: ObservedStatistics) { change { $0.note(statistics) } }

    private func change(_ body: (inout CallStore) -> Void) {
        let readers = state.withLock { state in
            body(&state.store)
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield() }
    }

    // MARK: Readers

    /// The number of readers.
    package var readerCount: Int { state.withLock { $0.readers.count } }

    /// Returns a sequence of updates that begins with a snapshot and ends when its task is
    /// cancelled; `nil` if there are too many readers.
    ///
    /// - Parameter pause: The time to wait for more changes before an update.
    package func updates(pause: Duration = .milliseconds(100)) -> Updates? {
        let (wakes, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = state.withLock { state in
            guard state.readers.count < readerLimit else { return nil }
            state.lastReader += 1
            state.readers[state.lastReader] = continuation
            return state.lastReader
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
        continuation.yield()
        return Updates(dashboard: self, wakes: wakes, pause: pause)
    }

    /// The updates of one reader.
    package struct Updates: AsyncSequence, Sendable {
        fileprivate let dashboard: Dashboard
        fileprivate let wakes: AsyncStream<Void>
        fileprivate let pause: Duration

        package func makeAsyncIterator() -> Iterator {
            Iterator(updates: self, wakes: wakes.makeAsyncIterator())
        }

        package struct Iterator: AsyncIteratorProtocol {
            fileprivate let updates: Updates
            fileprivate var wakes: AsyncStream<Void>.Iterator
            fileprivate var revision: Int?

            package mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async -> CallStore.Update? {
                while await wakes.next(isolation: actor) != nil {
                    if revision != nil { try? await Task.sleep(for: updates.pause) }
                    if Task.isCancelled { return nil }
                    guard let update = updates.dashboard.update(after: revision) else { continue }
                    revision = update.revision
                    return update
                }
                return nil
            }
        }
    }

    private func update(after revision: Int?) -> CallStore.Update? {
        let now = clock.now - start
        return state.withLock { $0.store.update(after: revision, at: now) }
    }
}
