/// The reported progress of a task: the newest of each kind, numbered in order of arrival.
///
/// Holds back progress that would go backwards, such as that of an attempt that was sent again.
/// Until ``end(_:at:)``, it also holds back the last byte: a download's response may be replaced by
/// another attempt's, and an upload's last byte has been handed over but may not be sent.
struct ProgressTrack: Sendable {
    struct Entry: Hashable, Sendable {
        var number: Int
        var progress: HTTPTransferProgress
    }

    /// The entries, at most one of each kind, in order of arrival.
    private var entries: [Entry] = []
    private var lastNumber = 0
    private var held: [HTTPTransferProgress.Kind: HTTPTransferProgress] = [:]

    var newest: Entry? { entries.last }

    /// Returns `true` if the progress is new.
    mutating func record(_ progress: HTTPTransferProgress) -> Bool {
        if progress.bytes == progress.length {
            held[progress.kind] = progress
            return false
        }
        if let last = entries.first(where: { $0.progress.kind == progress.kind })?.progress {
            guard progress != last, progress.bytes >= last.bytes,
                progress.fraction ?? 1 >= last.fraction ?? 0
            else { return false }
        }
        append(progress)
        return true
    }

    /// The length of an upload that was handed over to its end.
    var heldUpload: Int64? { held[.upload]?.bytes }

    /// Records the end of a kind of progress: its total is now known, and its fraction is 1.
    mutating func end(_ kind: HTTPTransferProgress.Kind, at total: Int64) {
        var progress =
            entries.first { $0.progress.kind == kind }?.progress
            ?? HTTPTransferProgress(kind, bytes: 0, length: nil)
        if let held = held[kind], held.bytes == total { progress = held }
        progress.bytes = total
        progress.length = total
        guard entries.allSatisfy({ $0.progress != progress }) else { return }
        append(progress)
    }

    /// Returns the next entry after `number`, or the newest if `number` is `nil`.
    func next(after number: Int?) -> Entry? {
        guard let number else { return newest }
        return entries.first { $0.number > number }
    }

    private mutating func append(_ progress: HTTPTransferProgress) {
        lastNumber += 1
        entries.removeAll { $0.progress.kind == progress.kind }
        entries.append(Entry(number: lastNumber, progress: progress))
    }
}
