import HTTPCore
import HTTPHashing

/// The names of the files of one key, relative to the folder of the format's version.
struct DiskCacheNames: Sendable {
    /// The SHA-256 of the key.
    let digest: [UInt8]
    /// The folder: the first two digits of the digest.
    let shard: String
    /// The folder and the other digits, with which all names begin.
    private let stem: String

    init(_ key: HTTPCacheKey) {
        digest = SHA256.hash("\(key.partition)\n\(key.url)")
        var digits = Self.digits(of: digest)
        shard = String(decoding: digits[..<2], as: UTF8.self)
        digits.insert(UInt8(ascii: "/"), at: 2)
        stem = String(decoding: digits, as: UTF8.self)
    }

    /// Returns two lower-case hexadecimal digits for each byte. Every lookup needs them, and
    /// `hexadecimal` of any sequence takes several times as long.
    private static func digits(of bytes: [UInt8]) -> [UInt8] {
        let table = hexadecimalDigits
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count + 1)
        for byte in bytes {
            digits.append(table[Int(byte >> 4)])
            digits.append(table[Int(byte & 15)])
        }
        return digits
    }

    private static let hexadecimalDigits = Array("0123456789abcdef".utf8)

    var entry: String { stem + ".entry" }

    /// - Parameter id: An id that ``isID(_:)`` accepts.
    func body(_ id: String) -> String { "\(stem).\(id).body" }

    /// Returns a name that no other file has.
    func makeTemporary() -> String {
        let random = String(decoding: Self.digits(of: Self.randomBytes()), as: UTF8.self)
        return "\(stem).\(random).temp"
    }

    private static func randomBytes() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var writer = ByteWriter()
        for _ in 0..<2 { writer.append(generator.next() as UInt64) }
        return writer.bytes
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
