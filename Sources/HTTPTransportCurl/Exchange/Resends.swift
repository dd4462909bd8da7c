/// Decides whether libcurl may send a request again by itself.
///
/// It does so where nothing of a response has come, for one of two reasons: the connection had been
/// kept from an earlier request and was dead, or the server has refused the stream, by REFUSED_STREAM
/// or by a GOAWAY below its number, and so has not processed the request (RFC 9113 §8.7). Over a
/// connection that the transfer has opened itself only the second is possible; which of the two it
/// was over a kept one, libcurl does not tell, but for the GOAWAY that ``refuse()`` is told of.
struct Resends {
    /// How often a request is written at most.
    static let limit = 3

    private var starts = 0
    private var opened = 0
    private var isOwnConnection = false
    /// No sending so far can have been processed.
    private var isUnprocessed = true
    /// The server has said that it does not process the last sending.
    private(set) var isLastRefused = false
    private var isVetoed = false

    /// Every sending ended unprocessed, and the last one was not repeated.
    var isRefused: Bool { isUnprocessed && (isVetoed || isLastRefused) }

    /// The server has said that it does not process the last sending (RFC 9113 §6.8).
    mutating func refuse() { isLastRefused = true }

    /// The request is about to be written. Returns whether it may be.
    ///
    /// - Parameters:
    ///   - connections: how many the transfer has opened so far.
    ///   - hasSent: something of the request was written before.
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
