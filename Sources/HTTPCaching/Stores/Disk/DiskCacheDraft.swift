import HTTPCore
import PortableFoundation

/// A body that is being stored: in memory while it is short, then in a temporary file.
struct DiskCacheDraft: Sendable {
    private let folder: DiskCacheFolder
    let names: DiskCacheNames
    private let blocks: DiskCacheBlocks
    /// The bytes of the block that is not full, after room for its head.
    private var block: [UInt8]
    private var number: Int64 = 0
    private var file: DiskFile?
    private(set) var length: Int64 = 0
    /// The bytes that were reserved for it in the budget.
    var reserved: Int64

    init(_ folder: DiskCacheFolder, _ names: DiskCacheNames, id: String, reserved: Int64) {
        self.folder = folder
        self.reserved = reserved
        self.names = names
        blocks = DiskCacheBlocks(names, id: id)
        block = Self.emptyBlock
    }

    private static let emptyBlock = [UInt8](repeating: 0, count: DiskCacheBlocks.headLength)

    /// The whole body, if it is short enough for the file of its key.
    var inlineBody: ArraySlice<UInt8>? {
        length <= DiskCacheEntry.inlineLimit ? block.dropFirst(DiskCacheBlocks.headLength) : nil
    }

    mutating func append(_ bytes: Data) throws(HTTPError) {
        length += Int64(bytes.count)
        var rest = bytes[...]
        while !rest.isEmpty {
            let full = DiskCacheBlocks.headLength + DiskCacheBlocks.blockLength
            let piece = rest.prefix(full - block.count)
            block.append(contentsOf: piece)
            rest = rest.dropFirst(piece.count)
            if block.count == full { try writeBlock() }
        }
    }

    /// Writes the rest of a body that is not inline. Its file is complete then and has a temporary
    /// name.
    mutating func finish() throws(HTTPError) {
        guard inlineBody == nil else { return }
        if block.count > DiskCacheBlocks.headLength { try writeBlock() }
        let end = length + number * Int64(DiskCacheBlocks.headLength)
        try openedFile().write(blocks.end(ofBlocks: number, length: length), at: end)
    }

    /// Gives a body that is not inline its name.
    ///
    /// - Returns: `false` if the file was removed.
    func place(as path: String) throws(HTTPError) -> Bool {
        guard let file else { return inlineBody != nil }
        return try DiskFile.rename(file.path, to: path)
    }

    private mutating func writeBlock() throws(HTTPError) {
        let file = try openedFile()
        let head = unsafe blocks.head(
            ofBlock: number, block.span.bytes.extracting(droppingFirst: DiskCacheBlocks.headLength))
        block.replaceSubrange(..<DiskCacheBlocks.headLength, with: head)
        try file.write(block, at: DiskCacheBlocks.position(ofBlock: number))
        number += 1
        block.removeSubrange(DiskCacheBlocks.headLength...)
    }

    private mutating func openedFile() throws(HTTPError) -> DiskFile {
        if let file { return file }
        let new = try folder.makeTemporary(of: names)
        file = new
        return new
    }

    /// `true` if there is a temporary file.
    var hasFile: Bool { file != nil }

    /// Removes the temporary file.
    func removeFile() {
        if let file { _ = try? DiskFile.remove(file.path) }
    }
}
