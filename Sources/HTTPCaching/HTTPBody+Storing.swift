import HTTPCore

extension HTTPBody {
    /// Returns this body, which is stored while the caller reads it: each piece is given to the
    /// store before the next one is fetched, so a slow reader or a slow store slows the sender.
    ///
    /// The response becomes visible once its last byte was read. A caller that abandons or discards
    /// the body ends the storing, too: nothing is fetched that no caller reads.
    func stored(by writer: StoringWriter) -> HTTPBody {
        // Until the response is stored or given up.
        let current = Locked<StoringWriter?>(writer)
        return wrapped(
            HTTPBodyHooks(
                piece: { piece in
                    if let writer = current.withLock({ $0 }), await !writer.append(piece) {
                        current.withLock { $0 = nil }
                    }
                    return .bytes(piece)
                },
                finishing: { await current.withLock { $0.take() }?.commit(trailers: $0) },
                ended: { _ in current.withLock { $0.take() }?.abandon() }))
    }
}
