import HTTPCore

/// The moments of a transfer, in the loop's monotonic nanoseconds.
struct TransferTimes {
    /// The moment when the transfer got its turn.
    var admitted: Int64?
    /// The moment when it began to wait for another turn, without HTTP/3.
    var requeued: Int64?
    /// The moment when it began to wait for the resolver, and the moment when that wait ends.
    var lookupStart: Int64?
    var lookupDue: Int64?
    /// The time that it has waited for the resolver.
    var lookupTime: Int64 = 0
    /// The moment until which it does not wait for its turn, because the server has refused it
    /// several times.
    var restDue: Int64?
    /// The moment when it no longer waits for the settings of a connection.
    var settlingDue: Int64?
    /// The moment when the transfer was last given to libcurl, from which libcurl counts.
    var started: Int64?
    /// The moment when the request was first about to be written.
    var sending: Int64?
    /// The moment when the TLS handshake under way began; `nil` once the request may be written.
    var securing: Int64?
    /// The moment when libcurl took the last byte of the request's body, or was last found not to
    /// have written it; `nil` once it is written.
    var bodyTaken: Int64?
    /// The moment when the request was written, as far as is known; `nil` while any of it is still
    /// to be sent.
    var requestSent: Int64?
    /// The moment when the request was last about to be written.
    var written: Int64?
    /// The moment when it was last examined whether the HTTP/3 connection is lost.
    var lostCheck: Int64?
    var firstByte: Int64?
    var lastByte: Int64?
    /// The last moment when something was sent or received, or something was waited for that is not
    /// the server.
    var lastActivity: Int64
    /// The moment when the exchange goes on without HTTP/3 if it is not connected by then.
    var alternativeDue: Int64?
    /// The moment when the attempts to connect are examined. See ``AddressRace``.
    var raceDue: Int64?
    /// The moment when a paused transfer over HTTP/3 last let libcurl keep its connection alive, or
    /// when it was paused.
    var keptAlive: Int64?
    /// The moment when the wait for the rest of a response without a reader ends.
    var drainDue: Int64?

    /// A connection is to be made, over which the request is sent from its beginning.
    mutating func startAgain() {
        securing = nil
        bodyTaken = nil
        requestSent = nil
    }
}
