import CHTTPTransportCurl
import HTTPCore

/// libcurl's handles: the multi handles with their connections, and the easy handles that wait for
/// their next transfer. Lives on the loop's thread.
// @exclusivity(unchecked): see ``Reactor``.
@safe final class Pools {
    /// The part of libcurl that a transfer is in.
    struct Stay {
        let pool: ConnectionPool
        /// The place of the pool among those that the lane shares with others; `nil` if the
        /// exchange has a pool to itself. See ``PoolPlaces``.
        fileprivate let place: Int?
    }

    let settings: LoopSettings
    let library: CurlLibrary
    let turn: LoopTurn
    /// The maximum number of connections of each pool.
    let maximumConnections: Int?
    /// The socket closer, at a fixed address for as long as connections live.
    let socketCloser: UnsafeMutablePointer<chttp_socket_closer>
    /// The loop, which in turn holds its pools until it ends.
    private weak var loop: (any PoolLoop)?
    private let idleTimeout: Int64
    /// The pools in the order of their numbers. Each is made when it is needed, in that order.
    @safe @exclusivity(unchecked) private var pools: [ConnectionPool] = []
    @safe @exclusivity(unchecked) private var numbers = PoolNumbers()
    @safe @exclusivity(unchecked) private var handles: HandlePool

    init(_ settings: LoopSettings, _ library: CurlLibrary, _ turn: LoopTurn) {
        self.settings = settings
        self.library = library
        self.turn = turn
        let configuration = settings.configuration
        maximumConnections = configuration.maximumConnections.map {
            $0 / configuration.eventLoops
        }
        idleTimeout = configuration.idleConnectionTimeout.nanoseconds
        handles = HandlePool(library)
        unsafe socketCloser = .allocate(capacity: 1)
        unsafe socketCloser.initialize(to: chttp_socket_closer())
        unsafe socketCloser.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe socketCloser.pointee.closed = { context, descriptor in
            guard let context = unsafe context else { return }
            // A pool, whose handle closes its sockets, holds this object until it is gone.
            unsafe Unmanaged<Pools>.fromOpaque(context).takeUnretainedValue()
                .loop?.closed(descriptor)
        }
    }

    deinit { unsafe socketCloser.deallocate() }

    /// Makes the first pool, which stays until the end.
    func open(for loop: any PoolLoop) throws(HTTPError) {
        self.loop = loop
        pools.append(try makePool(0))
    }

    private func makePool(_ number: Int) throws(HTTPError) -> ConnectionPool {
        guard let loop else { throw HTTPError.transportClosed }
        return try ConnectionPool(number, of: self, loop)
    }

    /// Closes all connections, which calls back for each socket.
    func close() {
        handles.removeAll()
        pools = []
    }

    // MARK: Transfers

    /// Returns a handle for the next transfer of a lane. See ``HandlePool``.
    func handle(
        for lane: Lane, _ purpose: HandleSettings.Purpose?
    ) throws(HTTPError) -> CurlEasyHandle {
        try handles.take(for: lane, purpose)
    }

    func giveBack(_ easy: CurlEasyHandle, of lane: Lane, isClean: Bool) {
        handles.giveBack(easy, of: lane, isClean: isClean)
    }

    /// Frees the handles of lanes that were forgotten.
    func forgetHandles() { handles.forget() }

    /// Gives a handle to a pool.
    ///
    /// - Parameter isSharing: `true` if its exchange can share a connection.
    func enter(
        _ easy: CurlEasyHandle, of lane: Lane, isSharing: Bool
    ) throws(HTTPError) -> Stay {
        let place =
            lane.route.protocols == .http3Single ? nil : lane.places.enter(sharing: isSharing)
        let number = place.map { numbers.shared(at: $0) } ?? numbers.takeSingle()
        do throws(HTTPError) {
            while pools.count <= number { pools.append(try makePool(pools.count)) }
            let code = pools[number].add(easy)
            guard code == CHTTP_M_OK else {
                pools[number].remove(easy)
                throw HTTPError(
                    .internalFailure, "libcurl: \(ConnectionPool.errorText(code))",
                    phase: .preparing)
            }
            return Stay(pool: pools[number], place: place)
        } catch {
            giveUp(place, number, of: lane)
            throw error
        }
    }

    private func giveUp(_ place: Int?, _ number: Int, of lane: Lane) {
        if let place { lane.places.leave(place) } else { numbers.giveBack(number) }
    }

    /// Ends a stay, once the handle was taken out and the connection was left.
    ///
    /// The connection of an exchange that had a pool to itself is closed, unless the exchange has
    /// ended well. See ``LibraryDefect/fatalCancellation``: libcurl must do nothing else with it.
    ///
    /// - Parameter isClean: `true` if the exchange has left its connection to the next one.
    func end(_ stay: Stay, of lane: Lane, isClean: Bool) {
        let number = stay.pool.number
        // Without memory for a new pool, this one is not used again, and is closed at the end.
        if stay.place == nil, !isClean, !replace(stay.pool) { return }
        giveUp(stay.place, number, of: lane)
    }

    /// Gives up a pool with its connections, which are closed. Returns `false` if there is no
    /// memory for another one.
    private func replace(_ pool: ConnectionPool) -> Bool {
        guard let other = try? makePool(pool.number) else { return false }
        pools[pool.number] = other
        return true
    }

    // MARK: Work of libcurl

    /// The time at which libcurl wants to run next, or pools are to be closed.
    var nextDue: Int64 {
        pools.reduce(idleDue ?? .max) { min($0, $1.nextDue) }
    }

    func act(on descriptor: Int32, _ events: Int32, in pool: Int) {
        pools[pool].act(on: descriptor, events)
    }

    func runTimers() { for pool in pools { pool.runTimers() } }

    /// Lets those pools run on that have more to do at once, until the turn is full.
    func runOn() { for pool in pools where pool.nextDue == 0 && !turn.isFull { pool.runTimers() } }

    /// Returns the next finished transfer, as the receiver of its events, with its result.
    func nextDone() -> (transfer: any CurlEasyEvents, result: Int32)? {
        for pool in pools where pool.running > 0 {
            if let done = pool.nextDone() { return done }
        }
        return nil
    }

    /// Replaces the pools that have failed, whose transfers `fail` ends.
    func replaceFailed(_ fail: (ConnectionPool, HTTPError) -> Void) {
        for number in pools.indices {
            guard let code = pools[number].failure.take() else { continue }
            fail(
                pools[number],
                HTTPError(
                    .internalFailure,
                    "libcurl failed, and its connections were closed: "
                        + ConnectionPool.errorText(code),
                    isRetryable: true))
            // Without memory for a new pool, the failed one stays in use. It is empty.
            _ = replace(pools[number])
        }
    }

    // MARK: Connections to close

    /// Makes libcurl close the connections in these pools that were shut down.
    func clean(_ numbers: Set<Int>) {
        for number in numbers where pools.indices.contains(number) { pools[number].clean() }
    }

    /// Makes libcurl close the connections of a pool that have been idle for longest, until `left`
    /// of them are left. Older libraries close one at a time.
    func evict(in number: Int, keeping left: Int, openCount: () -> Int) {
        guard pools.indices.contains(number) else { return }
        while case let count = openCount(), count > left {
            pools[number].evictOldest(keeping: left)
            guard openCount() < count else { break }
        }
    }

    /// The time at which the last pool will have been idle for as long as its connections may be.
    /// The first pool always stays.
    private var idleDue: Int64? {
        guard pools.count > 1, let last = pools.last, last.running == 0 else { return nil }
        let (due, overflows) = last.idleSince.addingReportingOverflow(idleTimeout)
        return overflows ? nil : due
    }

    func closeIdle(at now: Int64) {
        while let idleDue, idleDue <= now {
            pools.removeLast()
            numbers.removeLast()
        }
    }
}
