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
    var stream: TransferStream?
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
