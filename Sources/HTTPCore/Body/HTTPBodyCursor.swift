package import PortableFoundation

/// The place of a reader in a body, for a source that passes the body on.
///
/// Calls of ``next(_:)`` never overlap, but the body may be abandoned while one waits, or when it
/// has just got a piece. The iterator is therefore taken out meanwhile, and is not put back once
/// the body was given up. Releasing the cursor abandons what was not read.
package final class HTTPBodyCursor: Sendable {
    private struct State {
        var iterator: HTTPBody.AsyncIterator?
        var isOver = false
    }

    package let body: HTTPBody
    private let state: Locked<State>

    package init(_ body: HTTPBody) {
        self.body = body
        state = Locked(State(iterator: body.makeAsyncIterator()))
    }

    deinit { end() }

    /// Returns the next piece, or `nil` after the last, once `handle` has got it.
    ///
    /// - Throws: The error of the body or of `handle`, which ends the reading; `bodyAlreadyRead` if
    ///   the body was given up.
    package func next(_ handle: (Data?) async throws -> Void) async throws -> Data? {
        guard var iterator = state.withLock({ $0.iterator.take() }) else {
            throw HTTPError.bodyAlreadyRead
        }
        let piece: Data?
        do {
            piece = try await iterator.next()
            try await handle(piece)
        } catch {
            abandon()
            throw error
        }
        let isOver = state.withLock { state in
            guard !state.isOver else { return true }
            state.iterator = iterator
            return false
        }
        if isOver { throw HTTPError.bodyAlreadyRead }
        return piece
    }

    package func abandon() {
        body.abandon()
        end()
    }

    package func discard() async {
        await body.discard()
        end()
    }

    /// Releases the iterator, which abandons the body that it reads.
    private func end() {
        let iterator = state.withLock { state in
            state.isOver = true
            return state.iterator.take()
        }
        _ = consume iterator
    }
}
