import Synchronization
import PortableFoundation

/// The state of a one-shot body in memory, shared by all its copies.
///
/// Whether the bytes of a response have arrived together with its head depends on timing. A second
/// read therefore throws the same error in both cases.
final class HTTPBodyArrival: Sendable {
    private enum Use: UInt8, AtomicRepresentable {
        case unread
        /// Iterated, discarded or abandoned.
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

    /// Returns the bytes. Further calls, from any task, return the same bytes.
    func collect(upTo limit: Int) throws(HTTPError) -> Data {
        if change(to: .collected) == .claimed { throw .bodyAlreadyRead }
        return try bytes.checked(upTo: limit)
    }

    func giveUp() { _ = change(to: .claimed) }

    /// Sets the state if the body is unread, and returns the previous state.
    private func change(to new: Use) -> Use {
        use.compareExchange(expected: .unread, desired: new, ordering: .relaxed).original
    }
}
