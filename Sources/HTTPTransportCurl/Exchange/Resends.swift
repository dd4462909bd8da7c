/// A policy for requests that libcurl itself sends again.
///
/// libcurl does so if nothing of a response has come, for one of two reasons. Either the connection
/// had been kept from an earlier request and was dead. Or the server has refused the stream, by
/// REFUSED_STREAM or by a GOAWAY below its number, and so has not processed the request (RFC 9113
/// §8.7). Over a connection that the transfer itself has opened, only the second reason is
/// possible. Over a kept connection, libcurl does not say which reason it was, except for a GOAWAY,
/// which ``refuse()`` records.
struct Resends {
    /// The maximum number of times that a request is written.
    static let limit = 3

    private var starts = 0
    private var opened = 0
    private var isOwnConnection = false
    /// `true` if no send so far can have been processed.
    private var isUnprocessed = true
    /// `true` if the server has said that it does not process the last send.
    private(set) var isLastRefused = false
    private var isVetoed = false

    /// `true` if every send ended unprocessed and the last one was not repeated.
    var isRefused: Bool { isUnprocessed && (isVetoed || isLastRefused) }

    /// Records that the server does not process the last send (RFC 9113 §6.8).
    mutating func refuse() { isLastRefused = true }

    /// Records that the request is about to be written. Returns `true` if it may be.
    ///
    /// - Parameters:
    ///   - connections: The number of connections that the transfer has opened so far.
    ///   - hasSent: `true` if part of the request was written before.
    mutating func permits(connections: Int, hasSent: Bool, isIdempotent: Bool) -> Bool {
        starts += 1
        if hasSent, !isOwnConnection, !isLastRefused { isUnprocessed = false }
        isLastRefused = false
        isOwnConnection = connections > opened
        opened = connections
        guard hasSent else { return true }
        guard starts <= Self.limit, isUnprocessed || isIdempotent else {
            isVetoed = true
            return false
        }
        return true
    }
}
