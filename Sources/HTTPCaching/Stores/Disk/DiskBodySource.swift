import HTTPCore
import PortableFoundation

/// A body that is read from its file while its caller reads it. A block is checked before any byte
/// of it is returned.
final class DiskBodySource: HTTPBodySource {
    private struct State {
        var file: DiskFile?
        /// The block that was read and checked when the body was opened.
        var first: Data?
        var block: Int64 = 1
    }

    private let state: Locked<State>
    private let blocks: DiskCacheBlocks
    private let length: Int64
    private let finalTrailers: HTTPHeaders?
    private let removal: @Sendable () async -> Void

    /// - Parameters:
    ///   - first: The first block.
    ///   - removal: Removes the response. It is called if a block is not the one that was stored.
    init(
        _ file: DiskFile, first: Data, blocks: DiskCacheBlocks, length: Int64,
        trailers: HTTPHeaders?, removal: @escaping @Sendable () async -> Void
    ) {
        state = Locked(State(file: file, first: first))
        self.blocks = blocks
        self.length = length
        self.finalTrailers = trailers
        self.removal = removal
    }

    @concurrent func next() async throws -> Data? {
        let (file, first, block) = state.withLock { ($0.file, $0.first.take(), $0.block) }
        guard let file else { throw HTTPError.bodyAlreadyRead }
        if let first { return first }
        guard block * Int64(DiskCacheBlocks.blockLength) < length else { return nil }
        guard let bytes = try blocks.read(block: block, of: file, length: length) else {
            abandon()
            await removal()
            throw HTTPError.cacheBodyDamaged
        }
        state.withLock { $0.block += 1 }
        return bytes
    }

    func abandon() {
        // Closed outside the lock, or at the end of a read that is in progress.
        let dropped = state.withLock { state in
            state.first = nil
            return state.file.take()
        }
        _ = dropped
    }

    var trailers: HTTPHeaders? { finalTrailers }
}
