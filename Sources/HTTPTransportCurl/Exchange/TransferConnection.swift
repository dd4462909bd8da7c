import HTTPCore

/// The connection that a transfer uses, and what is known of it and of the attempts to make it.
struct TransferConnection {
    /// The sockets that libcurl has made for the transfer. Some may be closed by now.
    var openedDescriptors: [Int32] = []
    var use = ConnectionUse.none
    /// `true` if no connection may be made, because the addresses that are known are too old.
    var isLimitedToKept = false
    /// `true` if no kept connection may be used, because one of them could not be.
    var isToBeNew = false
    /// The error because of which no socket could be made; 0 for none.
    var socketError: Int32 = 0
    /// `true` if an address was refused. ``hasPermittedAddress`` is `true` if another was not.
    var isBlocked = false
    var hasPermittedAddress = false
    /// The system's error when the request was sent. It belongs to an address that was tried
    /// before.
    var staleSystemError: Int?
    /// `true` if the connection cannot speak HTTP/2, whatever the status line says.
    var speaksHTTP1 = false
    /// The known end of the HTTP/2 stream that carries the request.
    var stream = StreamEnd()
    /// The window of that stream.
    var window = StreamWindow()
    /// The host whose look-up was reported, and whose addresses are not known yet.
    var lookedUp: String?
    var remoteHost: String?
    var remotePort: Int?
    var tlsVersion: String?
    /// The series of connections that the handle was set up for. See ``Lane/series``.
    var series = 0
    /// `true` if the HTTP/3 connection is watched, because no response has come for long.
    var isSuspected = false
    /// `true` if something has come over the HTTP/3 connection since the request was sent.
    var isHeard = false
    /// `true` if no further exchange uses the HTTP/3 connection, because it seems to be lost.
    var isGivenUp = false
    /// The last interests that libcurl reported for the socket.
    var awaitsInput = true
    var awaitsOutput = true

    // The counts and times at the end, from libcurl.

    var marks: (name: Duration?, connect: Duration?, secure: Duration?)
    var isReused: Bool?
    var openedCount = 0
    /// The bytes of the response's body as they came, and those of the request's body.
    var receivedBytes: Int64 = 0
    var sentBytes: Int64 = 0

    /// The connection is to be made anew, for another start.
    mutating func startAgain() {
        openedDescriptors = []
        lookedUp = nil
        isLimitedToKept = false
        socketError = 0
        isSuspected = false
        isHeard = false
        isGivenUp = false
    }
}
