import FoundationEssentials
import HTTPCore
import Synchronization

/// A body in pieces of one size, as from a transport, but without a transport's cost.
struct Pieces: Sendable {
    let pieces: [Data]
    let count: Int

    init(_ bytes: [UInt8], size: Int) {
        pieces = stride(from: 0, to: bytes.count, by: size).map {
            Data(bytes[$0..<min($0 + size, bytes.count)])
        }
        count = bytes.count
    }

    var body: HTTPBody { HTTPBody(source: PieceSource(pieces), length: Int64(count)) }
}

private final class PieceSource: HTTPBodySource {
    private let pieces: [Data]
    private let position = Atomic(0)

    init(_ pieces: [Data]) { self.pieces = pieces }

    func next() async throws -> Data? {
        let index = position.add(1, ordering: .relaxed).oldValue
        return index < pieces.count ? pieces[index] : nil
    }

    func abandon() {}
}
