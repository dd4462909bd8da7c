import CHTTPTransportCurl
import HTTPCore

/// The loop as its transfers see it.
protocol TransferLoop: AnyObject {
    var settings: LoopSettings { get }
    var library: CurlLibrary { get }
    var share: CurlShare { get }
    var blocks: BlockPool { get }
    var socketCloser: UnsafeMutablePointer<chttp_socket_closer> { get }

    /// The time of the turn, in monotonic nanoseconds.
    var now: Int64 { get }

    /// Records that a transfer has sent or received something, with this many bytes of content.
    /// Returns the turn's time.
    func progress(content bytes: Int) -> Int64

    /// Returns the seconds for which a connection of `lane` may have been idle to be used again.
    func idleLimit(_ lane: Lane) -> Int

    /// Records what a head that came for `transfer` says about its server.
    func learn(_ version: HTTPVersion?, for transfer: Transfer, idleTimeout: Int?)

    /// Records the `Alt-Svc` of a response of this age.
    func announced(_ text: String, age: Duration, by transfer: Transfer)

    /// Returns the addresses that the resolver has found for a name.
    func addresses(of name: HostLookups.Name) -> [IPAddress]

    /// Decides whether a request may be written over the connection between these ends.
    func willSend(
        _ transfer: Transfer, between ends: KeptConnections.Ends, isNew: Bool
    ) -> Connections.Beginning

    /// Returns the time at which something last came over the connection of `transfer`.
    func lastHeard(by transfer: Transfer) -> Int64?

    /// Records that the request of `transfer` is about to be written over a connection that
    /// several exchanges may share.
    func wrote(_ transfer: Transfer, at time: Int64)

    /// The server has refused the stream of `transfer` without processing it.
    func refused(_ transfer: Transfer)

    /// The server has said how many streams it takes on the connection of `transfer`.
    func settled(_ transfer: Transfer)

    /// Returns `true` if another transfer uses the connection of `transfer`, or has used it.
    func sharesConnection(_ transfer: Transfer) -> Bool

    func opened(_ descriptor: Int32, for lane: Lane)

    /// Returns the addresses that sockets with this local port are connected to, of those that
    /// libcurl believes to be connected to others; `nil` if there are none.
    func replacedAddresses(_ lane: Lane, localPort: Int32) -> ReplacedAddresses?

    /// No further address is tried for the transfer.
    func endRace(of transfer: Transfer)

    /// The transfer has ended or is paused. Others may have to read its connection.
    func stopsReading(_ transfer: Transfer)

    /// The transfer sends on in the next turn.
    func hold(_ transfer: Transfer)

    /// The transfer has something to deliver after libcurl has returned.
    func willFlush(_ transfer: Transfer)

    func schedule(_ transfer: Transfer)

    /// The task is resumed together with others of this turn.
    func willResume(_ suspension: Suspension)

    /// Ends a transfer wherever it is. Nothing of it remains in libcurl, in a queue or in the heap.
    func finish(_ transfer: Transfer, _ end: Exchange.End)
}

extension TransferLoop {
    func replacedAddresses(_ lane: Lane, localPort: Int32) -> ReplacedAddresses? { nil }
    func lastHeard(by transfer: Transfer) -> Int64? { nil }
    func endRace(of transfer: Transfer) {}
    func sharesConnection(_ transfer: Transfer) -> Bool { false }
}

/// The loop as those of its objects see it that move transfers.
protocol TransferMover: TransferLoop {
    /// All transfers that are not over.
    var all: [Transfer] { get }

    /// Returns the transfer with this number, or `nil` if none has it.
    func transfer(_ slot: Int) -> Transfer?

    /// Returns the lane of the HTTP/3 service of a lane's origin.
    func lane(to service: HTTP3Availability.Service, of home: Lane) -> Lane

    func add(_ exchange: Exchange, in lane: Lane) -> Transfer

    /// Starts a transfer, or has it wait for its turn.
    func enter(_ transfer: Transfer)

    /// Gives a transfer to libcurl that has its turn, and the addresses that it may need.
    func begin(_ transfer: Transfer)

    /// Takes a transfer out of libcurl and out of the queue of its lane.
    func detach(_ transfer: Transfer)

    /// Gives a transfer to libcurl once more, as if it had not started yet.
    func startAnew(_ transfer: Transfer, _ reason: FreshStart)

    /// Lets a transfer go on without HTTP/3.
    func leaveHTTP3(_ transfer: Transfer, because reason: String)

    /// Records that a descriptor belongs to a socket that was just made.
    func noteSocket(_ descriptor: Int32)
}
