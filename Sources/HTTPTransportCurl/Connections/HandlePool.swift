import HTTPCore

/// The easy handles that wait for their next transfer.
///
/// A handle that is clean stays as it is, for a transfer of the same lane with the same purpose. It
/// is reset for any other.
struct HandlePool {
    private struct Idle {
        let easy: CurlEasyHandle
        /// The lane that the handle is set up for; `nil` if it was reset.
        let lane: Lane?
    }

    private static let limit = 256

    private let library: CurlLibrary
    /// The idle handles, those that were used last at the end.
    private var idle: [Idle] = []

    init(_ library: CurlLibrary) { self.library = library }

    /// Returns a handle. It is warm, with the settings of an earlier transfer with this purpose, or
    /// all its options are the library's defaults.
    mutating func take(
        for lane: Lane, _ purpose: HandleSettings.Purpose?
    ) throws(HTTPError) -> CurlEasyHandle {
        if let purpose,
            let index = idle.lastIndex(where: {
                $0.lane === lane && $0.easy.isWarm(for: purpose)
            })
        {
            return idle.remove(at: index).easy
        }
        // The one that has waited for longest is the least likely to be wanted as it is.
        guard !idle.isEmpty else { return try CurlEasyHandle() }
        let oldest = idle.removeFirst()
        if oldest.lane != nil { oldest.easy.reset() }
        return oldest.easy
    }

    /// - Parameter isClean: `true` if nothing of the last transfer can remain in the handle.
    mutating func giveBack(_ easy: CurlEasyHandle, of lane: Lane, isClean: Bool) {
        easy.events = nil
        if library.reusesHandles, isClean, easy.cool(library) {
            keep(Idle(easy: easy, lane: lane))
        } else if !library.reusesHandles {
            if easy.renew() { keep(Idle(easy: easy, lane: nil)) }
        } else if isClean || !library.has(.incompleteReset) {
            easy.reset()
            keep(Idle(easy: easy, lane: nil))
        }
    }

    private mutating func keep(_ handle: Idle) {
        if idle.count >= Self.limit { idle.removeFirst() }
        idle.append(handle)
    }

    /// Frees the handles of lanes that were forgotten.
    mutating func forget() { idle.removeAll { $0.lane?.isForgotten == true } }

    mutating func removeAll() { idle = [] }
}
