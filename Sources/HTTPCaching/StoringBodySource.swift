import HTTPCore
import PortableFoundation

/// The body of a response that is stored while the caller reads it: each piece is given to the
/// store before the next one is fetched, so a slow reader or a slow store slows the sender.
///
/// The response becomes visible once its last byte was read. A caller that abandons or discards the
/// body ends the storing, too: nothing is fetched that no caller reads.
final class StoringBodySource: HTTPBodySource {
    private let cursor: HTTPBodyCursor
    /// The store's side, until the response is stored or given up.
    private let writer: Locked<StoringWriter?>

    init(_ body: HTTPBody, _ writer: StoringWriter) {
        cursor = HTTPBodyCursor(body)
        self.writer = Locked(writer)
    }

    deinit { dropStored() }

    func next() async throws -> Data? {
        do {
            return try await cursor.next { piece in
                if let piece {
                    if let writer = writer.withLock({ $0 }), await !writer.append(piece) {
                        self.writer.withLock { $0 = nil }
                    }
                } else if let writer = writer.withLock({ $0.take() }) {
                    await writer.commit(trailers: cursor.body.trailers)
                }
            }
        } catch {
            dropStored()
            throw error
        }
    }

    func abandon() {
        cursor.abandon()
        dropStored()
    }

    func discard() async {
        await cursor.discard()
        dropStored()
    }

    var trailers: HTTPHeaders? { cursor.body.trailers }

    /// Drops what was stored without its end.
    private func dropStored() { writer.withLock { $0.take() }?.abandon() }
}
