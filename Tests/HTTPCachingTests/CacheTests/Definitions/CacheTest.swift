/// A test of the public suite of HTTP cache tests (cache-tests.fyi), as its definition states it.
struct CacheTest: Decodable, Sendable {
    enum Kind: String, Decodable, CaseIterable, Sendable {
        /// A requirement of the standard.
        case required
        /// Something that a good cache does.
        case optimal
        /// A question about the cache; both answers are conformant.
        case check
    }

    let id: String
    let name: String
    let kind: Kind
    /// The tests without which this one says nothing.
    let dependencies: [String]
    /// The requests, sent in order, each with the response that the origin has for it.
    let requests: [CacheTestRequest]
    let isForBrowsersOnly: Bool
    let isSkippedByBrowsers: Bool
    let isForCDNsOnly: Bool

    private enum CodingKeys: String, CodingKey {
        case id, name, kind, dependsOn, requests, browserOnly, browserSkip, cdnOnly
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        name = try values.decode(String.self, forKey: .name)
        kind = try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .required
        dependencies = try values.decodeIfPresent([String].self, forKey: .dependsOn) ?? []
        requests = try values.decode([CacheTestRequest].self, forKey: .requests)
        isForBrowsersOnly = try values.decodeIfPresent(Bool.self, forKey: .browserOnly) ?? false
        isSkippedByBrowsers = try values.decodeIfPresent(Bool.self, forKey: .browserSkip) ?? false
        isForCDNsOnly = try values.decodeIfPresent(Bool.self, forKey: .cdnOnly) ?? false
    }
}
