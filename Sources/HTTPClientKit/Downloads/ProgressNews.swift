import HTTPCore

/// The newest progress of work that several tasks do, until it is reported. One task reports at a
/// time, so that values never decrease.
struct ProgressNews {
    /// The newest progress that has not been reported.
    var newest: HTTPTransferProgress?
    private var isReporting = false

    /// Returns `true` if the caller is to report what ``next()`` returns, until that is `nil`.
    mutating func begin() -> Bool {
        defer { isReporting = true }
        return !isReporting
    }

    mutating func next() -> HTTPTransferProgress? {
        defer { newest = nil }
        isReporting = newest != nil
        return newest
    }
}
