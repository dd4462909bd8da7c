import HTTPCore

/// The responses of one key in a ``HTTPMemoryCacheStore``, with the memory that they take.
struct MemoryCacheEntry {
    struct Stored {
        var response: HTTPStoredResponse
        var body: HTTPBody
        /// The memory of both in bytes.
        var cost: Int
    }

    /// The memory in bytes that a response or a key takes in addition to its texts.
    fileprivate static let overhead = 512

    let key: HTTPCacheKey
    /// The heads apart from the bodies, so that a lookup returns this array as it is.
    private(set) var responses: [HTTPStoredResponse] = []
    private(set) var bodies: [HTTPBody] = []
    private var costs: [Int] = []
    /// The memory of the key and of all responses in bytes.
    private(set) var cost: Int

    init(_ key: HTTPCacheKey) {
        self.key = key
        cost = key.cost
    }

    func index(of id: String) -> Int? { responses.firstIndex { $0.id == id } }

    mutating func append(_ stored: Stored) {
        responses.append(stored.response)
        bodies.append(stored.body)
        costs.append(stored.cost)
        cost += stored.cost
    }

    @discardableResult
    mutating func remove(at index: Int) -> Stored {
        let stored = Stored(
            response: responses.remove(at: index), body: bodies.remove(at: index),
            cost: costs.remove(at: index))
        cost -= stored.cost
        return stored
    }

    mutating func removeAll(where isRemoved: (HTTPStoredResponse) -> Bool) -> [Stored] {
        responses.indices.reversed().filter { isRemoved(responses[$0]) }.map { remove(at: $0) }
    }

    /// Removes the response with the oldest date.
    mutating func removeOldest(except id: String? = nil) -> [Stored] {
        let oldest = responses.indices.filter { responses[$0].id != id }
            .min { responses[$0].responseDate < responses[$1].responseDate }
        return oldest.map { [remove(at: $0)] } ?? []
    }
}

extension MemoryCacheEntry.Stored {
    /// Returns this response after a revalidation.
    func updated(with update: HTTPStoredResponse) -> Self {
        var new = self
        new.response = response.updated(with: update)
        if new.response.trailers != response.trailers, let bytes = body.bytes {
            new.body = HTTPBody(bytes, trailers: new.response.trailers)
        }
        new.cost += new.response.cost - response.cost
        return new
    }
}

extension HTTPCacheKey {
    /// The memory in bytes that a key and the list of its responses take.
    var cost: Int { MemoryCacheEntry.overhead + partition.utf8.count + url.utf8.count }
}

extension HTTPStoredResponse {
    /// The memory in bytes that this value takes.
    var cost: Int {
        let texts = id.utf8.count + variant.utf8.count
        let names = selectingFields.reduce(0) { $0 + $1.utf8.count + 32 }
        let sections = headers.cost + (trailers?.cost ?? 0)
        return MemoryCacheEntry.overhead + texts + names + sections
    }
}

extension HTTPHeaders {
    /// The memory in bytes of the texts and of the index beside them. A section that was read as a
    /// whole also keeps four bytes for each line.
    fileprivate var cost: Int { byteCount + count * 32 }
}
