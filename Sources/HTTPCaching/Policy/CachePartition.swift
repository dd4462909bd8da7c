public import HTTPCore

/// The partition of a request in a cache: who may be given the response that is stored for it.
enum CachePartition: Hashable, Sendable {
    /// A name that the program chose, whatever credentials the requests carry.
    case named(String)
    /// The credentials that a request shows to the cache, and an owner whose layers below the cache
    /// may add more.
    case owned(by: String)

    /// Returns the text of the partition for a key; empty for a request without credentials.
    static func text(of request: HTTPRequest) -> String {
        var owner = ""
        switch request.hasOptions ? request[Option.self] : nil {
        case .named(let name): return "n:" + name
        case .owned(let by): owner = by
        case nil: break
        }
        var credentials = SHA256()
        var isEmpty = true
        request.headers.forEachSensitiveField { name, value in
            isEmpty = false
            credentials.update(name.map(\.asciiLowercased) + [UInt8(ascii: ":")])
            credentials.update(Array(value) + [UInt8(ascii: "\n")])
        }
        guard !isEmpty || !owner.isEmpty else { return "" }
        // Layers below add credentials for the origin of the call, and none for another one.
        if !owner.isEmpty, let home = request.call?.origin, (try? request.origin()) != home {
            credentials.update("home:\(home)\n")
        }
        credentials.update(owner)
        return "c:" + credentials.finalize().hexadecimal
    }

    /// Returns `true` if a response to `sent` may be stored for a request that the cache has seen
    /// as `seen`: layers below have added no credentials that the partition does not know of.
    static func covers(_ sent: HTTPRequest, seen: HTTPRequest) -> Bool {
        var mayAdd = false
        switch seen.hasOptions ? seen[Option.self] : nil {
        case .named: return true
        case .owned: mayAdd = true
        case nil: break
        }
        // Nearly always, and much cheaper than looking at each field.
        guard !sent.headers.isWritten(like: seen.headers) else { return true }
        var isCovered = true
        sent.headers.forEachSensitiveField { name, _ in
            let name = HTTPHeaderName(String(decoding: name, as: UTF8.self))
            let values = seen.headers[values: name]
            guard !(mayAdd && values.isEmpty) else { return }
            if values != sent.headers[values: name] { isCovered = false }
        }
        return isCovered
    }

    enum Option: HTTPRequestOption {
        static var defaultValue: CachePartition? { nil }
    }
}

extension HTTPRequest {
    /// The name of the partition that this request's response is stored in, such as the id of a
    /// user; `nil` by default.
    ///
    /// A cache gives a stored response only to requests of the same partition. By default the
    /// credentials of a request make its partition: every field that is sensitive takes part. A
    /// name takes the place of the credentials. Set it where credentials change and the user
    /// remains the same (a token that is refreshed), or where a layer below the cache adds
    /// credentials: without a name, such responses are not stored.
    ///
    /// - Important: Requests that may see different responses must not have the same name.
    public var cachePartition: String? {
        get {
            if case .named(let name) = self[CachePartition.Option.self] { name } else { nil }
        }
        set { self[CachePartition.Option.self] = newValue.map { .named($0) } }
    }

    /// Returns this request with that ``cachePartition``.
    public func cachePartition(_ name: String) -> HTTPRequest {
        var request = self
        request.cachePartition = name
        return request
    }

    /// Gives this request a partition of its own for each `owner`, unless it has a named one. Layers
    /// below the cache may then add credentials, which must be those of the owner.
    package mutating func setCacheOwner(_ owner: String) {
        if cachePartition == nil { self[CachePartition.Option.self] = .owned(by: owner) }
    }
}
