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
        /// exchange has a pool to itself. See ``Lane/Places``.
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
    @safe @exclusivity(unchecked) private var numbers = Numbers()
    @safe @exclusivity(unchecked) var handles: Handles

    init(_ settings: LoopSettings, _ library: CurlLibrary, _ turn: LoopTurn) {
        self.settings = settings
        self.library = library
        self.turn = turn
        let configuration = settings.configuration
        maximumConnections = configuration.maximumConnections.map {
            $0 / configuration.eventLoops
        }
        idleTimeout = configuration.idleConnectionTimeout.nanoseconds
        handles = Handles(library)
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

    /// Gives a handle to a pool.
    ///
    /// - Parameter isSharing: `true` if its exchange can share a connection.
    func enter(
        _ easy: CurlEasyHandle, of lane: Lane, isSharing: Bool
    ) throws(HTTPError) -> Stay {
        let place =
            lane.isHTTP3 && lane.route.protocols == .http3Single
            ? nil : lane.places.enter(sharing: isSharing)
        let number = if let place { numbers.shared(at: place) } else { numbers.takeSingle() }
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
        var due = idleDue ?? .max
        for pool in pools { due = min(due, pool.nextDue) }
        return due
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

// MARK: - Numbers and handles

extension Pools {
    /// The numbers of the loop's pools: those that the exchanges of all lanes share, and those that
    /// carry one exchange at a time.
    ///
    /// A number is an index. Pools are made in the order of their numbers, and the last one goes
    /// first.
    struct Numbers {
        /// The shared pools, by their place in ``Lane/Places``.
        private var shared: [Int] = []
        /// The single pools that no exchange uses, the last used one last.
        private var free: [Int] = []
        private(set) var count = 0

        /// Returns the number of a shared pool. It may be a new one.
        mutating func shared(at place: Int) -> Int {
            while shared.count <= place { shared.append(add()) }
            return shared[place]
        }

        /// Returns the number of a pool that no other exchange uses. It may be a new one.
        mutating func takeSingle() -> Int { free.popLast() ?? add() }

        /// An exchange has left its single pool.
        mutating func giveBack(_ number: Int) { free.append(number) }

        private mutating func add() -> Int {
            count += 1
            return count - 1
        }

        /// The last pool, which no exchange uses, is gone.
        mutating func removeLast() {
            guard count > 0 else { return }
            count -= 1
            if shared.last == count { shared.removeLast() }
            free.removeAll { $0 == count }
        }
    }

    /// The easy handles that wait for their next transfer.
    ///
    /// A handle that is clean stays as it is, for a transfer of the same lane with the same
    /// purpose. It is reset for any other.
    struct Handles {
        private struct Idle {
            let easy: CurlEasyHandle
            /// The lane that the handle is set up for; `nil` if it was reset.
            let lane: Lane?
        }

        private static let limit = 256

        private let library: CurlLibrary
        /// The idle handles, those that were used last at the end.
        private var idle: [Idle] = []

        init(_ library: CurlLibrary) { self.library = library }

        /// Returns a handle. It is warm, with the settings of an earlier transfer with this
        /// purpose, or all its options are the library's defaults.
        mutating func take(
            for lane: Lane, _ purpose: CurlEasyHandle.Settings.Purpose?
        ) throws(HTTPError) -> CurlEasyHandle {
            if let purpose,
                let index = idle.lastIndex(where: {
                    $0.lane === lane && $0.easy.isWarm(for: purpose)
                })
            {
                return idle.remove(at: index).easy
            }
            // The one that has waited for longest is the least likely to be wanted as it is.
            guard !idle.isEmpty else { return try CurlEasyHandle() }
            let oldest = idle.removeFirst()
            if oldest.lane != nil { oldest.easy.reset() }
            return oldest.easy
        }

        /// - Parameter isClean: `true` if nothing of the last transfer can remain in the handle.
        mutating func giveBack(_ easy: CurlEasyHandle, of lane: Lane, isClean: Bool) {
            easy.events = nil
            if library.reusesHandles, isClean, easy.cool(library) {
                keep(Idle(easy: easy, lane: lane))
            } else if !library.reusesHandles {
                if easy.renew() { keep(Idle(easy: easy, lane: nil)) }
            } else if isClean || !library.has(.incompleteReset) {
                easy.reset()
                keep(Idle(easy: easy, lane: nil))
            }
        }

        private mutating func keep(_ handle: Idle) {
            if idle.count >= Self.limit { idle.removeFirst() }
            idle.append(handle)
        }

        /// Frees the handles of lanes that were forgotten.
        mutating func forget() { idle.removeAll { $0.lane?.isForgotten == true } }

        mutating func removeAll() { idle = [] }
    }
}
