/// The use of an HTTP/3 service that the server has announced (RFC 7838).
final class HTTP3Use {
    enum Purpose {
        /// An exchange of a caller, which waits that long for a connection, in nanoseconds.
        /// `isReconnecting` is `true` while libcurl makes another connection for a request that it
        /// has written over a kept one, which has ended, and that may be sent again.
        case exchange(patience: Int64, isReconnecting: Bool = false)
        /// A transfer of the loop's own, which opens the first connection and sends no request. The
        /// connection was found to be usable at that moment.
        case opening(connected: Int64? = nil)
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
    var purpose: Purpose
    var wait = Wait()

    init(service: HTTP3Availability.Service, home: Lane, purpose: Purpose) {
        self.service = service
        self.home = home
        self.purpose = purpose
    }

    var isOpening: Bool { if case .opening = purpose { true } else { false } }
    var isReconnecting: Bool { if case .exchange(_, true) = purpose { true } else { false } }
}
