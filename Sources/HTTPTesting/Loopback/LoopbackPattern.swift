/// The content that the server generates: long, never stored, and verifiable at any offset.
///
/// If a client keeps a byte too many, loses one or joins ranges wrongly, the pattern is shifted.
public enum LoopbackPattern {
    /// Returns the byte at `offset`, counted from the start of the generated content.
    package static func byte(at offset: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: offset &* 31 &+ offset >> 8)
    }

    /// Returns the bytes at `offsets`.
    public static func bytes(_ offsets: Range<Int>) -> [UInt8] { offsets.map(byte(at:)) }

    /// Returns the offset at which `bytes`, received from `offset` on, first differ from the
    /// pattern, or `nil` if they do not differ.
    package static func firstMismatch(
        in bytes: some Sequence<UInt8>, from offset: Int = 0
    ) -> Int? {
        var position = offset
        for byte in bytes {
            if byte != Self.byte(at: position) { return position }
            position &+= 1
        }
        return nil
    }

    /// The period of the pattern in bytes.
    ///
    /// The low byte of `offset * 31` repeats after 256 bytes, that of `offset >> 8` after 65,536.
    static let period = 65_536

    /// Four periods of the pattern: enough for big writes from any offset, but small enough for a
    /// cache.
    static let table = bytes(0..<4 * period)
}
