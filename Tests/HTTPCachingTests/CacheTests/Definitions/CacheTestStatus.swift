/// The status of the origin's response with its phrase.
struct CacheTestStatus: Decodable, Hashable, Sendable {
    let code: Int
    let phrase: String

    init(_ code: Int, _ phrase: String) {
        self.code = code
        self.phrase = phrase
    }

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        code = try values.decode(Int.self)
        phrase = values.isAtEnd ? "" : try values.decode(String.self)
    }

    /// `true` if no content follows.
    var hasNoContent: Bool { code == 204 || code == 304 }
}

/// An interim response that the origin sends, or that the client expects.
struct CacheTestInterim: Decodable, Sendable {
    let code: Int
    let fields: [CacheTestField]

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        code = try values.decode(Int.self)
        fields = values.isAtEnd ? [] : try values.decode([CacheTestField].self)
    }
}
