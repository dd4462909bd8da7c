import HTTPCore

/// The moments of a transfer, in the loop's monotonic nanoseconds.
struct TransferTimes {
    /// The moment when the transfer got its turn.
    var admitted: Int64?
    /// The moment when it began to wait for another turn, without HTTP/3.
    var requeued: Int64?
    /// The moment when the transfer was last given to libcurl, from which libcurl counts.
    var started: Int64?
    /// The moment when the request was first about to be written.
    var sending: Int64?
    /// The moment when the request was last about to be written over HTTP/3.
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
    /// The moment when a paused transfer over HTTP/3 last let libcurl keep its connection alive, or
    /// when it was paused.
    var keptAlive: Int64?
    /// The moment when the wait for the rest of a response without a reader ends.
    var drainDue: Int64?
}
