import HTTPCore

/// The easy handles that wait for their next transfer.
struct HandlePool {
    private static let limit = 256

    private let library: CurlLibrary
    private var idle: [CurlEasyHandle] = []

    init(_ library: CurlLibrary) { self.library = library }

    mutating func take() throws(HTTPError) -> CurlEasyHandle {
        if let idle = idle.popLast() { return idle }
        return try CurlEasyHandle()
    }

    /// - Parameter isClean: `true` if nothing of the last transfer can remain in the handle.
    mutating func giveBack(_ easy: CurlEasyHandle, isClean: Bool) {
        easy.events = nil
        guard library.forgetsLastResponse, isClean || library.resetsCompletely,
            idle.count < Self.limit
        else { return }
        easy.reset()
        idle.append(easy)
    }

    mutating func removeAll() { idle = [] }
}
