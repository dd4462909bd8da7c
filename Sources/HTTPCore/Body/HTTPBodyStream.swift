package import PortableFoundation

/// The state of a one-shot body, shared by all its copies: how it is used, and how it ended.
///
/// Releasing the last reference before the end abandons the rest.
final class HTTPBodyStream: Sendable {
    private enum Use {
        case unread
        /// The body is being iterated or written to a file, or was discarded.
        case claimed
        case collecting(waiters: [Waiter<Void>])
        case collected(Result<Data, any Error>)
    }

    private struct State {
        var use = Use.unread
        /// Set once. The handlers are called when the resources of the body are free again.
        var end: HTTPBodyEnd?
        var isTold = false
        var handlers: [@Sendable (HTTPBodyEnd) -> Void] = []
        /// The error of a reading that begins now, and whether there was one.
        var refusal: HTTPError?
        var wasRefused = false

        /// The error of a reading that begins now, which it records.
        mutating func refused() -> HTTPError? {
            if refusal != nil { wasRefused = true }
            return refusal
        }
    }

    let source: any HTTPBodySource
    private let state = Locked(State())

    init(_ source: any HTTPBodySource) { self.source = source }

    deinit { drop() }

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
        try state.withLock { state throws(HTTPError) in
            if let refusal = state.refused() { throw refusal }
            guard case .unread = state.use, state.end == nil else {
                throw HTTPError.bodyAlreadyRead
            }
            state.use = .claimed
        }
    }

    // MARK: Permission

    /// Refuses to begin a reading, until ``permit()``.
    func refuse(_ error: HTTPError) {
        state.withLock { ($0.refusal, $0.wasRefused) = (error, false) }
    }

    /// Permits readings again.
    ///
    /// - Returns: `true` if a reading was refused since ``refuse(_:)``.
    @discardableResult
    func permit() -> Bool {
        state.withLock { state in
            state.refusal = nil
            return state.wasRefused
        }
    }

    /// `nil`, since a stream has no bytes in memory. To ask for them counts as a reading.
    var withoutBytes: Data? {
        state.withLock { _ = $0.refused() }
        return nil
    }

    // MARK: Reading, after claim()

    func next() async throws -> Data? {
        // A source that has ended is not read again, and a failure remains.
        switch state.withLock({ $0.end }) {
        case nil: break
        case .complete: return nil
        case .failed(let error): throw error
        case .abandoned: throw HTTPError.bodyGivenUp
        }
        do {
            if let data = try await source.next() { return data }
        } catch {
            try finishReading(.failed(error))
        }
        try finishReading(.complete(trailers: source.trailers))
        return nil
    }

    /// Ends the reading. If another holder has abandoned or discarded the body before, the reader
    /// gets an error, whatever the source returns: what it has read is not the whole body.
    ///
    /// - Throws: The reason why the body is not complete.
    private func finishReading(_ end: HTTPBodyEnd) throws {
        switch (finish(end), end) {
        case (.complete, _): break
        case (.failed(let error), _): throw error
        case (.abandoned, .failed(let error)) where error is CancellationError && Task.isCancelled:
            throw error
        case (.abandoned, _): throw HTTPError.bodyGivenUp
        }
    }

    func write(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64 {
        try claim()
        var count: Int64 = 0
        do {
            count = try await source.write(toDescriptor: descriptor, at: offset)
        } catch {
            source.abandon()
            try finishReading(.failed(error))
        }
        try finishReading(.complete(trailers: source.trailers))
        return count
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
                    if let refusal = state.refused() { throw refusal }
                    guard state.end == nil else { throw HTTPError.bodyAlreadyRead }
                    state.use = .collecting(waiters: [])
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
        var whole = Data()
        do {
            if let length, length > limit { throw HTTPError.bodyTooLarge(limit: limit) }
            while let piece = try await next() {
                guard whole.count + piece.count <= limit else {
                    throw HTTPError.bodyTooLarge(limit: limit).beginning(
                        whole.isEmpty ? piece : whole)
                }
                if whole.isEmpty {
                    whole = piece  // one piece, the common case, is not copied
                    // The server may send any length: reserve no more than the default limit.
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
            return .failure((error as? HTTPError)?.beginning(whole) ?? error)
        }
    }

    private func finishCollecting(_ result: Result<Data, any Error>) {
        let waiters: [Waiter<Void>] = state.withLock { state in
            guard case .collecting(let waiters) = state.use else { return [] }
            state.use = .collected(result)
            return waiters
        }
        waiters.resumeAll()
    }

    /// Waits for another task's `collect`. A cancelled waiter stops waiting, but reading continues;
    /// only the cancellation of the reading task ends the body.
    private func waitForCollector() async throws {
        let waiter = Waiter<Void>()
        guard changeWaiters({ $0.append(waiter) }) else { return }
        defer { changeWaiters { waiters in waiters.removeAll { $0 === waiter } } }
        try await waiter.value()
    }

    /// Returns `true` if a task is collecting.
    @discardableResult
    private func changeWaiters(_ change: (inout [Waiter<Void>]) -> Void) -> Bool {
        state.withLock { state in
            guard case .collecting(var waiters) = state.use else { return false }
            state.use = .collecting(waiters: [])  // keeps the array unique
            change(&waiters)
            state.use = .collecting(waiters: waiters)
            return true
        }
    }

    // MARK: Ending

    func discard() async {
        // First settle the end, then tell the source: the source may resume a reader, which must
        // find the body abandoned.
        let earlier = settle(.abandoned, claiming: true)
        if earlier != nil, state.withLock({ $0.isTold }) { return }
        await source.discard()
        if earlier == nil { tell(.abandoned) }
    }

    func abandon() {
        if drop() { return }
        // Ends a discard that still waits for the rest.
        if !state.withLock({ $0.isTold }) { source.abandon() }
    }

    /// Abandons the body if it has not ended. Unlike ``abandon()``, lets a discard that has begun
    /// continue.
    ///
    /// - Returns: `true` if the body had not ended before.
    @discardableResult
    func drop() -> Bool {
        guard settle(.abandoned) == nil else { return false }
        source.abandon()
        tell(.abandoned)
        return true
    }

    func whenEnded(_ handler: @escaping @Sendable (HTTPBodyEnd) -> Void) {
        let end = state.withLock { state in
            if !state.isTold { state.handlers.append(handler) }
            return state.isTold ? state.end : nil
        }
        if let end { handler(end) }
    }

    /// Ends the body, unless it has ended.
    ///
    /// - Returns: How the body has ended.
    @discardableResult
    private func finish(_ end: HTTPBodyEnd) -> HTTPBodyEnd {
        if let earlier = settle(end) { return earlier }
        tell(end)
        return end
    }

    /// Records how the body ends.
    ///
    /// - Returns: `nil`, or how the body had ended before.
    private func settle(_ end: HTTPBodyEnd, claiming: Bool = false) -> HTTPBodyEnd? {
        state.withLock { state in
            if claiming, case .unread = state.use { state.use = .claimed }
            if let earlier = state.end { return earlier }
            state.end = end
            return nil
        }
    }

    private func tell(_ end: HTTPBodyEnd) {
        let handlers = state.withLock { state in
            state.isTold = true
            defer { state.handlers = [] }
            return state.handlers
        }
        for handler in handlers { handler(end) }
    }
}

/// The only reader of a stream. Releasing it before the end abandons the rest.
package final class HTTPBodyReader: Sendable {
    let stream: HTTPBodyStream

    init(_ stream: HTTPBodyStream) throws(HTTPError) {
        try stream.claim()
        self.stream = stream
    }

    deinit { stream.drop() }

    package func next() async throws -> Data? { try await stream.next() }

    /// Ends the stream, and a wait for its next piece. May be called from any thread.
    package func abandon() { stream.abandon() }
}
