import HTTPCore

/// The loop as its transfers see it: what they share, and what it does for them.
///
/// The methods that concern other transfers do nothing here. ``Transfers`` overrides each of them,
/// and tests override those that they look at. Lives on the loop's thread.
class TransferLoop {
    final let settings: LoopSettings
    final let library: CurlLibrary
    final let share: CurlShare
    final let blocks = BlockPool()
    final let turn: LoopTurn
    final let connections: Connections
    final let pools: Pools

    init(
        _ settings: LoopSettings, _ library: CurlLibrary, _ turn: LoopTurn
    ) throws(HTTPError) {
        self.settings = settings
        self.library = library
        self.turn = turn
        share = try CurlShare()
        connections = Connections(needsCookies: library.has(.sequentialAddresses))
        pools = Pools(settings, library, turn)
    }

    /// The time of the turn, in monotonic nanoseconds.
    final var now: Int64 { turn.now }

    // MARK: Connections

    /// The time after which an idle connection of a lane is closed, in nanoseconds.
    final func idleTime(_ lane: Lane) -> Int64 {
        lane.idleTime ?? Int64(settings.idleSeconds) * 1_000_000_000
    }

    /// Returns the seconds for which a connection of `lane` may have been idle to be used again.
    final func idleLimit(_ lane: Lane) -> Int {
        // libcurl counts whole seconds, and 0 would mean no limit.
        max(1, Int(idleTime(lane) / 1_000_000_000))
    }

    /// Returns the time at which something last came over the connection of `transfer`.
    final func lastHeard(by transfer: Transfer) -> Int64? {
        transfer.connection.use.id.flatMap { connections.lastHeard(on: $0) }
    }

    /// Records that the request of `transfer` is about to be written over a connection that
    /// several exchanges may share.
    final func wrote(_ transfer: Transfer, at time: Int64) {
        if let id = transfer.connection.use.id { connections.wrote(on: id, at: time) }
    }

    /// Returns `true` if another transfer uses the connection of `transfer`, or has used it.
    final func sharesConnection(_ transfer: Transfer) -> Bool {
        transfer.connection.use.id.map { connections.exchangeCount(on: $0) > 1 } ?? false
    }

    /// Records that a transfer ends or pauses, and so no longer reads what its connection brings.
    /// Others may have to read it.
    final func stopsReading(_ transfer: Transfer) {
        // The version is not known before the head.
        let version = transfer.collector.version
        guard version == .http2 || version == nil && transfer.lane.isMultiplexed,
            library.has(.unreadRecords), let id = transfer.connection.use.id
        else { return }
        connections.leave(id)
    }

    /// Returns the addresses that sockets with this local port are connected to, of those that
    /// libcurl believes to be connected to others; `nil` if there are none.
    func replacedAddresses(_ lane: Lane, localPort: Int32) -> Connections.ReplacedAddresses? {
        connections.replacedAddresses(lane, localPort: localPort)
    }

    /// Decides whether a request may be written over the connection between these ends.
    func willSend(
        _ transfer: Transfer, between ends: KeptConnections.Ends, isNew: Bool
    ) -> Connections.Beginning { .begun(.none) }

    /// Records a socket that was just made.
    func opened(_ descriptor: Int32, for lane: Lane) {}

    // MARK: What is learnt

    /// Records what a head that came for `transfer` says about its server.
    func learn(_ version: HTTPVersion?, for transfer: Transfer, idleTimeout: Int?) {}

    /// Records the `Alt-Svc` of a response of this age.
    func announced(_ text: String, age: Duration, by transfer: Transfer) {}

    /// The server has said how many streams it takes on the connection of `transfer`.
    func settled(_ transfer: Transfer) {}

    /// The server has refused the stream of `transfer` without processing it.
    func refused(_ transfer: Transfer) {}

    // MARK: Addresses

    /// Returns the addresses that the resolver has found for a name.
    func addresses(of name: HostLookups.Name) -> [IPAddress] { [] }

    /// No further address is tried for the transfer.
    func endRace(of transfer: Transfer) {}

    // MARK: The next steps

    func schedule(_ transfer: Transfer) {}

    /// The transfer sends on in the next turn.
    func hold(_ transfer: Transfer) {}

    /// The transfer has something to deliver after libcurl has returned.
    func willFlush(_ transfer: Transfer) {}

    /// Ends a transfer wherever it is. Nothing of it remains in libcurl, in a queue or in the heap.
    func finish(_ transfer: Transfer, _ end: Exchange.End) { transfer.end(end) }
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
