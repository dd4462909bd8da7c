/// A count of the bytes of a disk cache, which decides what may be stored and when a sweep is due.
///
/// Opening a store counts nothing, so the total is unknown until the first sweep has ended. From
/// then on it is the total that the last sweep found, and what this store has changed since. What
/// another process stores is seen by the next sweep.
struct DiskCacheBudget {
    /// Changes since the beginning of the last sweep that has ended.
    private struct Changes {
        var difference: Int64 = 0
        var added: Int64 = 0
    }

    let limit: Int64
    /// The bytes that the last sweep left; `nil` before the end of the first.
    private var swept: Int64?
    private var changes = Changes()
    /// The changes when the current sweep began.
    private var seen: Changes?
    /// The added bytes from which a sweep may follow one that failed or left too much.
    private var patience: Int64 = 0
    /// The bytes of responses that are being stored.
    private(set) var unfinished: Int64 = 0

    init(limit: Int64) { self.limit = limit }

    /// Returns the bytes that a file of this length takes: file systems store blocks of 4 KiB.
    static func size(ofFile length: Int64) -> Int64 { (length + 4095) & ~4095 }

    /// The bytes of all files, as far as this store knows them.
    private var total: Int64 { (swept ?? limit) + changes.difference + unfinished }

    /// Takes room for bytes that are being stored.
    ///
    /// - Returns: `false` if the files would exceed the limit by a quarter, or if this store would
    ///   add more than half of the limit before a sweep has seen it.
    mutating func reserve(_ count: Int64) -> Bool {
        guard total + count <= limit + limit / 4,
            changes.added + unfinished + count <= limit / 2
        else { return false }
        unfinished += count
        return true
    }

    mutating func release(_ count: Int64) { unfinished -= count }

    /// Records that the files of a key have another size.
    mutating func change(from old: Int64, to new: Int64) {
        changes.difference += new - old
        changes.added += max(0, new - old)
    }

    /// Begins a sweep if one is due: after opening, above the limit, and after many bytes, because
    /// another process may have stored as many.
    ///
    /// - Returns: `true` if the caller must sweep now, and then call ``endSweep(total:)``.
    mutating func beginSweepIfDue() -> Bool {
        let isDue = swept == nil || total > limit || changes.added > limit / 8
        guard isDue, seen == nil, changes.added + unfinished >= patience else { return false }
        seen = changes
        return true
    }

    /// - Parameter total: The bytes that the sweep left, or `nil` if it could not run.
    mutating func endSweep(total: Int64?) {
        guard let seen else { return }
        self.seen = nil
        if let total {
            swept = total
            changes.difference -= seen.difference
            changes.added -= seen.added
        }
        let isEnough = total.map { $0 <= limit } ?? false
        patience = isEnough ? 0 : changes.added + limit / 100
    }
}
