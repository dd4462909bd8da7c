import HTTPCore

/// The names of the files of one key, relative to the folder of the format's version.
struct DiskCacheNames: Sendable {
    /// The SHA-256 of the key.
    let digest: [UInt8]
    /// The folder: the first two digits of the digest.
    let shard: String
    /// The other digits, with which all names begin.
    let stem: String

    init(_ key: HTTPCacheKey) {
        digest = SHA256.hash("\(key.partition)\n\(key.url)")
        let digits = digest.hexadecimal
        shard = String(digits.prefix(2))
        stem = String(digits.dropFirst(2))
    }

    var entry: String { "\(shard)/\(stem).entry" }

    /// - Parameter id: An id that ``isID(_:)`` accepts.
    func body(_ id: String) -> String { "\(shard)/\(stem).\(id).body" }

    /// Returns a name that no other file has.
    func makeTemporary() -> String {
        var generator = SystemRandomNumberGenerator()
        let random = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return "\(shard)/\(stem).\(random.hexadecimal).temp"
    }

    /// Returns `true` for 32 lower-case hexadecimal digits. No other text gets into a file name.
    static func isID(_ text: some StringProtocol) -> Bool { isHexadecimal(text, 32) }

    fileprivate static func isHexadecimal(_ text: some StringProtocol, _ count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}

/// The parts of a name in the folder of a shard. All other names belong to other programs.
struct DiskCacheFileName {
    enum Kind: Equatable {
        case entry
        case body(id: String)
        case temporary
    }

    let stem: String
    let kind: Kind

    init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let stem = parts.first, DiskCacheNames.isHexadecimal(stem, 62) else { return nil }
        switch (parts.count, parts.last) {
        case (2, "entry"): kind = .entry
        case (3, "body") where DiskCacheNames.isID(parts[1]): kind = .body(id: String(parts[1]))
        case (3, "temp") where DiskCacheNames.isID(parts[1]): kind = .temporary
        default: return nil
        }
        self.stem = String(stem)
    }

    /// The names of all shards.
    static let shards = (0..<256).map { [UInt8($0)].hexadecimal }
}
