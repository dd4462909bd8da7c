/// The use of an HTTP/3 service that the server has announced (RFC 7838).
struct HTTP3Use {
    enum Purpose: Equatable {
        /// An exchange of a caller.
        case exchange
        /// A transfer of the loop's own, which opens the first connection and sends no request.
        case opening
    }

    /// The wait for a connection.
    struct Wait {
        /// The moment when the first socket was made.
        var socketMade: Int64?
        /// The moment when the exchange goes on without HTTP/3 if it is not connected by then.
        var due: Int64?
        /// The moment when half of the exchange's own time to connect is over.
        var hurriedDue: Int64?
    }

    let service: HTTP3Availability.Service
    /// The lane of the origin's exchanges without the service.
    let home: Lane
    let purpose: Purpose
    /// The time that an exchange waits for a connection, in nanoseconds.
    let patience: Int64
    var wait = Wait()
    /// `true` while libcurl makes another connection for a request that it has written over a kept
    /// one, which has ended, and that may be sent again.
    var isReconnecting = false
    /// The moment when the connection was found to be usable.
    var connected: Int64?
}
