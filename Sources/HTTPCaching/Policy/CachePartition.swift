public import HTTPCore
import HTTPCredentials
import HTTPHashing

/// The partition of a request in a cache. Only requests of the same partition are given the
/// response that is stored for it.
enum CachePartition {
    /// Returns the text of the partition for a key; empty for a request without credentials.
    static func text(of request: HTTPRequest) -> String {
        let owner = request.cacheOwner
        if case .named(let name) = owner { return "n:" + SHA256.hash(name).hexadecimal }
        var credentials = Credentials(of: request, owner)
        if case .client(let name) = owner {
            credentials.add("client:\(name.utf8.count):\(name)\n")
            // Layers below add credentials for the origin of the call, and none for another one.
            let home = request.currentCall.origin
            if (try? request.origin()) != home {
                credentials.add("home:\(home)\n")
            }
        }
        return credentials.text
    }

    /// Returns `true` if a response to `sent` may be stored for a request that the cache has seen
    /// as `seen`: layers below have neither added nor removed credentials, except for those of the
    /// owner.
    static func covers(_ sent: HTTPRequest, seen: HTTPRequest) -> Bool {
        // Nearly always, and much cheaper than looking at each field.
        guard !sent.headers.isWritten(like: seen.headers) else { return true }
        let owner = seen.cacheOwner
        let names = sensitiveNames(in: sent.headers).union(sensitiveNames(in: seen.headers))
        return names.allSatisfy { name in
            let (own, others) = (sent.headers[values: name], seen.headers[values: name])
            if own == others { return true }
            // A credential that the guard has removed makes the response another user's.
            guard !own.isEmpty else { return false }
            switch owner {
            case .named: return true
            case .client:
                return others.isEmpty
                    || own == sent[ClientCredentials.self][values: name]
                        && others == seen[ClientCredentials.self][values: name]
            case .unknown, nil: return false
            }
        }
    }

    private static func sensitiveNames(in headers: HTTPHeaders) -> Set<HTTPHeaderName> {
        var names: Set<HTTPHeaderName> = []
        headers.forEachSensitiveField { name, _ in names.insert(HTTPHeaderName(bytes: name)) }
        for name in always where headers.contains(name) { names.insert(name) }
        return names
    }

    /// Fields that are credentials even if they are marked as not sensitive, for a log.
    static let always: [HTTPHeaderName] = [.authorization, .cookie]

    /// The digest of a request's credentials.
    private struct Credentials {
        private var hash = SHA256()
        private var isEmpty = true

        init(of request: HTTPRequest, _ owner: CacheOwner?) {
            let added = owner == nil ? [:] : request[ClientCredentials.self]
            func isAdded(_ name: ArraySlice<UInt8>) -> Bool {
                guard !added.isEmpty else { return false }
                let name = HTTPHeaderName(bytes: name)
                return added[values: name] == request.headers[values: name]
            }
            request.headers.forEachSensitiveField { name, value in
                if !isAdded(name) { add(name, value) }
            }
            for name in CachePartition.always
            where request.headers.contains(name) && !request.headers.isSensitive(name) {
                request.headers.forEachValue(of: name) { value in
                    var bytes: [UInt8] = []
                    for index in value.indices { bytes.append(value[index]) }
                    add(ArraySlice(name.spelling.utf8), bytes[...])
                }
            }
        }

        private mutating func add(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
            isEmpty = false
            hash.update(name.map(\.asciiLowercased) + [UInt8(ascii: ":")])
            hash.update(Array(value) + [UInt8(ascii: "\n")])
        }

        mutating func add(_ text: String) {
            isEmpty = false
            hash.update(text)
        }

        var text: String { isEmpty ? "" : "c:" + hash.finalize().hexadecimal }
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
    /// With a name, a request with options for the transport uses the cache, too. The name must
    /// then stand for the server and the identity that the options choose.
    ///
    /// - Important: Requests that may see different responses must not have the same name.
    public var cachePartition: String? {
        get { if case .named(let name) = cacheOwner { name } else { nil } }
        set { cacheOwner = newValue.map { .named($0) } }
    }

    /// Returns this request with that ``cachePartition``.
    public func cachePartition(_ name: String) -> HTTPRequest { with { $0.cachePartition = name } }
}

extension HTTPHeaderName {
    fileprivate init(bytes: ArraySlice<UInt8>) { self.init(String(decoding: bytes, as: UTF8.self)) }
}
