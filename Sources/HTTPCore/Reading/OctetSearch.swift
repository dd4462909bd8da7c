extension Span<UInt8> {
    /// The first place from `start` on that holds `octet`, or `count`.
    func firstIndex(of octet: UInt8, from start: Int) -> Int {
        firstIndex(ofEither: octet, or: octet, from: start)
    }

    /// The first place from `start` on that holds one of two octets, or `count`.
    ///
    /// Looks at eight octets at a time.
    @inline(__always)
    func firstIndex(ofEither first: UInt8, or second: UInt8, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let (firsts, seconds) = (UInt64(first) &* ones, UInt64(second) &* ones)
        var index = start
        let words = unsafe bytes
        while index &+ 8 <= count {
            // Bounds-checked; unsafe only for types whose bits may mean something else.
            let word = unsafe UInt64(
                littleEndian: words.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            let (a, b) = (word ^ firsts, word ^ seconds)
            // The lowest high bit that is set marks the first octet of the word that is zero.
            let zeros = ((a &- ones) & ~a | (b &- ones) & ~b) & highs
            if zeros != 0 { return index &+ zeros.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, self[index] != first, self[index] != second { index &+= 1 }
        return index
    }
}
