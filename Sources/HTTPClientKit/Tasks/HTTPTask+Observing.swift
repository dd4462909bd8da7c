import HTTPCore
public import HTTPRetry

// Observers run one after the other, in the order in which they were added, and each gets an
// outcome exactly once, even if it was added late. They run on the actor that they were written on,
// `{ @MainActor … }` on the main actor, and others on none. A slow observer delays those behind it,
// never the task.
extension HTTPTask {
    /// Calls `handler` with the result, once: when the task is over, or at once if it is.
    @discardableResult public func onResult(
        @_inheritActorContext _ handler:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) -> Void
    ) -> Self {
        add(.result(handler))
    }

    /// Calls `handler` with the response before a value is made from it: head, bytes and timeline.
    /// A failure has its timeline in the ``/HTTPCore/HTTPError``.
    @discardableResult public func onResponse(
        @_inheritActorContext _ handler:
            @escaping @Sendable @isolated(any) (HTTPOutcome) -> Void
    ) -> Self {
        add(.response(handler))
    }

    /// Calls `handler` with the newest progress whenever it changes. A slow observer skips what it
    /// missed, and a late one begins with the newest.
    @discardableResult public func onProgress(
        @_inheritActorContext _ handler:
            @escaping @Sendable @isolated(any) (HTTPTransferProgress) -> Void
    ) -> Self {
        add(.progress(handler))
    }

    private func add(_ observer: Machine.Observer) -> Self {
        locked.withLock { $0.machine.add(observer) }
        deliver()
        return self
    }

    /// Begins a delivery, unless one is under way or there is nothing to deliver.
    func deliver() {
        guard locked.withLock({ $0.machine.beginDelivery() }) else { return }
        Task.detached {
            while let delivery = self.locked.withLock({ $0.machine.nextDelivery() }) {
                switch delivery {
                case .result(let handler, let result): await handler(result)
                case .response(let handler, let response): await handler(response)
                case .progress(let handler, let progress): await handler(progress)
                }
            }
        }
    }
}

// MARK: - Progress

extension HTTPTask {
    /// The newest progress; `nil` before there is any.
    public var currentProgress: HTTPTransferProgress? {
        locked.withLock { $0.machine.progress.newest?.progress }
    }

    /// The task's progress for any number of readers, each at its own pace: first the newest, then
    /// each time the newest since the last read. Ends with the task.
    public var progress: HTTPProgressSequence {
        HTTPProgressSequence { await self.progress(after: $0) }
    }

    func report(_ progress: HTTPTransferProgress) {
        let told: [(Watcher, ProgressTrack.Entry)] = locked.withLock { state in
            guard state.machine.advance(progress) else { return [] }
            let told = state.watchers.compactMap { watcher in
                state.machine.progress(after: watcher.seen).map { (watcher, $0) }
            }
            state.watchers.removeAll { state.machine.progress(after: $0.seen) != nil }
            return told
        }
        for (watcher, entry) in told { watcher.waiter.resume(with: .success(entry)) }
        deliver()
    }

    /// Waits for progress newer than `seen`. Returns `nil` at the end, and when the caller is
    /// cancelled.
    private func progress(after seen: Int?) async -> ProgressTrack.Entry? {
        let watcher = Watcher(seen: seen)
        let (isOver, entry) = locked.withLock { state in
            let entry = state.machine.progress(after: seen)
            let isOver = entry != nil || state.machine.state.isOver
            if !isOver { state.watchers.append(watcher) }
            return (isOver, entry)
        }
        if isOver { return entry }
        defer {
            locked.withLock { state in state.watchers.removeAll { $0.waiter === watcher.waiter } }
        }
        return (try? await watcher.waiter.value()) ?? nil
    }
}

/// The sequence of ``HTTPTask/progress``.
public struct HTTPProgressSequence: AsyncSequence, Sendable {
    public typealias Element = HTTPTransferProgress
    typealias Next = @Sendable (_ seen: Int?) async -> ProgressTrack.Entry?

    private let next: Next

    init(_ next: @escaping Next) { self.next = next }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: next) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        let source: Next
        private var seen: Int?

        init(source: @escaping Next) { self.source = source }

        public mutating func next() async -> HTTPTransferProgress? { await next(isolation: nil) }

        /// Runs on the caller's actor; the argument is ignored.
        public nonisolated(nonsending) mutating func next(
            isolation _: (any Actor)?
        ) async -> HTTPTransferProgress? {
            guard let entry = await source(seen) else { return nil }
            seen = entry.number
            return entry.progress
        }
    }
}
