import HTTPCore
import PortableFoundation

/// The format of a body in a file of its own.
///
/// The body is cut into blocks of 64 KiB. Each has its length and an XXH64 before it, whose seed
/// depends on the key, the response and the number of the block, so that a block of another file or
/// of another place does not fit. An end mark has the length of the whole body.
struct DiskCacheBlocks: Sendable {
    static let blockLength = 64 << 10
    static let headLength = 12
    private static let endMark: UInt32 = 0xFFFF_FFFF
    private static let endLength = 20
    /// No body is longer, so that sums of lengths do not overflow.
    private static let lengthLimit: Int64 = 1 << 60

    private let seed: UInt64

    init(_ names: DiskCacheNames, id: String) {
        seed = unsafe XXH64.hash((names.digest + Array(id.utf8)).span.bytes)
    }

    /// Returns the length of the file of a body; `nil` for an impossible length.
    static func fileLength(ofBody length: Int64) -> Int64? {
        guard (0...lengthLimit).contains(length) else { return nil }
        let blocks = (length + Int64(blockLength) - 1) / Int64(blockLength)
        return length + blocks * Int64(headLength) + Int64(endLength)
    }

    /// Returns the position of the head of a block in the file.
    static func position(ofBlock number: Int64) -> Int64 {
        number * Int64(blockLength + headLength)
    }

    /// Returns the head of a block.
    func head(ofBlock number: Int64, _ bytes: RawSpan) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(UInt32(truncatingIfNeeded: bytes.byteCount))
        writer.append(XXH64.hash(bytes, seed: seed(ofBlock: number)))
        return writer.bytes
    }

    /// Returns the end mark of a body.
    func end(ofBlocks count: Int64, length: Int64) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.endMark)
        writer.append(length)
        writer.append(unsafe XXH64.hash(writer.bytes.span.bytes, seed: seed(ofBlock: count)))
        return writer.bytes
    }

    private func seed(ofBlock number: Int64) -> UInt64 {
        seed &+ UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Reads a block and checks it, and with the last block also the end mark.
    ///
    /// - Returns: `nil` if these are not the bytes that were stored.
    func read(block number: Int64, of file: DiskFile, length: Int64) throws(HTTPError) -> Data? {
        let position = Self.position(ofBlock: number)
        let rest = length - number * Int64(Self.blockLength)
        let count = Int(min(rest, Int64(Self.blockLength)))
        let head = try file.read(Self.headLength, at: position)
        guard let bytes = try file.readData(count, at: position + Int64(Self.headLength)),
            head == self.head(ofBlock: number, bytes.bytes)
        else { return nil }
        if rest <= Int64(Self.blockLength) {
            let end = position + Int64(Self.headLength + count)
            // One byte more, to see that the file ends there.
            guard
                try file.read(Self.endLength + 1, at: end)
                    == self.end(ofBlocks: number + 1, length: length)
            else { return nil }
        }
        return bytes
    }
}
