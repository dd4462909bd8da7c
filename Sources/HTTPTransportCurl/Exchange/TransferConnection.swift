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

    /// The attempts to make a connection.
    struct Attempts {
        /// The sockets that libcurl has made for the transfer. Some may be closed by now.
        var sockets: [Int32] = []
        var permission = Permission.untried
        /// The error because of which no socket could be made; 0 for none.
        var socketError: Int32 = 0
        /// The host whose look-up was reported, and whose addresses are not known yet.
        var lookedUp: String?
    }

    /// The HTTP/2 stream of a transfer, as far as it is known. libcurl does not report it.
    ///
    /// Its end (RFC 9113 §5.1) is known where the library's HTTP/2 is that of nghttp2, as a shared
    /// library.
    struct Stream {
        var window = StreamWindow()
        /// `true` if the server has ended its side (END_STREAM), so that the response is complete.
        var hasEnded = false
        /// `true` if its last frame was a piece of the body, so that no trailers can follow.
        var lacksTrailers = false
        /// The error code with which either side has closed the stream (RFC 9113 §7), 0 for none;
        /// `nil` as long as it is open.
        var error: UInt32?

        /// `true` if the server has not processed the request (REFUSED_STREAM, RFC 9113 §8.7). A
        /// GOAWAY closes the streams above its number with the same code.
        var isRefused: Bool { error == 7 && !hasEnded }
    }

    /// The counts and times, as libcurl last told them.
    struct Counts {
        var marks: (name: Duration?, connect: Duration?, secure: Duration?)
        /// The number of connections that were made for the transfer.
        var opened: Int?
        /// The bytes of the response's body as they came, and those of the request's body.
        var received: Int64 = 0
        var sent: Int64 = 0
    }

    var attempts = Attempts()
    var use = Connections.Use.none
    var choice = Choice.any
    /// The system's error when the request was sent. It belongs to an address that was tried
    /// before.
    var staleSystemError: Int?
    /// `true` if the connection cannot speak HTTP/2, whatever the status line says.
    var speaksHTTP1 = false
    /// The stream that carries the request, once it is written to a connection that may have some.
    var stream: Stream?
    /// The watch over an HTTP/3 connection on which no response has come for long.
    var watch = QUICWatch.none
    /// The host, without a port if it is the path of a socket.
    var remote: (host: String, port: Int?)?
    var tlsVersion: String?
    /// The series of connections that the handle was set up for. See ``Lane/series``.
    var series = 0
    var counts = Counts()

    /// The connection is to be made anew, for another start.
    mutating func startAgain() {
        attempts = Attempts(permission: attempts.permission)
        if choice == .keptAlone { choice = .any }
        watch = .none
    }
}
