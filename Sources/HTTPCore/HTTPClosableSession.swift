/// A session that can be closed: a transport, or a client over one.
public protocol HTTPClosableSession: HTTPSession {
    /// Refuses new requests with `sessionClosed`, waits for exchanges under way and for bodies that
    /// have not ended, and frees the connections.
    ///
    /// Returns when everything is free. May be called again, and from several tasks. Cancelling the
    /// calling task ends the grace at once.
    ///
    /// - Parameter grace: how long exchanges under way may last; then they fail with
    ///   `sessionClosed`.
    func close(grace: Duration) async
}
