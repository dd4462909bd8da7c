package import PortableFoundation

/// A hash function that takes its message in pieces, for digest authentication, for resuming
/// ranges, for checking downloads and content, and for signatures.
///
/// A copy continues independently, so a common prefix is hashed once. Not hardened against
/// observers of its timing or memory: the only secrets that it hashes are digest passwords and the
/// keys of HMAC.
package protocol Hashing: Sendable {
    init()

    /// Takes the next piece of the message. The division into pieces does not matter.
    mutating func update(_ bytes: RawSpan)

    /// Returns the digest of all pieces so far. More pieces may follow.
    func finalize() -> [UInt8]
}

extension Hashing {
    package mutating func update(_ bytes: [UInt8]) { unsafe update(bytes.span.bytes) }

    package mutating func update(_ bytes: Data) { update(bytes.bytes) }

    package mutating func update(_ text: String) { update(Array(text.utf8)) }

    private static func hash(_ bytes: RawSpan) -> [UInt8] {
        var state = Self()
        state.update(bytes)
        return state.finalize()
    }

    package static func hash(_ bytes: [UInt8]) -> [UInt8] { unsafe hash(bytes.span.bytes) }

    package static func hash(_ bytes: Data) -> [UInt8] { hash(bytes.bytes) }

    package static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }
}

extension Sequence<UInt8> {
    /// The bytes as text, with two lower-case hexadecimal digits for each.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
