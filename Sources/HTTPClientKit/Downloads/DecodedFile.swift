import HTTPCodings
import HTTPCore
import PortableFoundation
import PortableLibc

/// The decoded content of a part that has arrived, in `name.part.decoded`, until it gets the name
/// of the file.
///
/// The part stays as it came: at no time does a killed process leave decoded bytes that could be
/// continued as coded ones. The lock of the part protects this file, too, and a part that is begun
/// or finished removes one that was left. Without the file's name, it goes with this object.
final class DecodedFile: Sendable {
    private let part: PartialFile
    let descriptor: Int32

    /// Creates an empty file.
    init(of part: PartialFile) throws(HTTPError) {
        self.part = part
        descriptor = try part.createFresh(part.names.decoded, 0o600)
    }

    deinit {
        // Without a lock on the part's name, it may be the file of another download.
        let name = part.names.decoded
        if FileLock.isName(name, of: descriptor) { _ = unsafe unlink(name) }
        _ = close(descriptor)
    }

    /// Decodes the part, with constant memory, and returns the length of the content.
    ///
    /// - Throws: `contentDecodingFailed`; `bodyTooLarge`; `fileNotWritten`.
    @concurrent func fill(_ codings: [HTTPContentCoding], upTo limit: Int?) async throws -> Int64 {
        let limits = ContentDecoder.Limits(expansion: ContentDecoder.usualExpansion, length: nil)
        let content = DecodedBodySource(PartBytes(part), codings: codings, limits: limits)
        var size: Int64 = 0
        while let piece = try await content.next() {
            try piece.write(toDescriptor: descriptor, at: size)
            size += Int64(piece.count)
            if let limit, size > limit { throw HTTPError.bodyTooLarge(limit: limit) }
        }
        return size
    }

    /// The first bytes, for an error about the content.
    var beginning: Data {
        var block = [UInt8](repeating: 0, count: 4 << 10)
        let count = (try? PartialFile.readFile(descriptor, part.names.decoded, &block, at: 0)) ?? 0
        return Data(block.prefix(count))
    }
}

/// The bytes of a part, from the first on.
private final class PartBytes: HTTPBodySource {
    private let part: PartialFile
    private let offset = Locked<Int64>(0)

    init(_ part: PartialFile) { self.part = part }

    func next() async throws -> Data? {
        var block = [UInt8](repeating: 0, count: 64 << 10)
        let start = offset.withLock { $0 }
        let count = try PartialFile.readFile(part.descriptor, part.names.part, &block, at: start)
        offset.withLock { $0 = start + Int64(count) }
        return count > 0 ? Data(block.prefix(count)) : nil
    }

    func abandon() {}
}
