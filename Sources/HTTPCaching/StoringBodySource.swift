import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The body of a response that is stored while the caller reads it: each piece is given to the
/// store before the next one is fetched, so a slow reader or a slow store slows the sender.
///
/// The response becomes visible once its last byte was read. A caller that abandons or discards the
/// body ends the storing, too: nothing is fetched that no caller reads.
final class StoringBodySource: HTTPBodySource {
    private struct State {
        var iterator: HTTPBody.AsyncIterator?
        var writer: StoringWriter?
        var isOver = false
    }

    private let body: HTTPBody
    private let state: Locked<State>

    init(_ body: HTTPBody, _ writer: StoringWriter) {
        self.body = body
        state = Locked(State(iterator: body.makeAsyncIterator(), writer: writer))
    }

    deinit { end() }

    func next() async throws -> Data? {
        // Taken out while it waits: calls of `next()` never overlap.
        guard var iterator = state.withLock({ $0.iterator.take() }) else {
            throw HTTPError.bodyAlreadyRead
        }
        let piece: Data?
        do {
            piece = try await iterator.next()
        } catch {
            end()
            throw error
        }
        if let piece {
            if let writer = state.withLock({ $0.writer }), await !writer.append(piece) {
                state.withLock { $0.writer = nil }
            }
        } else if let writer = state.withLock({ $0.writer.take() }) {
            await writer.commit(trailers: body.trailers)
        }
        let isOver = state.withLock { state in
            guard !state.isOver else { return true }
            state.iterator = iterator
            return false
        }
        if isOver { throw HTTPError.bodyAlreadyRead }
        return piece
    }

    func abandon() {
        body.abandon()
        end()
    }

    func discard() async {
        await body.discard()
        end()
    }

    var trailers: HTTPHeaders? { body.trailers }

    /// Releases the iterator, which abandons the body that it reads, and drops what was stored
    /// without its end.
    private func end() {
        let (iterator, writer) = state.withLock { state in
            state.isOver = true
            return (state.iterator.take(), state.writer.take())
        }
        writer?.abandon()
        _ = consume iterator
    }
}
