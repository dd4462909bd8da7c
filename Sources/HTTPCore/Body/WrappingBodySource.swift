package import PortableFoundation

/// The functions that see the pieces and the end of a body that passes another one on.
///
/// They are called one after the other, and none is called after ``ended``.
package struct HTTPBodyHooks: Sendable {
    package enum Passage: Sendable {
        /// These bytes are passed on. If there are none, the next piece is read.
        case bytes(Data)
        /// These bytes are the last. The rest of the other body is abandoned.
        case last(Data)
    }

    /// Called before each reading of the other body. An error ends both bodies.
    package var reading: (@Sendable () throws -> Void)?
    /// Returns the bytes to pass on for a piece. An error ends both bodies.
    package var piece: (@Sendable (Data) async throws -> Passage)?
    /// Called at the end of the other body. An error makes this body fail.
    package var finishing: (@Sendable (_ trailers: HTTPHeaders?) async throws -> Void)?
    /// Returns the error to throw for an error of the other body.
    package var failure: (@Sendable (any Error) -> any Error)?
    /// Called exactly once, when the resources of the other body are free again. May be called
    /// from a `deinit`, and while another function still runs.
    package var ended: (@Sendable (HTTPBodyEnd) -> Void)?

    package init(
        reading: (@Sendable () throws -> Void)? = nil,
        piece: (@Sendable (Data) async throws -> Passage)? = nil,
        finishing: (@Sendable (_ trailers: HTTPHeaders?) async throws -> Void)? = nil,
        failure: (@Sendable (any Error) -> any Error)? = nil,
        ended: (@Sendable (HTTPBodyEnd) -> Void)? = nil
    ) {
        self.reading = reading
        self.piece = piece
        self.finishing = finishing
        self.failure = failure
        self.ended = ended
    }
}

extension HTTPBody {
    /// Returns a one-shot body of the same length that passes this one on through `hooks`.
    package func wrapped(_ hooks: HTTPBodyHooks) -> HTTPBody {
        HTTPBody(source: WrappingBodySource(self, hooks), length: length)
    }
}

/// A source that passes another body on.
///
/// It ends exactly once: complete when its last bytes were passed on, failed with the error of a
/// reading or a hook, or abandoned, also if it is released before its end. A cancelled reading is
/// one that failed. If it is abandoned or discarded while a piece is read or a hook runs, the
/// reading fails, and the piece is not passed on.
package final class WrappingBodySource: WrittenSource {
    private struct State {
        /// Taken out during a reading.
        var iterator: HTTPBody.AsyncIterator?
        /// The bytes before those of the iterator.
        var first: Data?
        var end: End?
    }

    private enum End { case complete, early }

    private let body: HTTPBody
    private let hooks: HTTPBodyHooks
    private let state: Locked<State>

    /// - Parameters:
    ///   - iterator: The iterator that has begun to read `body`, if one has.
    ///   - first: The bytes that it has read.
    package init(
        _ body: HTTPBody, _ hooks: HTTPBodyHooks,
        continuing iterator: sending HTTPBody.AsyncIterator? = nil, after first: Data? = nil
    ) {
        self.body = body
        self.hooks = hooks
        state = Locked(State(iterator: iterator ?? body.makeAsyncIterator(), first: first))
    }

    deinit {
        if settle(.early) { hooks.ended?(.abandoned) }
    }

    // MARK: Reading

    package func next() async throws -> Data? {
        guard var iterator = try begin() else { return nil }
        do {
            while let piece = try await read(&iterator) {
                switch try await hooks.piece?(piece) ?? .bytes(piece) {
                case .bytes(let bytes) where bytes.isEmpty: continue
                case .bytes(let bytes):
                    try putBack(iterator)
                    return bytes
                case .last(let bytes):
                    try complete(isWhole: false)
                    return bytes.isEmpty ? nil : bytes
                }
            }
            try await hooks.finishing?(body.trailers)
            try complete(isWhole: true)
            return nil
        } catch {
            fail(error)
            throw error
        }
    }

    package func write(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64 {
        // Without hooks for pieces, the other body may have a shorter way.
        guard hooks.piece == nil, hooks.reading == nil, state.withLock({ $0.first == nil }) else {
            return try await writePieces(toDescriptor: descriptor, at: offset)
        }
        guard try begin() != nil else { return 0 }
        do {
            let count: Int64
            do {
                count = try await body.write(toDescriptor: descriptor, at: offset)
            } catch {
                throw explained(error)
            }
            try await hooks.finishing?(body.trailers)
            try complete(isWhole: true)
            return count
        } catch {
            fail(error)
            throw error
        }
    }

    /// Returns the place to read on, or `nil` after a complete end.
    private func begin() throws -> HTTPBody.AsyncIterator? {
        let (iterator, end) = state.withLock { state in
            (state.end == nil ? state.iterator.take() : nil, state.end)
        }
        guard iterator != nil || end == .complete else { throw HTTPError.bodyAlreadyRead }
        return iterator
    }

    /// Returns the next piece of the other body for the hooks, or `nil` after the last.
    private func read(_ iterator: inout HTTPBody.AsyncIterator) async throws -> Data? {
        try checkNotOver()
        try hooks.reading?()
        if let first = state.withLock({ $0.first.take() }) { return first }
        do {
            let piece = try await iterator.next()
            try checkNotOver()
            return piece
        } catch {
            throw explained(error)
        }
    }

    private func checkNotOver() throws {
        guard state.withLock({ $0.end == nil }) else { throw HTTPError.bodyAlreadyRead }
    }

    private func explained(_ error: any Error) -> any Error {
        guard let failure = hooks.failure, state.withLock({ $0.end == nil }) else { return error }
        return failure(error)
    }

    private func putBack(_ iterator: HTTPBody.AsyncIterator) throws {
        let isOver = state.withLock { state in
            if state.end == nil { state.iterator = iterator }
            return state.end != nil
        }
        if isOver { throw HTTPError.bodyAlreadyRead }
    }

    package var trailers: HTTPHeaders? { body.trailers }

    // MARK: Ending

    /// - Parameter isWhole: `true` if the other body was read to its end.
    /// - Throws: `bodyAlreadyRead` if this body has ended before.
    private func complete(isWhole: Bool) throws {
        guard settle(.complete) else { throw HTTPError.bodyAlreadyRead }
        if !isWhole { body.abandon() }
        hooks.ended?(.complete(trailers: body.trailers))
    }

    private func fail(_ error: any Error) {
        let isFirst = settle(.early)
        body.abandon()
        if isFirst { hooks.ended?(.failed(error)) }
    }

    package func abandon() {
        let isFirst = settle(.early)
        body.abandon()
        releaseReader()
        if isFirst { hooks.ended?(.abandoned) }
    }

    package func discard() async {
        let isFirst = settle(.early)
        await body.discard()
        releaseReader()
        if isFirst { hooks.ended?(.abandoned) }
    }

    /// Records the end of this body.
    ///
    /// - Returns: `false` if it had ended before.
    private func settle(_ end: End) -> Bool {
        state.withLock { state in
            guard state.end == nil else { return false }
            state.end = end
            return true
        }
    }

    /// Lets go of the place to read on, which may hold what a body that can be read again has
    /// opened. The other body was told before: it would take this for the end.
    private func releaseReader() { _ = state.withLock { $0.iterator.take() } }

    // MARK: Writers

    package func willBeRead() { body.willBeRead() }
    package func leave(because reason: HTTPError) { body.writtenSource?.leave(because: reason) }
    package func end(because reason: HTTPError) { body.writtenSource?.end(because: reason) }
}
