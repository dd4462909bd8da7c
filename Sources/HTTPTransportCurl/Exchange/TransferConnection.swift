import CHTTPTransportCurl
import HTTPCore

/// The connection that a transfer uses, and what is known of it and of the attempts to make it.
struct TransferConnection {
    /// The connections that may be used.
    enum Choice {
        case any
        /// None may be made, because the addresses that are known are too old.
        case keptAlone
        /// No kept one may be used, because one of them could not be.
        case newAlone
    }

    /// The verdict of the address policy on the addresses that were tried.
    enum Permission {
        case untried, refused
        /// There was one that it permits.
        case granted
    }

    /// The sockets that libcurl has made for the transfer. Some may be closed by now.
    var openedDescriptors: [Int32] = []
    var use = ConnectionUse.none
    var choice = Choice.any
    var permission = Permission.untried
    /// The error because of which no socket could be made; 0 for none.
    var socketError: Int32 = 0
    /// The system's error when the request was sent. It belongs to an address that was tried
    /// before.
    var staleSystemError: Int?
    /// `true` if the connection cannot speak HTTP/2, whatever the status line says.
    var speaksHTTP1 = false
    /// The known end of the HTTP/2 stream that carries the request.
    var stream = StreamEnd()
    /// The window of that stream.
    var window = StreamWindow()
    /// The watch over an HTTP/3 connection on which no response has come for long.
    var watch = QUICWatch.none
    /// The host whose look-up was reported, and whose addresses are not known yet.
    var lookedUp: String?
    /// The host, without a port if it is the path of a socket.
    var remote: (host: String, port: Int?)?
    var tlsVersion: String?
    /// The series of connections that the handle was set up for. See ``Lane/series``.
    var series = 0
    /// The last interests that libcurl reported for the socket, in the bits of `CHTTP_POLL_…`.
    var interest = CHTTP_POLL_IN | CHTTP_POLL_OUT

    // The counts and times, as libcurl last told them.

    var marks: (name: Duration?, connect: Duration?, secure: Duration?)
    /// The number of connections that were made for the transfer.
    var openedCount: Int?
    /// The bytes of the response's body as they came, and those of the request's body.
    var receivedBytes: Int64 = 0
    var sentBytes: Int64 = 0

    var awaitsInput: Bool { interest & CHTTP_POLL_IN != 0 }
    var awaitsOutput: Bool { interest & CHTTP_POLL_OUT != 0 }

    /// The connection is to be made anew, for another start.
    mutating func startAgain() {
        openedDescriptors = []
        lookedUp = nil
        if choice == .keptAlone { choice = .any }
        socketError = 0
        watch = .none
    }
}
