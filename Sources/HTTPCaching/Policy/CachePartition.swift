public import HTTPCore

/// The partition of a request in a cache. Only requests of the same partition are given the
/// response that is stored for it.
enum CachePartition: Hashable, Sendable {
    /// A name that the program chose, whatever credentials the requests carry.
    case named(String)
    /// The owner of the credentials that layers add to the request, and the credentials that the
    /// request has by itself.
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
        let added = owner.isEmpty ? [:] : request[CredentialIssuers.self]
        request.headers.forEachSensitiveField { name, value in
            guard added.isEmpty || added[HTTPHeaderName(bytes: name)] == nil else { return }
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
        var isOwned = false
        switch seen.hasOptions ? seen[Option.self] : nil {
        case .named: return true
        case .owned: isOwned = true
        case nil: break
        }
        // Nearly always, and much cheaper than looking at each field.
        guard !sent.headers.isWritten(like: seen.headers) else { return true }
        let added = isOwned ? sent[CredentialIssuers.self] : [:]
        var isCovered = true
        sent.headers.forEachSensitiveField { name, _ in
            let name = HTTPHeaderName(bytes: name)
            let values = seen.headers[values: name]
            guard !(isOwned && (values.isEmpty || added[name] != nil)) else { return }
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

    /// Gives this request a partition of its own for each `owner`, unless it has a named one. The
    /// credentials that layers add, also below the cache, must be those of the owner.
    package mutating func setCacheOwner(_ owner: String) {
        if cachePartition == nil { self[CachePartition.Option.self] = .owned(by: owner) }
    }
}

extension HTTPHeaderName {
    fileprivate init(bytes: ArraySlice<UInt8>) { self.init(String(decoding: bytes, as: UTF8.self)) }
}
