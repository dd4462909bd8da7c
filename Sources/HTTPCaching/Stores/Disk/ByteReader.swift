import HTTPCore

/// Reads integers and texts from bytes of any origin. A read beyond the end returns `nil`.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.count
    }

    var isAtEnd: Bool { position == end }

    mutating func readBytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= end - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func readUInt32() -> UInt32? { readInteger() }

    mutating func readUInt64() -> UInt64? { readInteger() }

    private mutating func readInteger<Integer: FixedWidthInteger & BitwiseCopyable>() -> Integer? {
        let size = Integer.bitWidth / 8
        guard size <= end - position else { return nil }
        defer { position += size }
        return unsafe bytes.span.bytes.littleEndian(at: position, as: Integer.self)
    }

    mutating func readText() -> String? {
        guard let text = readUInt32().flatMap({ readBytes(Int($0)) }) else { return nil }
        return text.span.text
    }

    /// Removes an integer from the end of the bytes.
    mutating func readLast() -> UInt64? {
        guard end - position >= 8 else { return nil }
        end -= 8
        return unsafe bytes.span.bytes.littleEndian(at: end, as: UInt64.self)
    }

    /// Returns `true` if these bytes follow.
    mutating func skip(_ expected: [UInt8]) -> Bool { readBytes(expected.count) == expected[...] }

    /// Returns `true` if this text follows.
    mutating func skipText(_ expected: String) -> Bool {
        readUInt32().flatMap { readBytes(Int($0)) }?.elementsEqual(expected.utf8) ?? false
    }
}

/// Collects integers and texts in the form that ``ByteReader`` reads.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func append(_ integer: some FixedWidthInteger) {
        for byte in 0..<integer.bitWidth / 8 {
            bytes.append(UInt8(truncatingIfNeeded: integer >> (8 * byte)))
        }
    }

    mutating func set(_ integer: UInt32, at offset: Int) {
        for byte in 0..<4 {
            bytes[offset + byte] = UInt8(truncatingIfNeeded: integer >> UInt32(8 * byte))
        }
    }

    mutating func append(_ text: String) {
        append(UInt32(truncatingIfNeeded: text.utf8.count))
        bytes += text.utf8
    }
}
