/// The sends of a request, and the policy for those with which libcurl itself repeats it.
///
/// libcurl sends again if nothing of a response has come, for one of two reasons. Either the
/// connection had been kept from an earlier request and was dead. Or the server has refused the
/// stream, by REFUSED_STREAM or by a GOAWAY below its number, and so has not processed the request
/// (RFC 9113 §8.7). ``refuse()`` records the second reason where the library's streams are seen.
/// Elsewhere, a connection that the transfer itself has opened can only have refused.
struct Resends {
    /// A send as it is about to begin.
    struct Send {
        /// The number of connections that the transfer has opened so far.
        var connections: Int
        /// The number of bytes of requests that libcurl has taken since its last start.
        var bytes: Int
        var isIdempotent: Bool
        /// `true` if ``Resends/refuse()`` reports every refusal of this connection.
        var seesStreams: Bool
    }

    /// The last send.
    private enum Last {
        /// None has begun, or it is known whether it may have been processed.
        case ended
        case underWay
        /// The server has said that it does not process it.
        case refused
    }

    enum Writing {
        case first, again
        /// The request may not be written: libcurl ends the transfer.
        case refused
    }

    /// The number of times that the request was about to be written.
    private(set) var count = 0
    /// The number of times that libcurl was allowed to write the request again.
    private(set) var repeatCount = 0
    /// `true` if libcurl wanted to write the request again and was not allowed to.
    private(set) var isVetoed = false
    /// `true` if no server has read what was written.
    private var isUnread = false
    private var last = Last.ended
    private var opened = 0
    private var bytes = 0
    private var isOwnConnection = false
    /// `true` if no send that has ended can have been processed.
    private var isUnprocessed = true

    /// `true` if no server can have processed the request.
    var reachedNoServer: Bool { isUnread || isUnprocessed && last != .underWay }

    /// `true` if the server has said that it does not process the last send.
    var isLastRefused: Bool { last == .refused }

    /// Records that the server does not process the last send (RFC 9113 §8.7).
    mutating func refuse() { if last == .underWay { last = .refused } }

    /// The server has ended the handshake after the request was written, and so has not read it.
    mutating func foundUnread() { isUnread = true }

    /// The request is about to be written, for the first time or again.
    mutating func write(_ send: Send) -> Writing {
        count += 1
        let isPermitted = permits(send)
        guard count > 1 else { return .first }
        isVetoed = !isPermitted
        if isPermitted { repeatCount += 1 }
        return isPermitted ? .again : .refused
    }

    private mutating func permits(_ send: Send) -> Bool {
        endLast(hasWritten: send.bytes > bytes, seesStreams: send.seesStreams)
        bytes = send.bytes
        isOwnConnection = send.connections > opened
        opened = send.connections
        guard isUnprocessed || send.isIdempotent else { return false }
        last = .underWay
        return true
    }

    /// Records that libcurl is given the request anew, with counts of its own.
    ///
    /// - Parameter taken: The number of bytes that libcurl has taken since its last start.
    mutating func startAgain(taken: Int) {
        endLast(hasWritten: taken > bytes, seesStreams: true)
        bytes = 0
        opened = 0
        isOwnConnection = false
    }

    private mutating func endLast(hasWritten: Bool, seesStreams: Bool) {
        if last == .underWay, hasWritten, seesStreams || !isOwnConnection { isUnprocessed = false }
        last = .ended
    }
}
