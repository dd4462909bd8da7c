#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A hash function that takes its message in pieces: for digest authentication, range resumption
/// and the checking of downloads.
///
/// A copy goes on by itself, so that a prefix is hashed once. Not hardened against an observer of
/// its timing or memory: no secret but a digest password passes here.
package protocol Hashing: Sendable {
    init()

    /// Takes the next piece of the message; how it is cut makes no difference.
    mutating func update(_ bytes: RawSpan)

    /// The digest of all pieces so far. More may follow.
    func finalize() -> [UInt8]
}

extension Hashing {
    package mutating func update(_ bytes: [UInt8]) { unsafe update(bytes.span.bytes) }

    package mutating func update(_ bytes: Data) { update(bytes.bytes) }

    package mutating func update(_ text: String) { update(Array(text.utf8)) }

    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var state = Self()
        state.update(bytes)
        return state.finalize()
    }

    package static func hash(_ bytes: Data) -> [UInt8] {
        var state = Self()
        state.update(bytes)
        return state.finalize()
    }

    package static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }
}

extension Sequence<UInt8> {
    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
