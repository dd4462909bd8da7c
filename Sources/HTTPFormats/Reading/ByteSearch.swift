import HTTPCore
import PortableLibc

extension Span<UInt8> {
    /// Returns the first position from `start` on that holds `byte`, or `count`.
    @inline(__always)
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int {
        unsafe extracting(start...).withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress,
                let place = unsafe memchr(first, Int32(byte), bytes.count)
            else { return count }
            return unsafe start + (UnsafeRawPointer(place) - first)
        }
    }
}

/// A pattern to search for. Its first byte is found by the C library's fast search; from there, the
/// search advances by Horspool's rule, so that a text full of first bytes is not slow.
///
/// The search is linear if the first byte does not occur again in the pattern.
package struct BytePattern: Sendable {
    private let bytes: [UInt8]
    /// The distance that the pattern may move, by the byte under its end; at most 255.
    private let moves: [UInt8]

    package var count: Int { bytes.count }

    /// - Parameter bytes: At least one byte.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var moves = [UInt8](repeating: UInt8(clamping: bytes.count), count: 256)
        for (index, byte) in bytes.dropLast().enumerated() {
            moves[Int(byte)] = UInt8(clamping: bytes.count - 1 - index)
        }
        self.moves = moves
    }

    /// Returns the first position from `start` on that holds the pattern, or as much of it as fits
    /// before the end. Returns the end if there is none.
    package func firstIndex(in text: Span<UInt8>, from start: Int) -> Int {
        let bytes = bytes.span
        var index = start
        while true {
            index = text.firstIndex(of: bytes[0], from: index)
            if index == text.count || Self.matches(bytes, text, at: index) { return index }
            let last = index + bytes.count - 1
            index += last < text.count ? Int(moves[Int(text[last])]) : 1
        }
    }

    private static func matches(
        _ bytes: Span<UInt8>, _ text: Span<UInt8>, at index: Int
    ) -> Bool {
        let count = min(bytes.count, text.count - index)
        var matched = 0
        while matched < count, bytes[matched] == text[index + matched] { matched += 1 }
        return matched == count
    }
}
