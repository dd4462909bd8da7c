/// The log of a server, and the requests that can still be taken from it.
struct LoopbackRecord {
    private(set) var snapshot = LoopbackSnapshot()
    /// The requests that can be taken, in the order in which they were offered.
    private var takable: [LoopbackRequest] = []
    /// The id of the first exchange in the log; ids count up.
    private var firstID = 0
    private let limit: Int
    /// `true` if anything has changed since the conditions of waiting tasks were last evaluated.
    var isChanged = false

    init(limit: Int) { self.limit = min(max(1, limit), .max / 2) }

    var hasTakable: Bool { !takable.isEmpty }

    mutating func take() -> LoopbackRequest? { takable.isEmpty ? nil : takable.removeFirst() }

    mutating func accepted() -> Int {
        isChanged = true
        snapshot.connections.accepted += 1
        snapshot.connections.open += 1
        snapshot.connections.highWater = max(
            snapshot.connections.highWater, snapshot.connections.open)
        return snapshot.connections.accepted
    }

    mutating func closed() {
        isChanged = true
        snapshot.connections.open -= 1
    }

    /// Begins an exchange, and returns the id under which to update it.
    mutating func begin(_ exchange: LoopbackExchange) -> Int {
        isChanged = true
        snapshot.requestCount += 1
        snapshot.log.append(exchange)
        // Dropping half a log now and then costs less than dropping one exchange each time.
        if snapshot.log.count >= 2 * limit {
            let excess = snapshot.log.count - limit
            snapshot.log.removeFirst(excess)
            firstID += excess
        }
        return firstID + snapshot.log.count - 1
    }

    mutating func update(_ id: Int, _ change: (inout LoopbackExchange) -> Void) {
        guard id >= firstID else { return }
        isChanged = true
        change(&snapshot.log[id - firstID])
    }

    /// Makes a request available for taking, once no more of it will arrive.
    mutating func offer(_ request: LoopbackRequest) {
        isChanged = true
        if takable.count >= 2 * limit { takable.removeFirst(takable.count - limit) }
        takable.append(request)
    }

    /// Makes the request of an exchange available if its connection ended before the last byte
    /// arrived.
    mutating func offerIncomplete(_ id: Int) {
        guard id >= firstID, let request = snapshot.log[id - firstID].request, !request.isComplete
        else { return }
        offer(request)
    }
}
