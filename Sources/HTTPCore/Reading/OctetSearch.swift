#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Span<UInt8> {
    /// The first place from `start` on that holds `octet`, or `count`.
    @inline(__always)
    package func firstIndex(of octet: UInt8, from start: Int = 0) -> Int {
        unsafe extracting(start...).withUnsafeBytes { octets in
            guard let first = octets.baseAddress,
                let place = unsafe memchr(first, Int32(octet), octets.count)
            else { return count }
            return unsafe start + (UnsafeRawPointer(place) - first)
        }
    }

    /// As UTF-8; what is none is replaced by U+FFFD.
    var text: String {
        unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

/// A pattern to search for: its first octet as fast as the C library finds one, and on from there as
/// far as Horspool's rule allows, so that a text full of first octets is not slow.
///
/// Linear where the first octet does not come again in the pattern.
package struct OctetPattern: Sendable {
    private let octets: [UInt8]
    /// How far the pattern may move, by the octet under its end; less than it might be beyond 255.
    private let moves: [UInt8]

    package var count: Int { octets.count }

    /// - Parameter octets: at least one.
    package init(_ octets: [UInt8]) {
        self.octets = octets
        var moves = [UInt8](repeating: UInt8(clamping: octets.count), count: 256)
        for (index, octet) in octets.dropLast().enumerated() {
            moves[Int(octet)] = UInt8(clamping: octets.count - 1 - index)
        }
        self.moves = moves
    }

    /// The first place from `start` on that holds the pattern, or as much of it as fits before the
    /// end; the end if there is none.
    package func firstIndex(in text: Span<UInt8>, from start: Int) -> Int {
        let octets = octets.span
        var index = start
        while true {
            index = text.firstIndex(of: octets[0], from: index)
            if index == text.count || Self.matches(octets, text, at: index) { return index }
            let last = index + octets.count - 1
            index += last < text.count ? Int(moves[Int(text[last])]) : 1
        }
    }

    private static func matches(
        _ octets: Span<UInt8>, _ text: Span<UInt8>, at index: Int
    ) -> Bool {
        let count = min(octets.count, text.count - index)
        var matched = 0
        while matched < count, octets[matched] == text[index + matched] { matched += 1 }
        return matched == count
    }
}
