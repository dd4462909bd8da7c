import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A one-shot body that is in memory, shared by all its copies: who has read it.
///
/// Whether a response's bytes have come when its head is handed over is a matter of time, and whoever
/// reads them twice is told so either way.
final class HTTPBodyArrival: Sendable {
    private enum Use: UInt8, AtomicRepresentable {
        case unread
        /// Iterated or given up.
        case claimed
        case collected
    }

    let bytes: Data
    let trailers: HTTPHeaders?
    private let use = Atomic(Use.unread)

    init(_ bytes: Data, trailers: HTTPHeaders?) {
        self.bytes = bytes
        self.trailers = trailers
    }

    var isUnread: Bool { use.load(ordering: .relaxed) == .unread }

    func claim() throws(HTTPError) -> Data {
        guard change(to: .claimed) == .unread else { throw .bodyAlreadyRead }
        return bytes
    }

    /// Again and from several tasks, the same bytes.
    func collect(upTo limit: Int) throws(HTTPError) -> Data {
        if change(to: .collected) == .claimed { throw .bodyAlreadyRead }
        return try bytes.checked(upTo: limit)
    }

    func giveUp() { _ = change(to: .claimed) }

    /// Changes what is unread, and says what it was.
    private func change(to new: Use) -> Use {
        use.compareExchange(expected: .unread, desired: new, ordering: .relaxed).original
    }
}
