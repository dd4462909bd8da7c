#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A one-shot body's state, shared by all its copies: who reads it, and how it ended.
///
/// Dropping the last reference before the end gives the rest up.
final class HTTPBodyStream: Sendable {
    private enum Use {
        case unread
        /// Being iterated, discarded, or written to a file.
        case claimed
        case collecting(waiters: [Int: CheckedContinuation<Void, any Error>])
        case collected(Result<Data, any Error>)
    }

    private struct State {
        var use = Use.unread
        var lastWaiter = 0
        var end: HTTPBodyEnd?
        var handlers: [@Sendable (HTTPBodyEnd) -> Void] = []
    }

    private let source: any HTTPBodySource
    private let state = Locked(State())

    init(_ source: any HTTPBodySource) { self.source = source }

    deinit { abandon() }

    var isUnread: Bool {
        state.withLock { state in
            if case .unread = state.use { state.end == nil } else { false }
        }
    }

    var trailers: HTTPHeaders? {
        state.withLock {
            if case .complete(let trailers) = $0.end { trailers } else { nil }
        }
    }

    func claim() throws(HTTPError) {
        let isFree = state.withLock { state in
            guard case .unread = state.use, state.end == nil else { return false }
            state.use = .claimed
            return true
        }
        if !isFree { throw HTTPError.bodyAlreadyRead }
    }

    // MARK: Reading, for whoever has claimed

    func next() async throws -> Data? {
        // A source that has ended is not asked again, and a failure stays one.
        switch state.withLock({ $0.end }) {
        case nil: break
        case .complete: return nil
        case .failed(let error): throw error
        case .abandoned: throw HTTPError.bodyAlreadyRead
        }
        do {
            if let data = try await source.next() { return data }
            finish(.complete(trailers: source.trailers))
            return nil
        } catch {
            finish(.failed(error))
            throw error
        }
    }

    func write(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64 {
        try claim()
        do {
            let count = try await source.write(toDescriptor: descriptor, at: offset)
            finish(.complete(trailers: source.trailers))
            return count
        } catch {
            source.abandon()
            finish(.failed(error))
            throw error
        }
    }

    // MARK: Collecting

    func collect(upTo limit: Int, length: Int64?) async throws -> Data {
        while true {
            enum Turn {
                case read, wait
                case done(Result<Data, any Error>)
            }
            let turn: Turn = try state.withLock { state in
                switch state.use {
                case .unread:
                    guard state.end == nil else { throw HTTPError.bodyAlreadyRead }
                    state.use = .collecting(waiters: [:])
                    return .read
                case .claimed: throw HTTPError.bodyAlreadyRead
                case .collecting: return .wait
                case .collected(let result): return .done(result)
                }
            }
            switch turn {
            case .read:
                let result = await read(upTo: limit, length: length)
                finishCollecting(result)
                return try result.get()
            case .wait: try await waitForCollector()
            case .done(let result): return try result.get().checked(upTo: limit)
            }
        }
    }

    private func read(upTo limit: Int, length: Int64?) async -> Result<Data, any Error> {
        do {
            if let length, length > limit { throw HTTPError.bodyTooLarge(limit: limit) }
            var whole = Data()
            while let piece = try await next() {
                guard whole.count + piece.count <= limit else {
                    throw HTTPError.bodyTooLarge(limit: limit)
                }
                if whole.isEmpty {
                    whole = piece  // one piece, the common case, is not copied
                    // The length is the server's word: no more is believed than one limit's worth.
                    if let length, length > piece.count {
                        whole.reserveCapacity(min(Int(length), HTTPBody.defaultLimit))
                    }
                } else {
                    whole.append(piece)
                }
            }
            return .success(try whole.checked(upTo: limit))
        } catch {
            source.abandon()
            finish(.failed(error))
            return .failure(error)
        }
    }

    private func finishCollecting(_ result: Result<Data, any Error>) {
        let waiters: [Int: CheckedContinuation<Void, any Error>] = state.withLock { state in
            guard case .collecting(let waiters) = state.use else { return [:] }
            state.use = .collected(result)
            return waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Waits for another task's `collect`. A waiter that is cancelled leaves, and the reader reads
    /// on: only the reader's cancellation ends the body.
    private func waitForCollector() async throws {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let mustWait = changeWaiters { $0[id] = continuation } != nil
                if !mustWait { continuation.resume() }
                // Cancelled before it was there to be found.
                if mustWait, Task.isCancelled { cancelWaiter(id) }
            }
        } onCancel: {
            cancelWaiter(id)
        }
    }

    private func cancelWaiter(_ id: Int) {
        let waiter = changeWaiters { $0.removeValue(forKey: id) }
        waiter??.resume(throwing: CancellationError())
    }

    /// Returns `nil` when nobody is collecting.
    private func changeWaiters<Result>(
        _ change: (inout [Int: CheckedContinuation<Void, any Error>]) -> Result
    ) -> Result? {
        state.withLock { state in
            guard case .collecting(var waiters) = state.use else { return nil }
            state.use = .collecting(waiters: [:])  // keeps the dictionary unique
            defer { state.use = .collecting(waiters: waiters) }
            return change(&waiters)
        }
    }

    // MARK: Ending

    func discard() async {
        let isOver = state.withLock { state in
            if case .unread = state.use { state.use = .claimed }
            return state.end != nil
        }
        if isOver { return }
        await source.discard()
        finish(.abandoned)
    }

    func abandon() {
        guard state.withLock({ $0.end == nil }) else { return }
        source.abandon()
        finish(.abandoned)
    }

    func whenEnded(_ handler: @escaping @Sendable (HTTPBodyEnd) -> Void) {
        let end = state.withLock { state in
            if state.end == nil { state.handlers.append(handler) }
            return state.end
        }
        if let end { handler(end) }
    }

    private func finish(_ end: HTTPBodyEnd) {
        let handlers = state.withLock { state in
            guard state.end == nil else { return [] as [@Sendable (HTTPBodyEnd) -> Void] }
            state.end = end
            defer { state.handlers = [] }
            return state.handlers
        }
        for handler in handlers { handler(end) }
    }
}

/// The one reader of a stream: dropping it before the end gives the rest up.
final class HTTPBodyReader: Sendable {
    let stream: HTTPBodyStream

    init(_ stream: HTTPBodyStream) throws(HTTPError) {
        try stream.claim()
        self.stream = stream
    }

    deinit { stream.abandon() }
}
